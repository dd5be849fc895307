package local

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/engine/lexical"
	"dowse/internal/testcache"
	"dowse/models"
)

var (
	squadModel     = flag.String("squad", "", "let this installed model answer questions of eval/squad, which takes minutes")
	squadQuestions = flag.Int("squad-questions", 60, "so many that have an answer, and half as many that have none")
)

// squadSeed chooses the questions that the extractor is asked too.
const squadSeed = 6

// manySquad are questions enough to judge the answers from passages that BM25 finds.
const manySquad = 500

// squadCases are questions about articles that nothing was trained on.
func squadCases(t *testing.T) (*squadCollection, []squadCase) {
	t.Helper()
	c := sharedSquad(t, lexical.NewAnalyzer())
	return c, c.Cases(*squadQuestions, *squadQuestions/2, squadSeed)
}

// TestReaderOnSquad holds the reader to its figures.
func TestReaderOnSquad(t *testing.T) {
	if testing.Short() {
		t.Skip("asks many questions")
	}
	c, cases := squadCases(t)
	from := newReadingAnswerer(t, bareHome(t))
	given, err := runSquad(t.Context(), cases, from, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("given:     %v", given)
	if given.F1 < 0.5 || given.Exact < 0.4 || given.CitationsHold < 0.8 || given.DeclinedAnswerable > 0.14 || given.DeclinedUnanswerable < 0.9 {
		t.Errorf("with given passages: %v", given)
	}
	if *squadQuestions < manySquad {
		return
	}
	found, err := runSquad(t.Context(), cases, from, c.BM25, 5)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("retrieved: %v", found)
	if found.F1 < 0.38 || found.DeclinePrecision < 0.6 || found.DeclineRecall < 0.88 {
		t.Errorf("with retrieved passages: %v", found)
	}
}

// writes is an Answerer as a squadExtractor.
type writes struct {
	model *Answerer
	steps int
	words int
}

// Extract implements squadExtractor.
func (w *writes) Extract(ctx context.Context, question string, passages []answer.Passage) (answer.Answer, error) {
	job := engine.AnswerJob{Question: question}
	for _, p := range passages {
		job.Passages = append(job.Passages, engine.Passage{
			Rank: p.Number, Path: p.Path, Heading: p.Heading, Text: p.Text, LineStart: p.LineStart, LineEnd: p.LineEnd, Score: p.Score,
		})
	}
	said, err := w.model.Answer(ctx, job)
	if err != nil {
		return answer.Answer{}, err
	}
	if said.Generation != nil {
		w.steps += said.Generation.Steps
		w.words += said.Generation.Tokens
	}
	out := answer.Answer{Text: said.Text, Declined: said.Declined}
	for _, c := range said.Citations {
		out.Citations = append(out.Citations, answer.Citation{N: c.N, Path: c.Path, Text: c.Text})
	}
	out.Short = &answer.Citation{Text: said.Short}
	return out, nil
}

// TestModelOnSquad says how a model answers the questions that the reader is held
// to: with three passages that are given, and with the five best of BM25.
func TestModelOnSquad(t *testing.T) {
	if *squadModel == "" {
		t.Skip("asks only when asked: -squad MODEL")
	}
	collection, cases := squadCases(t)
	a := bareHome(t)
	linkModel(t, a, models.SmallestAnswerer)
	if !models.Bundled(*squadModel) {
		linkModel(t, a, *squadModel)
	}
	a.answerer, a.threads = *squadModel, 2
	model, _ := newModelAnswerer(t, a)
	model.extract = newReadingAnswerer(t, a)
	for _, way := range []struct {
		name     string
		retrieve squadRetrieve
	}{{"given", nil}, {"retrieved", collection.BM25}} {
		w := &writes{model: model}
		report, err := runSquad(t.Context(), cases, w, way.retrieve, 5)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%-10s %v; %.2f tokens a step", way.name, report, float64(w.words)/float64(max(1, w.steps)))
	}
}

// linkModel installs a model that make test-full obtains.
func linkModel(t *testing.T, h *fixture, name string) {
	t.Helper()
	from, to := filepath.Dir(testcache.Full(t, name)), filepath.Dir(models.PackPath(h.cache, name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.Symlink(from, to)); err != nil {
		t.Fatal(err)
	}
}
