package local

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"dowse/engine/answer"
	"dowse/engine/lexical"
)

// beside are what may tell right quotations apart after a model has read, each by itself.
var beside = []struct {
	name string
	of   func(r *readAnswer) float64
}{
	{"support", func(r *readAnswer) float64 { return logOdds(r.Support) }},
	{"agreement", func(r *readAnswer) float64 { return r.Grounds.Agreement }},
	{"asked", func(r *readAnswer) float64 { return r.Grounds.Asked }},
	{"likelihood", func(r *readAnswer) float64 { return r.Likelihood }},
	{"yes", func(r *readAnswer) float64 { return r.Yes }},
}

func logOdds(p float64) float64 { return math.Log(p / (1 - p)) }

// TestFitJudge fits a model's judge to what TestLogAnswers logged of it: it prints what
// tells right quotations apart, how each fifth of the questions is judged by what the
// others fit, and the judge that fits all of them.
//
//	go test ./engine/answer/local -run TestFitJudge -v -judge-log FILE -judge-fit
func TestFitJudge(t *testing.T) {
	if !*judgeFit {
		t.Skip("fits only when told to: -judge-log FILE -judge-fit")
	}
	read, texts := readLog(t, *judgeLog), 0
	table := "quotations told apart by"
	for _, b := range beside {
		var list []verdict
		for i := range read {
			list = append(list, verdict{read[i].Answerable, read[i].QuotedRight, b.of(&read[i])})
		}
		table += fmt.Sprintf(" %s %.3f", b.name, toldApart(list))
	}
	t.Log(table)
	const folds = 5
	var quoted, judged []verdict
	for i := range read {
		r := &read[i]
		if r.Right {
			texts++
		}
		var others []readAnswer
		for j := range read {
			if j%folds != i%folds {
				others = append(others, read[j])
			}
		}
		fitted := judgeFor(others)
		quoted = append(quoted, verdict{r.Answerable, r.QuotedRight, r.Support})
		judged = append(judged, verdict{r.Answerable, r.QuotedRight, fitted.Probability(r.Grounds)})
	}
	judge := judgeFor(read)
	judge.SureFrom, judge.PerhapsFrom = leastThreshold(judged, mostWrong, mostInvented), leastThreshold(judged, 1, mostInventedPerhaps)
	t.Logf("by the reader: %s", summed(quoted, judge.SureFrom, judge.PerhapsFrom))
	t.Logf("judged: %s", summed(judged, judge.SureFrom, judge.PerhapsFrom))
	t.Logf("%d texts are right; %+v", texts, judge)
}

// ridge keeps the weights of few questions small.
const ridge = 1.0

// judgeFor fits a judge without thresholds, by gradient descent on the log loss. Support
// weighs 1: what the reader's calibration was fitted to is many more questions.
func judgeFor(read []readAnswer) answer.Judge {
	j := answer.Judge{Support: 1}
	weights := []*float64{&j.Bias, &j.Agreement, &j.Asked}
	for range 20000 {
		slope := [3]float64{1: ridge * j.Agreement, 2: ridge * j.Asked}
		for i := range read {
			wrong := j.Probability(read[i].Grounds)
			if read[i].QuotedRight {
				wrong--
			}
			for k, x := range [3]float64{1, read[i].Grounds.Agreement, read[i].Grounds.Asked} {
				slope[k] += wrong * x
			}
		}
		for k, w := range weights {
			*w -= slope[k] / float64(max(1, len(read)))
		}
	}
	return j
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
