package search

import (
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/layout"
)

// liftWorld has candidates of files by turns: a name and a score. Those that end in .md are notes.
func liftWorld(t *testing.T) (l *retrieval, list func(pairs ...any) []candidate, told func([]candidate) string) {
	w := newWorld(t)
	text := func(name string) string {
		return strings.Join([]string{"one heron of " + name, "two herons of " + name, "three herons of " + name}, "\n\n")
	}
	w.index(file{root + "/a.md", text("a"), on(1, 1)}, file{root + "/b.md", text("b"), on(1, 2)})
	w.kind = layout.Code
	w.index(file{root + "/x.go", text("x"), on(1, 3)}, file{root + "/y.go", text("y"), on(1, 4)}, file{root + "/z.go", text("z"), on(1, 5)})
	commit, found, err := w.retrieve(t.Context(), &formulation{Query: engine.Literal("heron herons")}, engine.Request{K: 40, Mode: engine.Lexical}, &recorder{})
	if err != nil {
		t.Fatal(err)
	}
	l = &retrieval{Engine: w.Engine, indexes: []*indexSearch{{Engine: w.Engine, commit: commit}}}
	of := map[string][]uint32{}
	names := map[uint32]string{}
	for _, c := range found {
		name := strings.TrimPrefix(l.fileOf(c.chunk).Path, root+"/")
		of[name], names[c.chunk] = append(of[name], c.chunk), name
	}
	list = func(pairs ...any) (ranked []candidate) {
		next := map[string]int{}
		for i := 0; i < len(pairs); i += 2 {
			name := pairs[i].(string)
			ranked = append(ranked, candidate{chunk: of[name][next[name]], score: pairs[i+1].(float64)})
			next[name]++
		}
		return ranked
	}
	told = func(ranked []candidate) string {
		var out []string
		for _, c := range ranked {
			out = append(out, names[c.chunk])
		}
		return strings.Join(out, " ")
	}
	return l, list, told
}

// The file of code whose passages say most together comes first with its best one; notes keep their places, and places their scores.
func TestFilesOfCodeThatSayMoreComeFirst(t *testing.T) {
	l, list, told := liftWorld(t)
	for _, tt := range []struct {
		ranked []candidate
		most   float64
		want   string
	}{
		{nil, .3, ""},
		{list("x.go", 1.), .3, "x.go"},
		{list("x.go", .8, "y.go", .75, "y.go", .7, "z.go", .1), .3, "y.go x.go y.go z.go"},
		{list("x.go", .8, "y.go", .75, "y.go", .7, "z.go", .1), 0, "x.go y.go y.go z.go"},
		{list("a.md", .9, "x.go", .8, "b.md", .78, "y.go", .75, "y.go", .7, "a.md", .2, "z.go", .1), .3, "a.md y.go b.md x.go y.go a.md z.go"},
		{list("a.md", .9, "b.md", .85, "b.md", .8, "a.md", .1), .3, "a.md b.md b.md a.md"},
		{list("x.go", .5, "y.go", .5), .3, "x.go y.go"},
	} {
		before := slices.Clone(tt.ranked)
		got := l.liftFiles(tt.ranked, tt.most)
		if told(got) != tt.want {
			t.Errorf("%s by %g: %s, want %s", told(before), tt.most, told(got), tt.want)
		}
		if !slices.Equal(before, tt.ranked) {
			t.Errorf("%s: the ranking that came was changed", tt.want)
		}
		for i, c := range got {
			if c.score != before[i].score {
				t.Errorf("%s: place %d has the score %g, it had %g", tt.want, i, c.score, before[i].score)
			}
		}
	}
}
