package search

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/store"
)

// tabled is an embedder with static vectors, which are like its own up to a word in four.
type tabled struct {
	*embedder
	opened, made atomic.Int64
}

func (e *tabled) Static() (func(texts []string) []float32, error) {
	e.opened.Add(1)
	return func(texts []string) []float32 {
		e.made.Add(int64(len(texts)))
		var vectors []float32
		for _, text := range texts {
			vectors = append(vectors, wordVector(text+" blur")...)
		}
		return vectors
	}, nil
}

// roughWorld has files that all lack vectors, and says that some do.
func roughWorld(t *testing.T, texts ...string) (*world, *tabled) {
	t.Helper()
	w := newWorld(t)
	w.embedder.rounds = true
	e := &tabled{embedder: w.embedder}
	w.opts.Embedder, w.memo = e, leann.NewMemo(1<<20, dim, nil)
	w.roughs.room = 1000
	for i, text := range texts {
		w.index(file{path: fmt.Sprintf("%s/%02d.md", root, i), text: text, modified: on(1, 1+i)})
	}
	w.dropVectors(true)
	return w, e
}

// dropVectors takes away all stored vectors and notes whether chunks are to get some.
func (w *world) dropVectors(lacking bool) {
	w.t.Helper()
	err := w.db.Update(func(tx *store.Tx) error {
		var firsts []uint32
		err := tx.Vectors(func(first uint32, _ []byte) error {
			firsts = append(firsts, first)
			return nil
		})
		for _, first := range firsts {
			if err == nil {
				err = tx.DeleteVectors(first)
			}
		}
		if err != nil {
			return err
		}
		return layout.NoteLacking(tx, lacking)
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// embedAll gives all chunks their vectors.
func (w *world) embedAll() {
	w.t.Helper()
	err := w.db.Update(func(tx *store.Tx) error {
		err := tx.Files(func(f store.File) error {
			chunks, err := tx.Chunks(f)
			if err != nil || !layout.HasVectors(f.Kind) {
				return err
			}
			var vectors []float32
			for _, c := range chunks {
				vectors = append(vectors, wordVector(w.disk.files[f.Path][c.Start:c.End])...)
			}
			leann.Round(vectors, dim)
			return tx.PutVectors(f, 0, dim, vectors)
		})
		if err != nil {
			return err
		}
		return layout.NoteLacking(tx, false)
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestRoughVectorsRankAsTheirOwnWill: what lacks a vector is found by meaning alone, with the scores that it will have.
func TestRoughVectorsRankAsTheirOwnWill(t *testing.T) {
	w, e := roughWorld(t, "harbour boats quay", "harbour heron", "pier boats boats", "reeds heron nest\n\nheron reeds", "mole")
	w.kind = layout.Log
	w.index(file{path: root + "/a.log", text: "boats boats boats"}) // logs never get one
	w.kind = 0
	w.dropVectors(true)
	for _, mode := range []engine.Mode{engine.Vector, engine.Hybrid} {
		request := engine.Request{Query: "boats heron", Mode: mode, K: 20}
		got := w.search(request)
		w.embedAll()
		want := w.search(request)
		if !slices.EqualFunc(got.Passages, want.Passages, equalPassages) {
			t.Errorf("%s: got %v\nwant %v", mode, got.Passages, want.Passages)
		}
		if got.Stats.Coming != roughText || want.Stats.Coming != "" {
			t.Errorf("%q, then %q", got.Stats.Coming, want.Stats.Coming)
		}
		if mode == engine.Vector && len(got.Passages) != 6 {
			t.Errorf("%d passages", len(got.Passages))
		}
		if len(w.roughs.chunks) != 0 || w.roughs.embed != nil {
			t.Errorf("%d rough vectors are left where none lacks its own", len(w.roughs.chunks))
		}
		w.dropVectors(true)
	}
	if made, opened := e.made.Load(), e.opened.Load(); made != 12 || opened != 2 {
		t.Errorf("%d rough vectors of 6 passages were made, the table was opened %d times", made, opened)
	}
}

// TestRoughVectorsAreMadeOnce: a search makes those that it needs, newest files first, no more at a time than there is to be,
// and another commit neither loses them nor keeps what is gone.
func TestRoughVectorsAreMadeOnce(t *testing.T) {
	w, e := roughWorld(t, "one boats", "two boats", "three boats", "four boats")
	typed := engine.Request{Query: "boats", Mode: engine.Vector, Estimate: true, K: 20}
	if got := w.search(typed); names(got) == "" || e.documents.Load() != 0 || e.made.Load() != 4 {
		t.Errorf("while typing: %q, %d embedded, %d made", names(got), e.documents.Load(), e.made.Load())
	}
	w.search(typed)
	w.unindex(root + "/01.md")
	w.index(file{path: root + "/05.md", text: "five boats"}) // which has a vector
	if got := names(w.search(typed)); len(w.roughs.chunks) != 3 || e.made.Load() != 4 || len(w.roughs.packed) != 3*dim {
		t.Errorf("%q: %d rough vectors of 3 passages, %d were made", got, len(w.roughs.chunks), e.made.Load())
	}
	w.roughs.close()
	w.roughs.room = 2
	w.search(typed)
	var newest []string
	for _, id := range w.roughs.files {
		err := w.db.View(func(tx *store.Tx) error {
			f, err := tx.File(id)
			newest = append(newest, f.Path[len(root)+1:])
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if slices.Sort(newest); !slices.Equal(newest, []string{"02.md", "03.md"}) {
		t.Errorf("where there is room for two, these have rough vectors: %v", newest)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n := w.ledger.Total(); n != 0 {
		t.Errorf("%d bytes are held by a closed engine: %+v", n, w.ledger.Snapshot())
	}
}

// TestRoughVectorsOfOtherTexts: a file that is not as it was indexed gets none, and filters hold.
func TestRoughVectorsOfOtherTexts(t *testing.T) {
	w, e := roughWorld(t, "one boats", "two boats", "three boats")
	w.disk.write(root+"/01.md", "a letter")
	if got := names(w.search(engine.Request{Query: "boats -path:02.md", Mode: engine.Vector})); got != "00.md" {
		t.Errorf("found %q", got)
	}
	if e.made.Load() != 2 {
		t.Errorf("%d rough vectors", e.made.Load())
	}
}

// TestNearIsThatOfASlowScan: rough vectors are compared as plain products would.
func TestNearIsThatOfASlowScan(t *testing.T) {
	w, _ := roughWorld(t, "harbour boats", "heron reeds nest", "boats boats heron", "quay", "nest of boats and reeds")
	w.search(engine.Request{Query: "boats", Mode: engine.Hybrid})
	snap, err := w.source.Copy(nil)
	if err != nil {
		t.Fatal(err)
	}
	query := wordVector("boats nest")
	allowed := lexical.NewSet(100)
	allowed.AddRange(0, 4)
	var want []leann.Hit
	for i, chunk := range w.roughs.chunks {
		cosine := 0.0
		for j, q := range w.roughs.packed[i*dim : (i+1)*dim] {
			cosine += float64(query[j]) * float64(q) * float64(w.roughs.scales[i])
		}
		if allowed.Has(chunk) {
			want = append(want, leann.Hit{Chunk: chunk, Score: roughErrors.Intercept + roughErrors.Slope*cosine})
		}
	}
	slices.SortFunc(want, leann.Better)
	last := want[3].Chunk
	got := w.roughs.near(snap.Snap, query, 2, allowed, map[uint32]bool{last: true})
	want = append(want[:2:2], want[3])
	same := func(a, b leann.Hit) bool {
		return a.Chunk == b.Chunk && a.Score-b.Score < 1e-6 && b.Score-a.Score < 1e-6
	}
	if !slices.EqualFunc(got, want, same) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestRoughVectorsFollowCommits: an index that changes between the listing of passages and the search by meaning, as it does
// while it is embedded, is searched with the rough vectors that were made meanwhile, each of which is there once.
func TestRoughVectorsFollowCommits(t *testing.T) {
	w, e := roughWorld(t, "one boats", "two boats", "three boats")
	added := false
	e.instead = func(_ context.Context, text string) ([]float32, int, error) {
		if !added { // the query is embedded after the listing
			added = true
			w.index(file{path: root + "/09.md", text: "a mole"})
		}
		return wordVector(text), 1, nil
	}
	request := engine.Request{Query: "boats", Mode: engine.Vector, K: 20}
	if got := w.search(request); len(got.Passages) != 4 {
		t.Errorf("found %q", names(got))
	}
	var searches sync.WaitGroup
	for i := range 4 {
		searches.Go(func() {
			for j := range 3 {
				more := file{path: fmt.Sprintf("%s/more%d-%d.md", root, i, j), text: "more boats"}
				w.disk.write(more.path, more.text)
				if err := w.replace(nil, []file{more}); err != nil {
					t.Error(err)
				}
				if got, err := w.Search(t.Context(), request, nil); err != nil || len(got.Passages) < 4 {
					t.Error(got, err)
				}
			}
		})
	}
	searches.Wait()
	w.search(request)
	once := slices.Clone(w.roughs.chunks)
	slices.Sort(once)
	if len(once) != 3 || len(slices.Compact(once)) != 3 {
		t.Errorf("rough vectors of the chunks %v", w.roughs.chunks)
	}
}
