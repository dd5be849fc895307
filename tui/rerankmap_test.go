package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine"
)

// drawn draws a map without styles.
func drawn(script *fakeReranker, layers int, w, h int) []string {
	m := rerankMap{}
	m.add(1, script.script[:layers])
	if layers == len(script.script) {
		stages := []engine.StageStats{{Name: "vector", Millis: 3}, {Name: "rerank", Millis: 96.4}}
		m.finish(&engine.Stats{Rerank: &script.stats, Stages: stages}, script.script)
	}
	return m.Render(w, h)
}

// TestRerankMap draws a script in full: who was computed, who left, and where.
func TestRerankMap(t *testing.T) {
	want := []string{
		"─ last rerank: 30 candidates " + strings.Repeat("─", 31),
		" 1 ██████████████████████████████",
		" 2 ████████████████████xxxxxxxxxx",
		" 3 +██+x██████xxxx█████··········",
		" 4 ·██··██████····█████··········",
		" 5 ·+█··██████····xxx██··········",
		" 6 ··█··██████·······██··········",
		" █ computed + selected x dropped · saved",
		" layers computed 115 of 180 (36% saved), 96 ms",
		" small-reranker · 12 MB read",
	}
	if got := drawn(pruning(), 6, 60, 13); !slices.Equal(got, want) {
		t.Errorf("the map is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestRerankMapUnderWay leaves blank what is not known yet.
func TestRerankMapUnderWay(t *testing.T) {
	got := drawn(pruning(), 3, 60, 13)
	want := []string{" 4 ·  ··      ····     ··········", " 6 ·  ··      ····     ··········", " layer 3 of 6"}
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("%q is not in\n%s", line, strings.Join(got, "\n"))
		}
	}
	if len(got) != 9 {
		t.Errorf("%d lines, want 9", len(got))
	}
}

// TestRerankMapInFewLines lets layers share lines, then gives up the second
// line of figures, then the map.
func TestRerankMapInFewLines(t *testing.T) {
	for _, c := range []struct{ h, layers, facts int }{{10, 6, 2}, {9, 3, 2}, {7, 3, 2}, {6, 3, 1}, {5, 2, 1}, {4, 0, 1}, {2, 0, 1}} {
		got := drawn(pruning(), 6, 60, c.h)
		rows := 0
		for _, line := range got {
			if strings.ContainsAny(line[:4], "123456") {
				rows++
			}
		}
		legend := min(rows, 1)
		if rows != c.layers || len(got) != 1+rows+legend+c.facts {
			t.Errorf("height %d: %d rows of %d lines:\n%s", c.h, rows, len(got), strings.Join(got, "\n"))
		}
	}
	if got := drawn(pruning(), 6, 60, 7); got[2] != " 3-4 +██+x██████xxxx█████··········" {
		t.Errorf("two layers are drawn as %q", got[2])
	}
}

// TestRerankMapNarrow keeps to its width; what does not fit is left out at the
// right.
func TestRerankMapNarrow(t *testing.T) {
	for w := mapCells; w < 70; w++ {
		for h := range 14 {
			for layers := 1; layers <= 6; layers++ {
				for _, line := range drawn(pruning(), layers, w, h) {
					if width(line) > w {
						t.Fatalf("%d cells of %d: %q", width(line), w, line)
					}
				}
			}
		}
	}
	if got := drawn(pruning(), 6, 35, 7)[3:]; got[0] != " 5-6 ·+█··██████····xxx██··········" ||
		got[1] != " █ run + selected x dropped · saved" || got[2] != " 115 of 180 layers (36% saved)" {
		t.Errorf("at 35 cells: %q", got)
	}
	if got := drawn(pruning(), 6, 20, 10)[1]; got != " 1 █████████████████" {
		t.Errorf("at 20 cells: %q", got)
	}
}

// TestRerankMapOfCut tells a reranking whose time was over from one that was
// done early, and takes odd reports as they come.
func TestRerankMapOfCut(t *testing.T) {
	r := pruning()
	r.script, r.stats.Cut = r.script[:4], true
	got := drawn(r, 4, 60, 13)
	for _, want := range []string{" 6 ·  ··      ····     ··········", " stopped after layer 4 · small-reranker · 12 MB read"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, strings.Join(got, "\n"))
		}
	}
	r.stats.Cut = false
	if got := drawn(r, 4, 60, 13); got[6] != " 6 "+strings.Repeat("·", 30) {
		t.Errorf("done early: %q", got[6])
	}
	odd := &fakeReranker{script: []engine.RerankLayer{{Active: []int{-1, 5}, Dropped: []int{7}}, {Layer: 9, Candidates: 3}}}
	drawn(odd, 1, 40, 10)
	drawn(odd, 2, 40, 10)
}

// TestMapStaysUntilTheNext keeps the map while other searches come and go.
func TestMapStaysUntilTheNext(t *testing.T) {
	withScreen(t, 120, 40, Options{}, func(t *testing.T, s *screen) {
		s.press("ctrl+o")
		s.hides("last rerank")
		s.fake.reranker = pruning()
		s.typed("cache")
		s.hides("last rerank")
		s.pass(2 * refineAfter)
		s.shows("last rerank: 30 candidates", "layer 1 of 6")
		s.pass(time.Second)
		s.shows("layers computed 115 of 180 (36% saved)", "small-reranker", "rerank    ███")
		s.press("ctrl+t")
		s.typed("s")
		s.shows("layers computed 115 of 180 (36% saved)", " 3 +██+x██████xxxx█████··········")
		s.press("ctrl+t", "ctrl+t")
		s.pass(2 * refineAfter)
		s.shows("layer 1 of 6")
		s.hides("xxxx")
	})
}
