package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/fusion"
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// besideWorld is a world whose engine is searched with that of w; it shows folders.
func besideWorld(t *testing.T, w *world, shown ...string) *world {
	t.Helper()
	other := newWorld(t)
	opts := other.opts
	opts.Texts = other.disk
	other.Engine = w.Beside(opts)
	other.shows(shown...)
	w.Join(other.Engine)
	return other
}

// shows notes which folders a world shows.
func (w *world) shows(folders ...string) {
	w.t.Helper()
	if err := w.db.Update(func(tx *store.Tx) error { return layout.PutShown(tx, folders) }); err != nil {
		w.t.Fatal(err)
	}
}

// told is what a result says of each passage, but for ids.
func told(r *engine.Result) []string {
	var out []string
	for _, p := range r.Passages {
		out = append(out, fmt.Sprintf("%x %s:%d-%d %x %x %v", p.Score, p.Path, p.LineStart, p.LineEnd, p.LexicalScore, p.VectorScore, p.Relevant))
	}
	slices.Sort(out) // equal ones come in any order
	return out
}

// TestTwoIndexesRankAsOne: files that lie in two indexes of one embedder rank as they do in
// one, to the bit, with all scores, filters, phrases and misspelt words.
func TestTwoIndexesRankAsOne(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 8))
		whole, one := newWorld(t), newWorld(t)
		two := besideWorld(t, one, root+"/mail", root+"/code")
		for i := range 30 {
			f := file{
				path: fmt.Sprintf("%s/%s/f%03d.%s", root, []string{"notes", "code/dns", "mail"}[rng.IntN(3)], i, []string{"md", "go"}[rng.IntN(2)]),
				text: randomText(rng, 1+rng.IntN(3)), modified: on(1, 1).AddDate(0, 0, i),
			}
			whole.index(f)
			if strings.Contains(f.path, "/notes/") {
				one.index(f)
			} else {
				two.index(f)
			}
		}
		for _, w := range []*world{whole, one, two} {
			w.opts.RelevantFrom = 0.4
		}
		for _, query := range []string{"router dns", "lentils stew ext:go", "the heron", `"the of"`, "run -lentils", "ext:md", "kingfischer river", "東京", "path:mail heron", "zzzz"} {
			for _, mode := range []engine.Mode{engine.Hybrid, engine.Lexical, engine.Vector, ""} {
				for _, scan := range []bool{true, false} {
					whole.opts.Scan, one.opts.Scan, two.opts.Scan = scan, scan, scan
					req := engine.Request{Query: query, K: 200, Mode: mode}
					want, got := whole.search(req), one.search(req)
					if !slices.Equal(told(got), told(want)) {
						t.Fatalf("seed %d, %q, %s, scan %v:\n got %s\nwant %s", seed, query, mode, scan, strings.Join(told(got), "\n     "), strings.Join(told(want), "\n     "))
					}
					if got.Stats.Files != want.Stats.Files || got.Stats.Chunks != want.Stats.Chunks || got.Stats.LexicalWeight != want.Stats.LexicalWeight || fmt.Sprint(got.Respelled) != fmt.Sprint(want.Respelled) {
						t.Errorf("%q: %+v, want %+v", query, got.Stats, want.Stats)
					}
					ids := map[uint32]bool{}
					for _, p := range got.Passages {
						ids[p.ChunkID] = true
					}
					if len(ids) != len(got.Passages) {
						t.Errorf("%q: %d ids of %d passages", query, len(ids), len(got.Passages))
					}
				}
			}
		}
	}
}

// TestFolderIsShownOnce: a folder that two indexes hold while it moves is found once, in the
// one that shows it, and never nowhere.
func TestFolderIsShownOnce(t *testing.T) {
	w := newWorld(t)
	both := []file{{path: root + "/letters/a.md", text: "a heron stood in the letters", modified: on(1, 1)}}
	w.index(append(both, file{path: root + "/notes/b.md", text: "a heron stood in the notes", modified: on(1, 1)})...)
	other := besideWorld(t, w)
	other.index(both...)
	for _, shown := range [][]string{nil, {root + "/letters"}, nil, {root + "/letters"}} {
		other.shows(shown...)
		r := w.search(engine.Request{Query: "heron stood", K: 10})
		part := uint32(0)
		for _, p := range r.Passages {
			if strings.HasSuffix(p.Path, "a.md") {
				part = p.ChunkID >> snapshot.IDBits
			}
		}
		if got := names(r); (got != "a.md b.md" && got != "b.md a.md") || int(part) != len(shown) {
			t.Errorf("shown %v: %s, a.md of part %d", shown, got, part)
		}
		if r := w.search(engine.Request{Query: "ext:md", K: 10}); len(r.Passages) != 2 || r.Stats.Files != 2 {
			t.Errorf("shown %v: %s of %d files", shown, names(r), r.Stats.Files)
		}
		related := w.related(engine.RelatedRequest{Path: root + "/notes/b.md"})
		if want := 1 - len(shown); len(related.Passages) != want {
			t.Errorf("shown %v: like b.md are %d passages", shown, len(related.Passages))
		}
	}
}

