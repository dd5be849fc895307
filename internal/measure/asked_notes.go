package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/internal/app"
	"dowse/internal/bench"
)

// askedNotes is an index of notes that questions are asked about. It searches and
// answers as dowse -q does.
type askedNotes struct {
	*app.Stack
	notes string // folder that paths are relative to
	mode  engine.Mode
	depth int // passages of a search without an answer
}

var (
	_ bench.Searcher = (*askedNotes)(nil)
	_ bench.Asker    = (*askedNotes)(nil)
)

// notesOf is the folder of the notes that the questions of a folder are about.
func notesOf(folder string) (string, error) {
	notes, err := filepath.EvalSymlinks(filepath.Join(folder, "notes"))
	if err != nil {
		return "", fmt.Errorf("the notes that the questions are about lie in the folder notes of %s: %w", folder, err)
	}
	return notes, nil
}

// onTrial calls use with this dowse in a home of its own, which it removes.
func (a *Runner) onTrial(use func(trial *Runner) error) (err error) {
	temp, err := os.MkdirTemp("", "dowse-trial-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	return use(a.with(func(trial *app.App) { trial.Home = a.Home.Trial(temp) }))
}

// openNotes opens the index of this home. Pruning is what it is on a new machine,
// the same in every run: nothing is traced between searches.
func (a *Runner) openNotes(notes string, opts AnswersOptions) (*askedNotes, error) {
	s, err := a.OpenAlone(context.Background())
	if err != nil {
		return nil, err
	}
	return &askedNotes{Stack: s, notes: notes, mode: engine.Mode(opts.Stages), depth: opts.Depth}, nil
}

// index indexes the notes and returns how many files they are.
func (n *askedNotes) index(ctx context.Context, progress func(phase string, done, total int)) (files int, err error) {
	progress("indexing", 0, 1)
	report, err := n.Index(ctx, []string{n.notes}, nil)
	if err != nil {
		return 0, err
	}
	if report.Chunks == 0 {
		return 0, fmt.Errorf("%s holds no text that would be indexed", n.notes)
	}
	return report.Files, nil
}

// Search implements bench.Searcher.
func (n *askedNotes) Search(ctx context.Context, question string) ([]answer.Passage, error) {
	result, err := n.Stack.Search(ctx, engine.Request{Query: question, K: n.depth, Mode: n.mode}, nil)
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
	result, err := n.Stack.Search(ctx, engine.Request{Query: question, K: engine.AnswerPassages, Mode: n.mode, Answer: true}, nil)
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
		path, err := n.name(found[i].Path)
		if err != nil {
			return nil, err
		}
		found[i].Path = path
	}
	return found, nil
}

// name is the path of a note as questions name it.
func (n *askedNotes) name(path string) (string, error) {
	relative, err := filepath.Rel(n.notes, path)
	return filepath.ToSlash(relative), err
}
