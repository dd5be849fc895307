package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/internal/answerbench"
	"dowse/internal/home"
)

// BenchAnswersOptions say what BenchAnswers measures.
type BenchAnswersOptions struct {
	Questions string // file of questions; "" means questions.jsonl of the folder
	Stages    string // mode of the search; "" means the default
	Lists     string // file to write examples for training to; "" writes none
	Depth     int    // passages of an example
}

// BenchAnswers asks questions about the notes below a folder, indexed into a home
// that it makes and removes.
func (a *App) BenchAnswers(ctx context.Context, dir string, opts BenchAnswersOptions, progress func(phase string, done, total int)) (err error) {
	if !slices.Contains(answerStages, engine.Mode(opts.Stages)) {
		return fmt.Errorf("--stages %s: want one of %q", opts.Stages, answerStages[1:])
	}
	if opts.Depth < 1 || opts.Depth > 1000 {
		return fmt.Errorf("--depth %d: want a number from 1 to 1000", opts.Depth)
	}
	folder, err := ResolveFolder(dir)
	if err != nil {
		return err
	}
	notes, err := ResolveFolder(filepath.Join(folder, "notes"))
	if err != nil {
		return err
	}
	if opts.Questions == "" {
		opts.Questions = filepath.Join(folder, "questions.jsonl")
	}
	questions, err := answerbench.ReadNoteQuestions(opts.Questions)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "dowse-answers-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	trial := *a
	trial.Home = a.Home.Trial(temp)
	return trial.askNotes(ctx, notes, questions, opts, progress)
}

// answerStages are the modes that questions can be asked in.
var answerStages = []engine.Mode{"", engine.Lexical, engine.Vector, engine.Hybrid, engine.Reranked}

// askNotes indexes notes and asks the questions about them.
func (a *App) askNotes(ctx context.Context, notes string, questions []answerbench.NoteQuestion, opts BenchAnswersOptions, progress func(phase string, done, total int)) (err error) {
	asked, err := a.openNotes(ctx, notes, engine.Mode(opts.Stages))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, asked.Close()) }()
	progress("indexing", 0, 1)
	if _, err := asked.Index(ctx, []string{notes}, nil); err != nil {
		return err
	}
	asked.depth = opts.Depth
	return writeFile(opts.Lists, func(file *os.File) error {
		return answerbench.WriteLists(ctx, file, questions, asked, func(done int) { progress("searching", done, len(questions)) })
	})
}

// askedNotes is an index of notes of which questions are asked.
type askedNotes struct {
	*stack
	notes string // folder that paths are relative to
	mode  engine.Mode
	depth int // passages of a search without an answer
}

// openNotes opens the index of this home. Pruning is what it is on a new machine,
// the same in every run: no search leaves a trace.
func (a *App) openNotes(ctx context.Context, notes string, mode engine.Mode) (*askedNotes, error) {
	if err := home.MakePrivate(a.Home.Data); err != nil {
		return nil, err
	}
	s, err := a.openStack(ctx, false)
	if err != nil {
		return nil, a.openError(err)
	}
	if s.model.reranker != nil {
		s.model.reranker.untraced = true
	}
	return &askedNotes{stack: s, notes: notes, mode: mode}, nil
}

// Search implements answerbench.Searcher.
func (n *askedNotes) Search(ctx context.Context, question string) ([]answer.Passage, error) {
	result, err := n.stack.Search(ctx, engine.Request{Query: question, K: n.depth, Mode: n.mode}, nil)
	if err != nil {
		return nil, err
	}
	return n.relative(result.Passages)
}

// relative makes passages those of the notes.
func (n *askedNotes) relative(passages []engine.Passage) ([]answer.Passage, error) {
	found := answerPassages(passages)
	for i := range found {
		path, err := filepath.Rel(n.notes, found[i].Path)
		if err != nil {
			return nil, err
		}
		found[i].Path = filepath.ToSlash(path)
	}
	return found, nil
}

// writeFile makes a file of what write writes. Where that fails no half of it
// stays.
func writeFile(path string, write func(*os.File) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err = errors.Join(write(file), file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}
