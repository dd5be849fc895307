package app

import (
	"context"
	"errors"
	"flag"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/engine/lexical"
	"dowse/internal/answerbench"
	"dowse/internal/testcache"
	"dowse/models"
)

// What is asked of a model, whose answers take minutes.
var (
	squadModel     = flag.String("squad", "", "let this installed model answer questions of eval/squad")
	squadQuestions = flag.Int("squad-questions", 500, "so many that have an answer, and half as many that have none")
)

// squadSeed chooses the questions that package answerbench asks the extractor and
// the reader.
const squadSeed = 6

// writes is a modelAnswerer as an answer.Answerer.
type writes struct {
	model *modelAnswerer
	steps int
	words int
}

// Answer implements answer.Answerer. The answer in short is what stands before the
// first citation.
func (w *writes) Answer(ctx context.Context, question string, passages []answer.Passage) (answer.Answer, error) {
	job := engine.AnswerJob{Question: question}
	for _, p := range passages {
		job.Passages = append(job.Passages, engine.Passage{
			Rank: p.Number, Path: p.Path, Heading: p.Heading, Text: p.Text, LineStart: p.LineStart, LineEnd: p.LineEnd, Score: p.Score,
		})
	}
	said, err := w.model.write(ctx, job)
	if err != nil {
		return answer.Answer{}, err
	}
	w.steps += said.Generation.Steps
	w.words += said.Generation.Tokens
	out := answer.Answer{Text: said.Text, Declined: said.Declined}
	for _, c := range said.Citations {
		out.Citations = append(out.Citations, answer.Citation{Number: c.N, Path: c.Path, Text: c.Text})
	}
	lead, _, _ := strings.Cut(said.Text, "[")
	out.Short = &answer.Citation{Text: strings.Trim(lead, " .\n")}
	return out, nil
}

// TestModelOnSquad says how a model answers the questions that the reader is held
// to: with three passages that are given, and with the five best of BM25.
func TestModelOnSquad(t *testing.T) {
	if *squadModel == "" {
		t.Skip("asks only when asked: -squad MODEL")
	}
	collection, err := answerbench.Load(filepath.Join("..", "..", "..", "shared", "data", "eval", "squad"), lexical.NewAnalyzer())
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the shared data is not here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", testcache.Dir(t))
	t.Setenv("DOWSE_HOME", t.TempDir())
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	linkModel(t, a, models.SmallestAnswerer)
	if !models.Bundled(*squadModel) {
		linkModel(t, a, *squadModel)
	}
	a.Config.Answerer, a.Config.Threads = *squadModel, 2
	model, _ := newModelAnswerer(t, a)
	cases := collection.Cases(*squadQuestions, *squadQuestions/2, squadSeed)
	for _, way := range []struct {
		name     string
		retrieve answerbench.Retrieve
	}{{"given", nil}, {"retrieved", collection.BM25}} {
		w := &writes{model: model}
		report, err := answerbench.Run(t.Context(), cases, w, way.retrieve, 5, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%-10s %v; %.2f tokens a step", way.name, report, float64(w.words)/float64(max(1, w.steps)))
	}
}
