package testsquad

import (
	"context"
	"fmt"

	"dowse/engine/answer"
)

// Extractor answers a question from passages, best first.
type Extractor interface {
	Extract(ctx context.Context, question string, passages []answer.Passage) (answer.Answer, error)
}

// Run puts every case to an Extractor and reports. Passages are those given
// with the case where retrieve is nil, and the best k it finds otherwise.
// progress, when not nil, is told after each case.
func Run(ctx context.Context, cases []Case, a Extractor, retrieve Retrieve, k int, progress func(done int)) (Report, error) {
	var t tally
	for i := range cases {
		c := &cases[i]
		passages := c.Passages
		if retrieve != nil {
			found, err := retrieve(ctx, c.Question, c.Without, k)
			if err != nil {
				return Report{}, fmt.Errorf("passages for %q: %w", c.Question, err)
			}
			passages = found
		}
		said, err := a.Extract(ctx, c.Question, passages)
		if err != nil {
			return Report{}, fmt.Errorf("answer %q: %w", c.Question, err)
		}
		t.Add(c, said, passages)
		if progress != nil {
			progress(i + 1)
		}
	}
	return t.Report(), nil
}
