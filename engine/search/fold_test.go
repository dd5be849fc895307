package search

import (
	"fmt"
	"slices"
	"testing"

	"dowse/engine"
)

// copied is the text of notes that are copies.
const copied = `The resolver kept a wrong address in its cache after the upgrade, so every lookup of the
printer failed until the service was restarted by hand. Flushing the cache did not help,
because the address came back with the next answer of the router. In the end it was the
lease of 2019 that the router still gave out, and deleting it fixed printing for everybody.`

// TestFoldGivesDifferentPassages: with Fold come as many different passages as are
// wanted, and those that repeat them; without, as many as are wanted, and marked.
func TestFoldGivesDifferentPassages(t *testing.T) {
	w := newWorld(t)
	for i := range 4 {
		w.index(file{fmt.Sprintf("%s/copy%d.md", root, i), copied, on(1, 1)})
	}
	w.index(file{root + "/other.md", "A printer in the cellar, and a router above it.", on(1, 1)},
		file{root + "/third.md", "The printer is out of paper.", on(1, 1)})
	marks := func(r *engine.Result) (similar []int) {
		for i, p := range r.Passages {
			if p.Rank != i+1 {
				t.Errorf("rank %d at place %d", p.Rank, i+1)
			}
			similar = append(similar, p.SimilarTo)
		}
		return similar
	}
	req := engine.Request{Query: "resolver cache printer router lease", K: 3, Mode: engine.Lexical}
	if got := marks(w.search(req)); !slices.Equal(got, []int{0, 1, 1}) {
		t.Errorf("of three: %v", got)
	}
	req.Fold = true
	if got := marks(w.search(req)); !slices.Equal(got, []int{0, 1, 1, 1, 0, 0}) {
		t.Errorf("of three different ones: %v", got)
	}
	req.K = 1
	if got := marks(w.search(req)); !slices.Equal(got, []int{0, 1, 1, 1}) {
		t.Errorf("of one: %v", got)
	}
	req.Fold = false
	if got := marks(w.search(req)); !slices.Equal(got, []int{0}) {
		t.Errorf("of one, not folded: %v", got)
	}
	related := w.related(engine.RelatedRequest{Path: root + "/copy0.md", K: 2, Fold: true})
	if got := marks(&engine.Result{Passages: related.Passages}); !slices.Equal(got, []int{0, 1, 1, 0}) {
		t.Errorf("related: %v", got)
	}
}

// TestAnswersReadDifferentPassages: none of the passages that an answer is made from
// repeats another one, and it cites them by their ranks.
func TestAnswersReadDifferentPassages(t *testing.T) {
	w := newWorld(t)
	for i := range 4 {
		w.index(file{fmt.Sprintf("%s/copy%d.md", root, i), copied, on(1, 1)})
	}
	w.index(file{root + "/other.md", "The router gives out the lease of the printer.", on(1, 1)})
	f := &teller{says: engine.Answer{Text: "Yes [5]. No [2].", Citations: []engine.AnswerCitation{{N: 5}, {N: 2}}}}
	w.opts.Answerer = f
	r := w.search(engine.Request{Query: "resolver cache printer router lease", Mode: engine.Lexical, Answer: true})
	var ranks []int
	for _, p := range f.job.Passages {
		ranks = append(ranks, p.Rank)
	}
	if !slices.Equal(ranks, []int{1, 5}) {
		t.Errorf("asked about the passages of rank %v", ranks)
	}
	if c := r.Answer.Citations; len(c) != 1 || c[0].N != 5 || c[0].Path != root+"/other.md" {
		t.Errorf("it cites %+v", c)
	}
}

// TestFilesAreRanked: with Files come as many files as are wanted, each with its best passage,
// though one has the first three passages.
func TestFilesAreRanked(t *testing.T) {
	w := newWorld(t)
	w.index(file{root + "/often.md", "heron nests\n\nheron nests here\n\nheron nests there", on(1, 1)},
		file{root + "/once.md", "The heron is a bird that nests on high trees near the water.", on(1, 2)},
		file{root + "/far.md", "The lake is cold, and a heron stood in it for an hour while we waited.", on(1, 3)})
	req := engine.Request{Query: "heron nests", K: 2, Mode: engine.Lexical}
	if got := names(w.search(req)); got != "often.md often.md" {
		t.Errorf("passages: %s", got)
	}
	req.Files = true
	for _, req.Fold = range []bool{false, true} {
		if got := names(w.search(req)); got != "often.md once.md" {
			t.Errorf("files: %s", got)
		}
	}
	req.K = 10
	if got := names(w.search(req)); got != "often.md once.md far.md" {
		t.Errorf("all files: %s", got)
	}
}
