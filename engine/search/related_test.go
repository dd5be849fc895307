package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
)

// related answers a request, which must succeed.
func (w *world) related(req engine.RelatedRequest) *engine.Related {
	w.t.Helper()
	r, err := w.Related(w.t.Context(), req, nil)
	if err != nil {
		w.t.Fatalf("%+v: %v", req, err)
	}
	return r
}

// like is a passage as the slow obvious way ranks it.
type like struct {
	path  string
	line  int
	score float64
}

// bruteLike compares every passage of the other files with texts.
func bruteLike(files []file, of string, once bool, texts ...string) []like {
	var all []like
	for _, f := range files {
		if f.path == of {
			continue
		}
		var own []like
		for _, c := range paragraphs(f.text) {
			best := float32(-1)
			for _, text := range texts {
				best = max(best, dotter{}.Dot(wordVector(text), wordVector(f.text[c.Start:c.End])))
			}
			own = append(own, like{f.path, 1 + strings.Count(f.text[:c.Start], "\n"), float64(best)})
		}
		slices.SortStableFunc(own, func(a, b like) int { return cmp.Compare(b.score, a.score) })
		if once {
			own = own[:1]
		}
		all = append(all, own...)
	}
	slices.SortStableFunc(all, func(a, b like) int { return cmp.Compare(b.score, a.score) })
	return all
}

// agree holds a result against the brute one by its scores, since equal ones may
// come in any order.
func agree(t *testing.T, got *engine.Related, want []like) {
	t.Helper()
	for i, p := range got.Passages {
		if p.Score != want[i].score || p.Rank != i+1 {
			t.Fatalf("place %d: %s:%d scores %v, want %v", i+1, p.Path, p.LineStart, p.Score, want[i])
		}
	}
}

// TestRelatedEqualsBrute asks for what is like a passage and like a file, while
// vectors are stored and when they are recomputed.
func TestRelatedEqualsBrute(t *testing.T) {
	w, files := grown(t, 71)
	check := func() {
		t.Helper()
		of := files[4]
		parts := paragraphs(of.text)
		third := of.text[parts[2].Start:parts[2].End]
		r := w.related(engine.RelatedRequest{Path: of.path, Line: 5, K: 25})
		if want := (engine.Place{Path: of.path, LineStart: 5, LineEnd: 5, Heading: "H"}); r.Like.Path != want.Path || r.Like.LineStart != 5 || r.Like.LineEnd != 5 || r.Like.Heading != "H" {
			t.Errorf("it is like %+v, want %+v", r.Like, want)
		}
		if len(r.Passages) != 25 || r.Stats.Estimated || r.Stats.Files != len(files)-1 || r.Stats.Chunks != manyChunks-10 {
			t.Errorf("%d passages, %+v", len(r.Passages), r.Stats)
		}
		agree(t, r, bruteLike(files, of.path, false, third))

		var texts []string
		for _, c := range parts {
			texts = append(texts, of.text[c.Start:c.End])
		}
		r = w.related(engine.RelatedRequest{Path: of.path, K: 25})
		if r.Like.LineStart != 1 || r.Like.LineEnd != strings.Count(of.text, "\n") || r.Like.Heading != "" {
			t.Errorf("it is like %+v", r.Like)
		}
		agree(t, r, bruteLike(files, of.path, true, texts...))
		seen := map[string]bool{}
		for _, p := range r.Passages {
			if seen[p.Path] {
				t.Errorf("%s comes twice", p.Path)
			}
			seen[p.Path] = true
		}
	}
	check()
	w.settle(2 * manyChunks)
	check()
}

// TestRelatedEstimate embeds nothing, and says that it could do better.
func TestRelatedEstimate(t *testing.T) {
	w, files := grown(t, 72)
	if r := w.related(engine.RelatedRequest{Path: files[0].path, Line: 1, Estimate: true}); r.Stats.Estimated {
		t.Error("what stored vectors say is called an estimate")
	}
	w.settle(64)
	before := w.embedder.documents.Load()
	r := w.related(engine.RelatedRequest{Path: files[0].path, Line: 1, Estimate: true, K: 5})
	if n := w.embedder.documents.Load() - before; n != 0 || !r.Stats.Estimated || len(r.Passages) != 5 {
		t.Errorf("%d texts embedded, %d passages, %+v", n, len(r.Passages), r.Stats)
	}
	for _, p := range r.Passages {
		if p.Path == files[0].path || !p.Relevant {
			t.Errorf("%s:%d is among them, relevant: %v", p.Path, p.LineStart, p.Relevant)
		}
	}
}

// TestRelatedChunk: where the passage is known by its id, that decides, as long as
// the file has it.
func TestRelatedChunk(t *testing.T) {
	w, files := grown(t, 73)
	passage := w.search(engine.Request{Query: "path:f003.md", K: 1}).Passages[0]
	byID := w.related(engine.RelatedRequest{Path: files[3].path, Line: 9, ChunkID: passage.ChunkID, K: 5})
	byLine := w.related(engine.RelatedRequest{Path: files[3].path, Line: passage.LineStart, ChunkID: 1 << 20, K: 5})
	if !slices.EqualFunc(byID.Passages, byLine.Passages, equalPassages) || byID.Like.LineStart != passage.LineStart {
		t.Errorf("by id %+v, by line %+v", byID.Like, byLine.Like)
	}
}