// TestRelatedOfItsOwnIndex: what is like a passage comes from the index of its file, with
// ids that a later search understands.
func TestRelatedOfItsOwnIndex(t *testing.T) {
	w := newWorld(t)
	w.index(file{path: root + "/notes/n.md", text: "heron lake", modified: on(1, 1)})
	other := besideWorld(t, w, root+"/letters")
	other.index(file{path: root + "/letters/a.md", text: "kettle boils\n\nheron lake reeds", modified: on(1, 1)},
		file{path: root + "/letters/b.md", text: "the heron of the lake", modified: on(1, 1)})
	r := w.search(engine.Request{Query: "reeds", K: 10, Mode: engine.Lexical})
	if names(r) != "a.md" || r.Passages[0].LineStart != 3 {
		t.Fatalf("%+v", r.Passages)
	}
	related := w.related(engine.RelatedRequest{Path: r.Passages[0].Path, ChunkID: r.Passages[0].ChunkID, K: 9})
	if related.Like.LineStart != 3 || len(related.Passages) == 0 || related.Passages[0].Path != root+"/letters/b.md" || related.Passages[0].ChunkID>>snapshot.IDBits != 1 {
		t.Errorf("%+v", related)
	}
	if p, err := w.Preview(t.Context(), related.Passages[0], 1, 1); err != nil || len(p.Lines) != 1 {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := w.Related(t.Context(), engine.RelatedRequest{Path: root + "/letters/none.md"}, nil); !errors.Is(err, engine.ErrNotIndexed) {
		t.Error(err)
	}
}

// otherEmbedder has vectors of another length, on another scale.
type otherEmbedder struct{ embedder }

func (e *otherEmbedder) EmbedQuery(ctx context.Context, text string) ([]float32, int, error) {
	v, n, err := e.embedder.EmbedQuery(ctx, text)
	return append(v, 0, 0, 0), n, err
}

// TestModelsOfTwoEmbedders: each index is compared by its own embedder; its cosines come on
// the common scale. One whose embedder is gone goes by words, and that is said.
func TestModelsOfTwoEmbedders(t *testing.T) {
	w, other := newWorld(t), newWorld(t)
	w.index(file{path: root + "/notes/n.md", text: "heron lake", modified: on(1, 1)})
	other.index(file{path: root + "/letters/a.md", text: "heron lake", modified: on(1, 1)})
	long := make([]float32, dim+3)
	copy(long, wordVector("heron lake"))
	err := other.db.Update(func(tx *store.Tx) error {
		f, err := tx.FileByPath(root + "/letters/a.md")
		if err != nil {
			return err
		}
		return errors.Join(layout.PutShown(tx, []string{root + "/letters"}), tx.PutVectors(f, 0, dim+3, long))
	})
	if err != nil {
		t.Fatal(err)
	}
	opts := other.opts
	opts.Embedder, opts.Vectors, opts.Cosines = &otherEmbedder{}, leann.Index{Dim: dim + 3, Dot: dotter{}}, fusion.Scale{}
	other.Engine = w.Beside(opts)
	w.Join(other.Engine)
	r := w.search(engine.Request{Query: "heron lake", K: 10, Mode: engine.Vector})
	if len(r.Passages) != 2 || r.Passages[0].VectorScore != r.Passages[1].VectorScore {
		t.Errorf("%+v", r.Passages)
	}
	other.opts.ByWords = "the index of letters is built with gone"
	var problems []string
	emit := func(e engine.Event) {
		if e.Problem != "" {
			problems = append(problems, e.Problem)
		}
	}
	if r, err = w.Search(t.Context(), engine.Request{Query: "heron lake", K: 10}, emit); err != nil || len(r.Passages) != 2 || len(problems) != 1 || !strings.Contains(problems[0], "gone") || r.Stats.ByWords == "" {
		t.Errorf("%+v, %v, %q", r, err, problems)
	}
	if r, err = w.Search(t.Context(), engine.Request{Query: "heron lake", K: 10, Mode: engine.Vector}, emit); err != nil || names(r) != "n.md" || len(problems) != 2 {
		t.Errorf("%+v, %v, %q", r, err, problems)
	}
	w.Part(other.Engine)
	if r := w.search(engine.Request{Query: "heron lake", K: 10}); names(r) != "n.md" || r.Stats.ByWords != "" {
		t.Errorf("after it left: %+v", r)
	}
}
