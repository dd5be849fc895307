// Package trial measures dowse on questions of a person about notes of theirs, in a home
// of its own, with their settings and models: what dowse eval does. Nothing of the
// person's own index is touched.
//
// A folder holds notes/ and questions.jsonl, a JSON object a line: question, and path,
// the note that answers, relative to notes.
package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/eval"
)

// QuestionsFile is the file of questions in a folder of notes.
const QuestionsFile = "questions.jsonl"

// Stages are the ways of ranking that can be measured.
var Stages = []string{string(engine.Lexical), string(engine.Vector), string(engine.Hybrid), string(engine.Reranked), string(engine.RRF)}

// CheckStages refuses unknown stages.
func CheckStages(stages []string) error {
	for _, s := range stages {
		if !slices.Contains(Stages, s) {
			return fmt.Errorf("stage %q is unknown; choose from %q", s, Stages)
		}
	}
	return nil
}

// NotesOf is the folder of the notes that the questions of a folder are about.
func NotesOf(folder string) (string, error) {
	notes, err := filepath.EvalSymlinks(filepath.Join(folder, "notes"))
	if err != nil {
		return "", fmt.Errorf("the notes that the questions are about lie in the folder notes of %s: %w", folder, err)
	}
	return notes, nil
}

// Evaluate measures how high the note that answers is ranked, at each of the stages, by
// the first limit questions spread evenly (all if 0). The notes are indexed as a person's
// folder is, in passages with headings, into a home that is removed; a note stands where
// its best passage does. engine.RerankDepth candidates are reranked on every machine
// unless the settings say otherwise.
func Evaluate(ctx context.Context, a *app.App, dir string, stages []string, limit int, progress func(phase string, done, total int)) (report *eval.Report, err error) {
	if err := CheckStages(stages); err != nil {
		return nil, err
	}
	folder, err := app.ResolveFolder(dir)
	if err != nil {
		return nil, err
	}
	queries, where, err := readQuestions(folder)
	if err != nil {
		return nil, err
	}
	a = With(a, func(a *app.App) { a.Config.Depth = cmp.Or(a.Config.Depth, engine.RerankDepth) })
	err = Use(a, func(trial *app.App) (err error) {
		notes, err := Open(ctx, trial, where)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, notes.Close()) }()
		files, err := notes.Fill(ctx, progress)
		if err != nil {
			return err
		}
		report, err = eval.Run(ctx, filepath.Base(folder), queries, notes, stages, limit, func(done, total int) {
			progress("asking", done, total)
		})
		if err == nil {
			report.Documents = files
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return report, nil
}
