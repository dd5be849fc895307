package answer

import (
	"math"
	"testing"
)

const boiler = "The boiler was mended on Tuesday."

// marksOf are those of passages that are one token each.
func marksOf(evidence ...float32) *Marks {
	m := &Marks{}
	for _, l := range evidence {
		p := PassageMarks{Tokens: []Range{{Start: 0, End: len(boiler)}}, Start: []float32{0}, End: []float32{0}, Evidence: []float32{l}}
		m.Passages = append(m.Passages, p)
	}
	return m
}

// scored are passages with scores, of the files a, b and so on.
func scored(scores ...float64) (list []Passage) {
	for i, s := range scores {
		list = append(list, Passage{Number: i + 1, Path: string(rune('a' + i)), Text: boiler, Score: s})
	}
	return list
}

// TestRankIsAPrior: of two passages that the reader marks alike the search's first is
// quoted, a lower one with clearly more evidence all the same, and passages without
// scores have no rank. That there is any evidence does not depend on ranks.
func TestRankIsAPrior(t *testing.T) {
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
		m := weigh(Asked{}, c.passages, c.marks)
		if got := m.passages[m.best[0].passage].Number; got != c.want {
			t.Errorf("%s: passage %d is the best, %d is wanted", c.name, got, c.want)
		}
		if unranked := weigh(Asked{}, scored(0, 0, 0), c.marks); math.Abs(m.margin-unranked.margin) > 1e-12 {
			t.Errorf("%s: evidence by %g, without ranks by %g", c.name, m.margin, unranked.margin)
		}
	}
}

// TestFilesThatAnsweredArePreferred: what follows a question is mostly about the file that
// answered it, and another one with clearly more evidence is quoted all the same. How much
// evidence there is depends on the files that are preferred, and on no others.
func TestFilesThatAnsweredArePreferred(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string
		marks *Marks
		want  int
	}{
		{"another file", []string{"x"}, marksOf(1, 1.5, 1), 2},
		{"its file", []string{"x", "c"}, marksOf(1, 1.5, 1), 3},
		{"far more evidence elsewhere", []string{"c"}, marksOf(1, 1.5+filePrior, 1), 2},
	} {
		m := weigh(Asked{Files: c.files}, scored(0, 0, 0), c.marks)
		if got := m.passages[m.best[0].passage].Number; got != c.want {
			t.Errorf("%s: passage %d is the best, %d is wanted", c.name, got, c.want)
		}
	}
	alone := weigh(Asked{}, scored(0, 0), marksOf(1, 2)).margin
	if all := weigh(Asked{Files: []string{"a", "b"}}, scored(0, 0), marksOf(1, 2)).margin; math.Abs(all-alone) > 1e-12 {
		t.Errorf("evidence by %g where all files are preferred, by %g where none is", all, alone)
	}
	if weak := weigh(Asked{Files: []string{"a"}}, scored(0, 0), marksOf(1, 2)).margin; weak >= alone {
		t.Errorf("evidence by %g where the weaker passage is preferred, by %g where none is", weak, alone)
	}
}
