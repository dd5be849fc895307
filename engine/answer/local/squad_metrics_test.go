package local

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"dowse/engine/answer"
)

// What the figures of a squadReport mean:
//
//   - F1 and Exact compare words as SQuAD does, with the best of the right
//     answers: Answer.Short where there is one, all of the text without
//     citations otherwise. A declined question counts as 0. Means are over the
//     answerable questions.
//   - Holds is the share of answerable questions whose text has a right
//     answer in it as a run of words, CitationHolds the share with a cited
//     passage that has one.
//   - CitationsRight is the share of all citations given, of answerable
//     questions, that name the passage judged right, CitationsHold the share
//     that name one with a right answer in it.
//   - DeclinedAnswerable and DeclinedUnanswerable are shares of these
//     questions; DeclinePrecision and DeclineRecall are of declining as a
//     detector of unanswerable questions.

// squadReport is how an Answerer did.
type squadReport struct {
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
func (r squadReport) String() string {
	return fmt.Sprintf("F1 %.3f (of answered %.3f)  exact %.3f  holds %.3f  citation holds %.3f  citations right %.3f hold %.3f  "+
		"declined answerable %.3f  unanswerable %.3f  decline precision %.3f recall %.3f  (%d + %d questions)",
		r.F1, r.AnsweredF1, r.Exact, r.Holds, r.CitationHolds, r.CitationsRight, r.CitationsHold, r.DeclinedAnswerable,
		r.DeclinedUnanswerable, r.DeclinePrecision, r.DeclineRecall, r.Answerable, r.Unanswerable)
}

// squadTally adds answers up. The zero value is empty.
type squadTally struct {
	report                        squadReport
	answered, given, declined     int
	citations, right, hold        int
	rightlyDeclined, citedAnswers int
}

// add counts the answer to one case.
func (t *squadTally) add(c *squadCase, a answer.Answer, passages []answer.Passage) {
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
		if i := slices.IndexFunc(passages, func(p answer.Passage) bool { return p.Number == citation.N }); i >= 0 &&
			holdsAny(passages[i].Text, c.Answers) {
			t.hold++
			cited = true
		}
	}
	if cited {
		t.report.CitationHolds++
	}
}

// total returns what the answers came to.
func (t *squadTally) total() squadReport {
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

// normalize reduces an answer to the words by which SQuAD compares answers:
// lower case, without ASCII punctuation and English articles.
func normalize(text string) []string {
	text = strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsPunct(r) || unicode.IsSymbol(r)) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
	words := strings.Fields(text)
	kept := words[:0]
	for _, w := range words {
		if w != "a" && w != "an" && w != "the" {
			kept = append(kept, w)
		}
	}
	return kept
}

// f1Of returns the harmonic mean of precision and recall of the words of two
// normalised answers, as SQuAD defines it; two empty ones agree.
func f1Of(a, b []string) float64 {
	if len(a) == 0 || len(b) == 0 {
		if len(a) == len(b) {
			return 1
		}
		return 0
	}
	counts := make(map[string]int, len(a))
	for _, w := range a {
		counts[w]++
	}
	same := 0
	for _, w := range b {
		if counts[w] > 0 {
			counts[w]--
			same++
		}
	}
	return 2 * float64(same) / float64(len(a)+len(b))
}