// TestRelatedFilters: folders, filters on files, and the file's own passages.
func TestRelatedFilters(t *testing.T) {
	w := newWorld(t)
	same := "tea and milk and honey\n\n"
	for _, path := range []string{"/a/one.md", "/a/two.txt", "/b/three.md"} {
		w.index(file{root + path, same + "something else entirely\n\n", on(1, 1)})
	}
	for _, tt := range []struct {
		req  engine.RelatedRequest
		want string
	}{
		{engine.RelatedRequest{K: 2}, "two.txt three.md"},
		{engine.RelatedRequest{K: 2, In: []string{root + "/b"}}, "three.md"},
		{engine.RelatedRequest{K: 2, Filter: "ext:txt"}, "two.txt"},
		{engine.RelatedRequest{K: 9, Filter: "path:one", SameFile: true}, "one.md"},
		{engine.RelatedRequest{K: 9, Filter: "path:nothing"}, ""},
	} {
		tt.req.Path, tt.req.Line = root+"/a/one.md", 1
		var got []string
		for _, p := range w.related(tt.req).Passages {
			if name := filepath.Base(p.Path); !slices.Contains(got, name) {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%+v: %v, want %s", tt.req, got, tt.want)
		}
	}
}

// TestRelatedRefuses says what is wrong with a request.
func TestRelatedRefuses(t *testing.T) {
	w := newWorld(t)
	w.index(file{root + "/a.md", "tea\n\nmilk\n", on(1, 1)}, file{root + "/empty.md", "", on(1, 1)})
	for _, tt := range []struct {
		req  engine.RelatedRequest
		is   error
		want string
	}{
		{engine.RelatedRequest{Path: root + "/b.md"}, engine.ErrNotIndexed, "/b.md is not in the index"},
		{engine.RelatedRequest{Path: root + "/a.md", Line: 4}, engine.ErrQuery, "line 4 of /home/ada/a.md: it has 3"},
		{engine.RelatedRequest{Path: root + "/a.md", Filter: "tea"}, engine.ErrQuery, "want filters alone, such as path:"},
		{engine.RelatedRequest{Path: root + "/a.md", Filter: "-tea"}, engine.ErrQuery, "alone"},
		{engine.RelatedRequest{Path: root + "/empty.md"}, nil, "no text"},
	} {
		_, err := w.Related(t.Context(), tt.req, nil)
		if err == nil || tt.is != nil && !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %s", tt.req, err, tt.want)
		}
	}
	w.disk.remove(root + "/a.md")
	if _, err := w.Related(t.Context(), engine.RelatedRequest{Path: root + "/a.md"}, nil); !errors.Is(err, engine.ErrFileGone) {
		t.Errorf("a file that is gone: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.index(file{root + "/c.md", "honey\n", on(1, 1)})
	if _, err := w.Related(ctx, engine.RelatedRequest{Path: root + "/c.md"}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestRelatedToChangedFile: a passage that changed since it was indexed is compared
// by its code, and those that changed are not found.
func TestRelatedToChangedFile(t *testing.T) {
	w, files := grown(t, 74)
	w.settle(2 * manyChunks)
	w.disk.write(files[0].path, "changed\n\n")
	r := w.related(engine.RelatedRequest{Path: files[0].path, Line: 1, K: 3})
	if len(r.Passages) != 3 {
		t.Errorf("%d passages", len(r.Passages))
	}
	r = w.related(engine.RelatedRequest{Path: files[1].path, Line: 1, K: 500})
	for _, p := range r.Passages {
		if p.Path == files[0].path {
			t.Fatalf("%+v is among the passages", p)
		}
	}
}

func TestChunkAtLine(t *testing.T) {
	body := "\none\n\ntwo\ntwo\n\nthree three three"
	text, chunks := plainText(body), paragraphs(body)
	chunks = append(chunks, chunks[len(chunks)-1]) // a long line has several
	for line, want := range map[int]int{1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 1, 7: 2, 8: 3} {
		if got := chunkAtLine(text, chunks, line); got != want {
			t.Errorf("line %d: chunk %d of %d, want %d", line, got, len(chunks), want)
		}
	}
}

func TestSpread(t *testing.T) {
	for _, tt := range []struct{ size, n int }{{1, 4}, {4, 4}, {5, 4}, {1000, 32}} {
		list := make([]uint32, tt.size)
		for i := range list {
			list[i] = uint32(i)
		}
		got := spread(list, tt.n)
		if len(got) != min(tt.size, tt.n) || got[0] != 0 || got[len(got)-1] != uint32(tt.size-1) || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Error(fmt.Sprint(tt, got))
		}
	}
}

// TestRelatedIsNotHeldUpByCommits: each of its steps is overtaken by a commit of another file,
// as while a log grows, and the passages are those of an index at rest.
func TestRelatedIsNotHeldUpByCommits(t *testing.T) {
	w, files := grown(t, 97)
	req := engine.RelatedRequest{Path: files[3].path, Line: 3}
	want := w.related(req)
	w.opts.Reranker = nil
	commits := 0
	got, err := w.Related(t.Context(), req, func(engine.Event) {
		if commits++; commits > 20 {
			t.Fatal("it begins again with every commit")
		}
		if err := w.replace(nil, []file{{fmt.Sprintf("%s/log%d.txt", root, commits), "lentils\n\n", on(3, 1)}}); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	places := func(r *engine.Related) (out []string) {
		for _, p := range r.Passages {
			out = append(out, fmt.Sprint(p.Path, p.LineStart, p.Score))
		}
		return out
	}
	if commits == 0 || !slices.Equal(places(got), places(want)) {
		t.Errorf("after %d commits meanwhile found %v, want %v", commits, places(got), places(want))
	}
}
