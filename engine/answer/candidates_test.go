package answer

import (
	"math"
	"testing"
)

// TestRankIsAPrior: of two passages that the reader marks alike the search's first is
// quoted, a lower one with clearly more evidence all the same, and passages without
// scores have no rank. That there is any evidence does not depend on ranks.
func TestRankIsAPrior(t *testing.T) {
	const text = "The boiler was mended on Tuesday."
	marksOf := func(evidence ...float32) *Marks {
		m := &Marks{}
		for _, l := range evidence {
			p := PassageMarks{Tokens: []Range{{Start: 0, End: len(text)}}, Start: []float32{0}, End: []float32{0}, Evidence: []float32{l}}
			m.Passages = append(m.Passages, p)
		}
		return m
	}
	scored := func(scores ...float64) (list []Passage) {
		for i, s := range scores {
			list = append(list, Passage{Number: i + 1, Path: string(rune('a' + i)), Text: text, Score: s})
		}
		return list
	}
	for _, c := range []struct {
		name     string
		passages []Passage
		marks    *Marks
		want     int // the number of the passage
	}{
		{"alike", scored(1, 3, 2), marksOf(1, 1, 1), 2},
		{"a little more evidence", scored(1, 3, 2), marksOf(1, 1, 2), 2},
		{"far more evidence", scored(1, 3, 2), marksOf(1, 1, 3), 3},
		{"the last", scored(1, 3, 2), marksOf(4, 1, 1), 1},
		{"without scores", scored(0, 0, 0), marksOf(1, 1.5, 1), 2},
		{"equal scores", scored(2, 2, 1), marksOf(1, 1.5, 2), 2},
	} {
		m := weigh(c.passages, c.marks)
		if got := m.passages[m.best[0].passage].Number; got != c.want {
			t.Errorf("%s: passage %d is the best, %d is wanted", c.name, got, c.want)
		}
		if unranked := weigh(scored(0, 0, 0), c.marks); math.Abs(m.margin-unranked.margin) > 1e-12 {
			t.Errorf("%s: evidence by %g, without ranks by %g", c.name, m.margin, unranked.margin)
		}
	}
}
