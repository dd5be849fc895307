package passage

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"dowse/engine"
)

func TestPreviewOf(t *testing.T) {
	const body = "one\ntwo\nthree\r\nfour\nfive\n"
	three := engine.Passage{Path: "/p", Text: "three\r\n", LineStart: 3, LineEnd: 3}
	tests := []struct {
		name          string
		body          string
		p             engine.Passage
		before, after int
		want          engine.Preview
	}{
		{"around", body, three, 1, 1, engine.Preview{FirstLine: 2, Lines: []string{"two", "three", "four"}, LineStart: 3, LineEnd: 3, LineTotal: 5}},
		{"all", body, three, math.MaxInt, math.MaxInt, engine.Preview{FirstLine: 1, Lines: []string{"one", "two", "three", "four", "five"}, LineStart: 3, LineEnd: 3, LineTotal: 5}},
		{"negative", body, three, -1, math.MinInt, engine.Preview{FirstLine: 3, Lines: []string{"three"}, LineStart: 3, LineEnd: 3, LineTotal: 5}},
		{"moved", "new\n" + body, three, 0, 0, engine.Preview{FirstLine: 4, Lines: []string{"three"}, LineStart: 4, LineEnd: 4, LineTotal: 6}},
		{"not found", body, engine.Passage{Text: "x", LineStart: 2, LineEnd: 4}, 0, 0, engine.Preview{FirstLine: 2, Lines: []string{"two", "three", "four"}, LineStart: 2, LineEnd: 4, LineTotal: 5}},
		{"beyond the end", body, engine.Passage{Text: "x", LineStart: 8, LineEnd: 9}, 1, 1, engine.Preview{FirstLine: 4, Lines: []string{"four", "five"}, LineStart: 5, LineEnd: 5, LineTotal: 5}},
		{"without numbers", body, engine.Passage{}, 0, 0, engine.Preview{FirstLine: 1, Lines: []string{"one"}, LineStart: 1, LineEnd: 1, LineTotal: 5}},
		{"mad numbers", body, engine.Passage{LineStart: math.MinInt, LineEnd: math.MaxInt}, 0, 0, engine.Preview{FirstLine: 1, Lines: []string{"one", "two", "three", "four", "five"}, LineStart: 1, LineEnd: 5, LineTotal: 5}},
		{"empty file", "", three, 3, 3, engine.Preview{FirstLine: 1, Lines: []string{}, LineStart: 1, LineEnd: 1}},
		{"one blank line", "\n", three, 3, 3, engine.Preview{FirstLine: 1, Lines: []string{""}, LineStart: 1, LineEnd: 1, LineTotal: 1}},
		{"no line end", "a", three, 3, 3, engine.Preview{FirstLine: 1, Lines: []string{"a"}, LineStart: 1, LineEnd: 1, LineTotal: 1}},
		{"several lines", body, engine.Passage{Text: "two\nthree\r\nfour\n\n", LineStart: 2, LineEnd: 4}, 0, 0, engine.Preview{FirstLine: 2, Lines: []string{"two", "three", "four"}, LineStart: 2, LineEnd: 4, LineTotal: 5}},
	}
	for _, tt := range tests {
		tt.want.Path = tt.p.Path
		if got := Preview(plainText(tt.body), tt.p, tt.before, tt.after); !reflect.DeepEqual(*got, tt.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.name, *got, tt.want)
		}
	}
}

// markup is a text whose lines come from other lines of the file, as with
// HTML: line i of the text from line from[i].
func markup(body string, from []int) *engine.Text {
	return &engine.Text{Body: body, Line: func(at int) int {
		return from[min(strings.Count(body[:at], "\n"), len(from)-1)]
	}}
}

func TestPreviewWhereLinesDiffer(t *testing.T) {
	text := markup("Title\nsame\nother\nsame\nlast\n", []int{3, 10, 10, 41, 60})
	for _, tt := range []struct {
		p           engine.Passage
		first, last int
	}{
		{engine.Passage{Text: "same\n", LineStart: 10, LineEnd: 10}, 2, 2},
		{engine.Passage{Text: "same\n", LineStart: 41, LineEnd: 41}, 4, 4},
		{engine.Passage{Text: "same\n", LineStart: 24, LineEnd: 24}, 2, 2}, // 14 lines away, not 17
		{engine.Passage{Text: "gone\n", LineStart: 10, LineEnd: 41}, 2, 4},
		{engine.Passage{Text: "gone\n", LineStart: 50, LineEnd: 55}, 5, 5},
		{engine.Passage{Text: "gone\n", LineStart: 1, LineEnd: 3}, 1, 1},
	} {
		got := Preview(text, tt.p, 0, 0)
		if got.LineStart != tt.first || got.LineEnd != tt.last {
			t.Errorf("%+v stands in lines %d-%d, want %d-%d", tt.p, got.LineStart, got.LineEnd, tt.first, tt.last)
		}
	}
}

func TestNearestIndexEqualsTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	for range 5000 {
		var b strings.Builder
		for range rng.IntN(30) {
			b.WriteByte("aab\n"[rng.IntN(4)])
		}
		body := b.String()
		from, line := []int{}, 1
		for range strings.Count(body, "\n") + 1 {
			from = append(from, line)
			line += rng.IntN(3)
		}
		text := markup(body, from)
		p := engine.Passage{Text: []string{"a", "ab", "a\n", "aa", "", "b\na"}[rng.IntN(6)], LineStart: rng.IntN(30) - 2}
		got, want := nearestIndex(text, p), naiveNearest(text, p)
		if (got < 0) != (want < 0) || got >= 0 && (!strings.HasPrefix(body[got:], p.Text) || distance(text, p, got) != distance(text, p, want)) {
			t.Fatalf("%q in %q near line %d of %v: %d, want %d", p.Text, body, p.LineStart, from, got, want)
		}
	}
}

func distance(text *engine.Text, p engine.Passage, at int) int {
	return max(text.Line(at)-p.LineStart, p.LineStart-text.Line(at))
}

// naiveNearest looks at every place.
func naiveNearest(text *engine.Text, p engine.Passage) int {
	best := -1
	for at := range text.Body {
		if p.Text != "" && strings.HasPrefix(text.Body[at:], p.Text) && (best < 0 || distance(text, p, at) < distance(text, p, best)) {
			best = at
		}
	}
	return best
}

func TestPreviewOfRepetitiveText(t *testing.T) {
	body := strings.Repeat("a", 4<<20)
	p := engine.Passage{Text: strings.Repeat("a", 2000), LineStart: 1, LineEnd: 1}
	calls := 0
	text := &engine.Text{Body: body, Line: func(int) int { calls++; return 1 }}
	start := time.Now()
	if got := nearestIndex(text, p); got != 0 {
		t.Errorf("found at %d", got)
	}
	if calls > 100 {
		t.Errorf("asked for %d lines in %v: one for each place", calls, time.Since(start))
	}
}
