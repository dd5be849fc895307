package local

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/engine/lexical"
)

// readAnswer is what a model wrote of a held-out question, and what is known of it.
type readAnswer struct {
	verdict                // of what was written; its p is the judge's
	grounds answer.Grounds // of it
	quoted  verdict        // of the quotation
}

// grounds are what may tell right answers apart, each by itself.
var grounds = []struct {
	name string
	of   func(g answer.Grounds) float64
}{
	{"agreement", func(g answer.Grounds) float64 { return g.Agreement }},
	{"support", func(g answer.Grounds) float64 { return math.Log(g.Support / (1 - g.Support)) }},
}

// fitJudge lets a model read the passages of questions, and fits its judge.
func fitJudge(t *testing.T, a *Answerer, all []heldOut) {
	t.Helper()
	var read []readAnswer
	for i := range all {
		one, err := a.readHeldOut(t.Context(), &all[i])
		if err != nil {
			t.Fatal(err)
		}
		read = append(read, one)
	}
	reportJudge(t, read)
}

// readHeldOut answers a question as the program does, without deciding.
func (a *Answerer) readHeldOut(ctx context.Context, h *heldOut) (one readAnswer, err error) {
	job := engine.AnswerJob{Question: h.Question, Follows: h.Follows}
	for _, p := range h.given() {
		job.Passages = append(job.Passages, engine.Passage{Rank: p.Number, Path: p.Path, Heading: p.Heading, Columns: p.Columns, Text: p.Text, Score: p.Score})
	}
	w, err := a.writing(ctx, job)
	if err != nil {
		return one, err
	}
	if w.quoted == nil {
		return one, errors.New("the reader failed")
	}
	one.quoted = verdict{h.Answerable, h.Answerable && h.saidIn(w.quoted.Text), w.quoted.Support}
	model, asked, done, err := a.prompted(ctx, func(m *Model) (*request, error) { return m.askOutside(w) })
	if err != nil {
		return one, err
	}
	defer func() { err = errors.Join(err, done()) }()
	checker := answer.NewChecker(w.question, asked.given, a.analyzer)
	result, err := model.write(ctx, asked, nil, func(string) error { return nil })
	if err != nil {
		return one, err
	}
	result.Text = asked.cited(checker, result.Text, true)
	said := conclude(checker, &result)
	one.grounds = checker.Grounds(said, *w.quoted)
	one.verdict = verdict{answerable: h.Answerable, right: h.Answerable && h.saidIn(said.Text)}
	return one, nil
}

// saidShare is the least share of the answer's words that says it.
const saidShare = 0.6

// saidIn reports whether a text says the answer in short, literally or with most of the
// words and all of the numbers that the question lacks; where there is none, as answers.
func (h *heldOut) saidIn(text string) bool {
	if h.answers(text) || h.Short == "" {
		return h.answers(text)
	}
	words := func(text string) map[string]bool {
		set := map[string]bool{}
		for _, w := range lexical.NewAnalyzer().Append(nil, text) {
			set[w] = true
		}
		return set
	}
	asked, said, held, all := words(h.Question), words(text), 0, 0
	for w := range words(h.Short) {
		if asked[w] {
			continue
		}
		all++
		if said[w] {
			held++
		} else if strings.ContainsAny(w, "0123456789") {
			return false
		}
	}
	return float64(held) >= saidShare*float64(max(1, all))
}

// reportJudge prints what tells right answers apart, the judge that fits all of them,
// and what becomes of them where each fifth is judged by what the others fit.
func reportJudge(t *testing.T, read []readAnswer) {
	t.Helper()
	table := "what tells right answers apart, of the model and with the quotation:"
	for _, g := range grounds {
		var alone, beside []verdict
		for _, r := range read {
			alone = append(alone, verdict{r.answerable, r.right, g.of(r.grounds)})
			beside = append(beside, verdict{r.answerable, r.right || r.quoted.right, g.of(r.grounds)})
		}
		table += fmt.Sprintf(" %s %.3f %.3f", g.name, toldApart(alone), toldApart(beside))
	}
	const folds = 5
	ways := map[string][]verdict{}
	for i, r := range read {
		judge := judgeFor(without(read, i%folds, folds))
		p := judge.Probability(r.grounds)
		both := verdict{r.answerable, r.right || r.quoted.right, p}
		ways["1 quoted"], ways["2 written"] = append(ways["1 quoted"], r.quoted), append(ways["2 written"], verdict{r.answerable, r.right, p})
		ways["3 both, judged"] = append(ways["3 both, judged"], both)
	}
	t.Log(table)
	for _, way := range slices.Sorted(maps.Keys(ways)) {
		list := ways[way]
		t.Logf("%s: %s", way, summed(list, leastThreshold(list, mostWrong, mostInvented), leastThreshold(list, 1, mostInventedPerhaps)))
	}
	judge, list := judgeFor(read), ways["3 both, judged"]
	judge.SureFrom, judge.PerhapsFrom = leastThreshold(list, mostWrong, mostInvented), leastThreshold(list, 1, mostInventedPerhaps)
	t.Logf("%+v", judge)
}

// without leaves out each answer of a fold.
func without(read []readAnswer, fold, folds int) (left []readAnswer) {
	for i, r := range read {
		if i%folds != fold {
			left = append(left, r)
		}
	}
	return left
}

// ridge keeps the weights of few questions small.
const ridge = 1.0

// judgeFor fits a judge without thresholds, by gradient descent on the log loss.
func judgeFor(read []readAnswer) answer.Judge {
	weights := make([]float64, 1+len(grounds))
	for range 20000 {
		slope := make([]float64, len(weights))
		for _, r := range read {
			x, z := make([]float64, len(weights)), weights[0]
			x[0] = 1
			for i, g := range grounds {
				x[i+1] = g.of(r.grounds)
				z += weights[i+1] * x[i+1]
			}
			wrong := 1 / (1 + math.Exp(-z))
			if r.right || r.quoted.right { // both are shown
				wrong--
			}
			for i := range slope {
				slope[i] += wrong * x[i]
			}
		}
		for i := range weights {
			if i > 0 {
				slope[i] += ridge * weights[i]
			}
			weights[i] -= slope[i] / float64(max(1, len(read)))
		}
	}
	return answer.Judge{Bias: weights[0], Agreement: weights[1], Support: weights[2]}
}
