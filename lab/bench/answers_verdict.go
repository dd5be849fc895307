package bench

import (
	"regexp"
	"slices"
	"strings"

	"dowse/engine/answer"
	"dowse/lab/collection"
)

// verdict judges an answer.
type verdict string

// The verdicts. The first five are of answerable questions, the last three of
// others, and Unjudged is of answerable ones whose patterns cannot be read.
const (
	right           verdict = "right"
	wrong           verdict = "wrong"
	perhapsRight    verdict = "perhaps-right"
	perhapsWrong    verdict = "perhaps-wrong"
	declinedWrong   verdict = "declined-wrong"
	declinedRight   verdict = "declined-right"
	invented        verdict = "invented"
	perhapsInvented verdict = "perhaps-invented"
	unjudged        verdict = "unjudged"
)

// judge judges the answers to a question.
type judge struct {
	*collection.NoteQuestion
	must    []*regexp.Regexp
	pattern string // of Must, the first that cannot be read
	problem error  // why
}

func newJudge(q *collection.NoteQuestion) *judge {
	j := &judge{NoteQuestion: q}
	for _, python := range q.Must {
		re, err := compilePattern(python)
		if err != nil {
			j.pattern, j.problem = python, err
			return j
		}
		j.must = append(j.must, re)
	}
	return j
}

// holds reports whether a text has a right answer in it: all patterns match it, or,
// without any, it has the answer in short, and one of the quotes where there is no
// such, word for word.
func (j *judge) holds(text string) bool {
	if len(j.must) > 0 {
		return !slices.ContainsFunc(j.must, func(re *regexp.Regexp) bool { return !re.MatchString(text) })
	}
	if j.Short != "" {
		return holdsFlat(text, []string{j.Short})
	}
	return holdsFlat(text, j.Quotes)
}

// holdsFlat reports whether a text has one of the stretches, flattened.
func holdsFlat(text string, stretches []string) bool {
	flat := flatten(text)
	return slices.ContainsFunc(stretches, func(s string) bool {
		s = flatten(s)
		return s != "" && strings.Contains(flat, s)
	})
}

// verdict judges an answer.
func (j *judge) verdict(r *Reply) verdict {
	perhaps := r.Confidence == answer.Perhaps
	choose := func(sure, uncertain verdict) verdict {
		if perhaps {
			return uncertain
		}
		return sure
	}
	switch declined := r.Confidence == answer.None; {
	case declined && j.Answerable:
		return declinedWrong
	case declined:
		return declinedRight
	case !j.Answerable:
		return choose(invented, perhapsInvented)
	case j.problem != nil:
		return unjudged
	case j.holds(r.Text):
		return choose(right, perhapsRight)
	}
	return choose(wrong, perhapsWrong)
}

// found reports whether the note that answers is among the passages, and whether
// an answer is.
func (j *judge) found(passages []answer.Passage) (note, evidence bool) {
	var all strings.Builder
	for _, p := range passages {
		note = note || p.Path == j.Path
		all.WriteString(p.Heading + " " + p.Text + " ")
	}
	return note, j.problem == nil && j.holds(all.String())
}

// quoteShown reports whether a quote that answers is shown: in the text, in its sources, or
// at one of the places that it cites.
func (j *judge) quoteShown(r *Reply) bool {
	return holdsFlat(strings.Join(append([]string{r.Text, r.Quoted}, r.Cited...), " "), j.Quotes)
}
