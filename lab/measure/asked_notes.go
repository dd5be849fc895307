package measure

import (
	"context"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/internal/trial"
	"dowse/lab/bench"
)

// askedNotes is an index of notes that questions are asked about. It searches and
// answers as dowse -q does.
type askedNotes struct {
	*trial.Notes
	mode  engine.Mode
	depth int // passages of a search without an answer
}

var (
	_ bench.Searcher = (*askedNotes)(nil)
	_ bench.Asker    = (*askedNotes)(nil)
)

// openNotes opens the index of this home.
func (a *Runner) openNotes(notes string, opts AnswersOptions) (*askedNotes, error) {
	opened, err := trial.Open(context.Background(), a.App, notes)
	if err != nil {
		return nil, err
	}
	return &askedNotes{Notes: opened, mode: engine.Mode(opts.Stages), depth: opts.Depth}, nil
}

// Search implements bench.Searcher.
func (n *askedNotes) Search(ctx context.Context, question string) ([]answer.Passage, error) {
	result, err := n.Notes.Search(ctx, engine.Request{Query: question, K: n.depth, Mode: n.mode}, nil)
	if err != nil {
		return nil, err
	}
	return n.relative(result.Passages)
}

// Quote implements bench.Searcher.
func (n *askedNotes) Quote(ctx context.Context, question string, passages []answer.Passage) (answer.Answer, error) {
	said, err := n.Models.Extractor.Quote(ctx, answer.Asked{Question: question}, passages[:min(len(passages), engine.AnswerPassages)])
	if err != nil {
		return answer.Answer{}, ctx.Err() // without a reader nothing is quoted
	}
	return said, nil
}

// Ask implements bench.Asker.
func (n *askedNotes) Ask(ctx context.Context, question string) (*bench.Reply, error) {
	result, err := n.Notes.Search(ctx, engine.Request{Query: question, K: engine.AnswerPassages, Mode: n.mode, Answer: true}, nil)
	if err != nil {
		return nil, err
	}
	said := result.Answer
	r := &bench.Reply{
		Text: said.Text, Confidence: said.Confidence, Problem: said.Problem,
		SearchMillis: result.Stats.Millis - said.Millis, AnswerMillis: said.Millis,
	}
	if said.Quotation != nil {
		r.Quoted = said.Quotation.Text
	}
	for _, c := range said.Citations {
		r.Cited = append(r.Cited, c.Text)
	}
	r.Passages, err = n.relative(result.Passages)
	return r, err
}

// relative makes passages those of the notes.
func (n *askedNotes) relative(passages []engine.Passage) ([]answer.Passage, error) {
	found := answer.ByRank(passages)
	for i := range found {
		path, err := n.Name(found[i].Path)
		if err != nil {
			return nil, err
		}
		found[i].Path = path
	}
	return found, nil
}
