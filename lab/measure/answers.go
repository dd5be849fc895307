package measure

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"dowse/engine"
	"dowse/engine/answer/local"
	"dowse/internal/app"
	"dowse/internal/atomicfile"
	"dowse/internal/config"
	"dowse/internal/trial"
	"dowse/lab/bench"
	"dowse/lab/collection"
	"dowse/models"
)

// AnswersOptions say what Answers measures.
type AnswersOptions struct {
	Answerers []string // names as UseModel takes them; none means the one of the settings
	Questions string   // file of questions; "" means questions.jsonl of the folder
	Stages    string   // mode of the search; "" means the default
	Show      bool     // report each answer
	Lists     string   // file to write examples for training to; "" writes none
	Depth     int      // passages of an example
}

// asks reports whether questions are asked at all: lists alone need no answers.
func (o *AnswersOptions) asks() bool { return o.Lists == "" || len(o.Answerers) > 0 || o.Show }

// answerStages are the modes that questions can be asked in.
var answerStages = []engine.Mode{engine.Lexical, engine.Vector, engine.Hybrid, engine.Reranked}

// Answers asks questions about the notes of a folder, indexed into a home
// that it makes and removes. The report is nil where lists alone are written.
func (a *Runner) Answers(ctx context.Context, dir string, opts AnswersOptions, progress bench.Progress) (report *bench.AnswersReport, err error) {
	if opts.Stages != "" && !slices.Contains(answerStages, engine.Mode(opts.Stages)) {
		return nil, fmt.Errorf("--stages %s: want one of %q", opts.Stages, answerStages)
	}
	if opts.Depth < 1 || opts.Depth > 1000 {
		return nil, fmt.Errorf("--depth %d: want a number from 1 to 1000", opts.Depth)
	}
	folder, err := app.ResolveFolder(dir)
	if err != nil {
		return nil, err
	}
	if opts.Questions == "" {
		opts.Questions = filepath.Join(folder, trial.QuestionsFile)
	}
	questions, err := collection.ReadNoteQuestions(opts.Questions)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; write a question on each line of it, or name another file by --questions (lab bench answers --help says how)", err)
	}
	if err != nil {
		return nil, err
	}
	notes, err := trial.NotesOf(folder)
	if err != nil {
		return nil, err
	}
	err = a.reranking(engine.RerankDepth).onTrial(func(trial *Runner) error {
		run := &answersBench{runner: trial, notes: notes, questions: questions, opts: opts, progress: progress}
		if err := run.index(ctx); err != nil || !opts.asks() {
			return err
		}
		report = &bench.AnswersReport{Folder: folder, Questions: len(questions), Stages: opts.Stages, Unread: bench.UnreadPatterns(questions)}
		report.Answerers, err = run.ask(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return report, nil
}

// answersBench is one run of Answers.
type answersBench struct {
	runner    *Runner // in a home of its own
	notes     string
	questions []collection.NoteQuestion
	opts      AnswersOptions
	progress  bench.Progress
}

// index indexes the notes, and writes the lists where they are wanted.
func (b *answersBench) index(ctx context.Context) (err error) {
	for _, name := range b.opts.Answerers { // before anything takes long
		if _, err := b.runner.answeredBy(name); err != nil {
			return err
		}
	}
	notes, err := b.runner.openNotes(b.notes, b.opts)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, notes.Close()) }()
	if _, err := notes.Fill(ctx, b.progress); err != nil {
		return err
	}
	if b.opts.Lists == "" {
		return nil
	}
	return atomicfile.Write(b.opts.Lists, 0o600, func(file *os.File) error {
		return bench.WriteLists(ctx, file, b.questions, notes, func(done int) { b.progress("searching", done, len(b.questions)) })
	})
}

// ask asks every question of every answerer.
func (b *answersBench) ask(ctx context.Context) ([]bench.AnswererRow, error) {
	if len(b.opts.Answerers) == 0 {
		row, err := b.askOne(ctx, b.runner, b.runner.answererName())
		if err != nil {
			return nil, err
		}
		return []bench.AnswererRow{*row}, nil
	}
	var rows []bench.AnswererRow
	for _, name := range b.opts.Answerers {
		by, err := b.runner.answeredBy(name)
		if err != nil {
			return nil, err
		}
		row, err := b.askOne(ctx, by, by.answererName())
		if err != nil {
			return nil, err
		}
		rows = append(rows, *row)
	}
	return rows, nil
}

// askOne asks every question of the answerer of a.
func (b *answersBench) askOne(ctx context.Context, a *Runner, name string) (row *bench.AnswererRow, err error) {
	notes, err := a.openNotes(b.notes, b.opts)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, notes.Close()) }()
	row, err = bench.Answers(ctx, b.questions, notes, func(done int) { b.progress("asking "+name, done, len(b.questions)) })
	if err != nil {
		return nil, err
	}
	row.Answerer = name
	if !b.opts.Show {
		row.Answers = nil
	}
	return row, nil
}

// answeredBy is this dowse with another answerer, as UseModel would set it.
func (a *Runner) answeredBy(name string) (*Runner, error) {
	by := &Runner{trial.With(a.App, func(by *app.App) { by.Config.Answerer, by.Config.Endpoint = name, config.Endpoint{} })}
	switch name {
	case config.Extract, config.Auto:
		return by, nil
	case config.FromEndpoint:
		if a.Config.Endpoint.URL == "" {
			return nil, fmt.Errorf("--answerer %s: the settings use no server; set answer.endpoint", name)
		}
		return a, nil
	}
	m, err := a.FindModel(name)
	if err != nil {
		return nil, fmt.Errorf("--answerer %s: %w", name, err)
	}
	if role := m.Role(); role != models.Answerer {
		return nil, fmt.Errorf("--answerer %s: it is %s; name an answerer, or %s", name, role.WithArticle(), config.Extract)
	}
	if err := local.CheckTemplate(m.Path); err != nil {
		return nil, fmt.Errorf("--answerer %s: it cannot answer: %w", name, err)
	}
	return by, nil
}

// answererName is the name of the answerer that is set.
func (a *Runner) answererName() string {
	if a.Config.Endpoint.URL != "" {
		return config.FromEndpoint
	}
	if name := a.Answerer(); name == config.Extract {
		return name
	}
	return a.Config.Answerer
}
