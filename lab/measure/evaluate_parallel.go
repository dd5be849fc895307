package measure

import (
	"context"
	"fmt"

	"dowse/internal/eval"
	"dowse/lab/collection"
)

// evaluateParallel measures a folder of the same texts in several languages: a report for
// each language of questions and each corpus that they are asked of.
func (a *Runner) evaluateParallel(ctx context.Context, dir string, opts EvalOptions, progress func(phase string, done, total int)) ([]*eval.Report, error) {
	p, err := collection.LoadParallel(dir)
	if err != nil {
		return nil, err
	}
	var reports []*eval.Report
	known := knownVectors{} // the last corpus is made of all others
	for _, corpus := range p.Corpora() {
		asked := p.AskedOf(corpus)
		sets := make([]*collection.Dataset, len(asked))
		for i, language := range asked {
			sets[i] = p.Pair(language, corpus)
		}
		of, err := a.evaluateCollection(ctx, sets, known, opts, func(phase string, done, total int) {
			progress(fmt.Sprintf("%s %s", phase, corpus), done, total)
		})
		if err != nil {
			return nil, err
		}
		for i, r := range of {
			r.Set, r.Asked, r.Of = p.Name, asked[i], corpus
		}
		reports = append(reports, of...)
	}
	return reports, nil
}
