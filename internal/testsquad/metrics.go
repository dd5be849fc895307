package testsquad

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"dowse/engine/answer"
)

// Report is how an Answerer did; doc.go says what the figures mean.
type Report struct {
	Answerable   int // questions
	Unanswerable int

	F1, Exact            float64
	AnsweredF1           float64 // over the answerable questions that were answered
	Holds, CitationHolds float64
	CitationsRight       float64
	CitationsHold        float64
	DeclinedAnswerable   float64
	DeclinedUnanswerable float64
	DeclinePrecision     float64
	DeclineRecall        float64
	UncitedAnswers       float64 // of the answers given
}

// String returns the report on one line.
func (r Report) String() string {
	return fmt.Sprintf("F1 %.3f (of answered %.3f)  exact %.3f  holds %.3f  citation holds %.3f  citations right %.3f hold %.3f  "+
		"declined answerable %.3f  unanswerable %.3f  decline precision %.3f recall %.3f  (%d + %d questions)",
		r.F1, r.AnsweredF1, r.Exact, r.Holds, r.CitationHolds, r.CitationsRight, r.CitationsHold, r.DeclinedAnswerable,
		r.DeclinedUnanswerable, r.DeclinePrecision, r.DeclineRecall, r.Answerable, r.Unanswerable)
}

// tally adds answers up. The zero value is empty.
type tally struct {
	report                        Report
	answered, given, declined     int
	citations, right, hold        int
	rightlyDeclined, citedAnswers int
}

// Add counts the answer to one case.
func (t *tally) Add(c *Case, a answer.Answer, passages []answer.Passage) {
	if a.Declined {
		t.declined++
	} else {
		t.given++
		if len(a.Citations) > 0 {
			t.citedAnswers++
		}
	}
	if !c.Answerable {
		t.report.Unanswerable++
		if a.Declined {
			t.rightlyDeclined++
		}
		return
	}
	t.report.Answerable++
	if a.Declined {
		return
	}
	t.answered++
	f1, exact := score(prediction(a), c.Answers)
	t.report.F1 += f1
	t.report.Exact += exact
	if holdsAny(a.Text, c.Answers) {
		t.report.Holds++
	}
	cited := false
	for _, citation := range a.Citations {
		t.citations++
		if citation.Path == c.Gold {
			t.right++
		}
		if i := slices.IndexFunc(passages, func(p answer.Passage) bool { return p.Number == citation.Number }); i >= 0 &&
			holdsAny(passages[i].Text, c.Answers) {
			t.hold++
			cited = true
		}
	}
	if cited {
		t.report.CitationHolds++
	}
}

// Report returns what the answers came to.
func (t *tally) Report() Report {
	r := t.report
	share := func(sum float64, n int) float64 {
		if n == 0 {
			return 0
		}
		return sum / float64(n)
	}
	r.AnsweredF1 = share(r.F1, t.answered)
	for _, sum := range []*float64{&r.F1, &r.Exact, &r.Holds, &r.CitationHolds} {
		*sum = share(*sum, r.Answerable)
	}
	r.CitationsRight = share(float64(t.right), t.citations)
	r.CitationsHold = share(float64(t.hold), t.citations)
	r.DeclinedAnswerable = share(float64(r.Answerable-t.answered), r.Answerable)
	r.DeclinedUnanswerable = share(float64(t.rightlyDeclined), r.Unanswerable)
	r.DeclinePrecision = share(float64(t.rightlyDeclined), t.declined)
	r.DeclineRecall = r.DeclinedUnanswerable
	r.UncitedAnswers = share(float64(t.given-t.citedAnswers), t.given)
	return r
}

var citationMark = regexp.MustCompile(`\s*\[[0-9]+(?:\s*,\s*[0-9]+)*\]`)

// prediction returns the part of an answer that is compared with the right ones.
func prediction(a answer.Answer) string {
	if a.Short != nil {
		return a.Short.Text
	}
	return strings.TrimSpace(citationMark.ReplaceAllString(a.Text, ""))
}

// score returns the token F1 and the exact match (0 or 1) of a prediction with the
// best of several right answers, as SQuAD's own script counts.
func score(prediction string, answers []string) (f1, exact float64) {
	words := normalize(prediction)
	for _, a := range answers {
		right := normalize(a)
		f1 = max(f1, f1Of(words, right))
		if slices.Equal(words, right) {
			exact = 1
		}
	}
	return f1, exact
}

// holdsAny reports whether a text has one of the answers as a run of words.
func holdsAny(text string, answers []string) bool {
	words := " " + strings.Join(normalize(text), " ") + " "
	for _, a := range answers {
		if right := strings.Join(normalize(a), " "); right != "" && strings.Contains(words, " "+right+" ") {
			return true
		}
	}
	return false
}
