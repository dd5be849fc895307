package indexer_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/lexical"
	"dowse/engine/search"
	"dowse/indexer/chunk"
	"dowse/indexer/extract"
	"dowse/store"
)

// EmbedQuery makes a fakeEmbedder one for queries.
func (f *fakeEmbedder) EmbedQuery(_ context.Context, text string) ([]float32, int, error) {
	return fakeVector(text), f.Count(text), nil
}

// Text implements engine.Texts.
func (f *fakeEmbedder) Text(path string) (*engine.Text, error) {
	doc, err := extract.File(path, extract.Options{MaxBytes: 1 << 20})
	if err != nil {
		return nil, err
	}
	headings := chunk.ReadHeadings(doc, chunk.Options{Count: f.Count})
	return &engine.Text{Body: doc.Text, Line: doc.Line, Embedded: headings.EmbedText, Heading: headings.Heading}, nil
}

// engine searches the index, recomputing so many vectors.
func (b *bench) engine(recompute int) *search.Engine {
	return search.New(search.Options{
		Store: b.db, Analyzer: lexical.NewAnalyzer(), Embedder: b.embed, Texts: b.embed, Vectors: vectorIndex, Recompute: recompute,
	})
}

// searchesLike searches for text of the files, without filters, in this index
// and in a fresh one. No vector is recomputed of a chunk that is gone (T-L8),
// and where all are recomputed the scores are the same.
func (b *bench) searchesLike(fresh *bench, f folder) {
	b.t.Helper()
	few, all, want := b.engine(48), b.engine(math.MaxInt32), fresh.engine(math.MaxInt32)
	every := 20
	if testing.Short() { // each search reads all files again, three times in each mode
		every = 100
	}
	for i, name := range slices.Sorted(maps.Keys(f)) {
		if i%every != 0 {
			continue
		}
		words := strings.Fields(f[name][0])
		for _, mode := range []engine.Mode{engine.Vector, engine.Hybrid, engine.Lexical, engine.RRF} {
			req := engine.Request{Query: strings.Join(words[3:6], " "), Mode: mode, K: 20}
			searched := func(e *search.Engine) *engine.Result {
				r, err := e.Search(b.t.Context(), req, nil)
				b.must(err)
				for _, s := range r.Stats.Stages {
					if s.Name == "recompute" && s.In != s.Out {
						b.t.Errorf("%s, %q: of %d vectors %d are of chunks that are there", mode, req.Query, s.In, s.Out)
					}
				}
				return r
			}
			if n := searched(few).Stats.Recomputed; n != 48 && mode != engine.Lexical {
				b.t.Errorf("%s, %q: %d vectors were recomputed, want 48", mode, req.Query, n)
			}
			if mode == engine.RRF {
				continue // ranks of equal scores differ between the indexes
			}
			got, want := ranking(searched(all)), ranking(searched(want))
			if !slices.Equal(got, want) || len(got) == 0 {
				b.t.Errorf("%s, %q:\n got %v\nwant %v", mode, req.Query, got, want)
			}
		}
	}
}

// ranking returns the scores of a result: of chunks with equal text either index may
// name another one.
func ranking(r *engine.Result) (list []string) {
	for _, p := range r.Passages {
		list = append(list, fmt.Sprintf("%.12f", p.Score))
	}
	return list
}

// TestSearchUnderWatch searches while the index is watched, after files were
// deleted and after twenty saves, which leave chunks behind that are not swept
// yet. They are saves of ten notes, since one that is saved again and again has
// to wait longer each time.
func TestSearchUnderWatch(t *testing.T) {
	b, rng := newBench(t), seeded(t, 205)
	f := b.fill(rng)
	b.watching()
	b.until("all have codes", func(c store.Counts) bool { return b.meant() && c.Vectors == 0 })
	for _, name := range slices.Sorted(maps.Keys(f))[:30] {
		b.must(os.Remove(b.path(name)))
		delete(f, name)
	}
	b.until("the files are gone", func(store.Counts) bool { return len(b.chunks()) == len(f) })
	saved := slices.Sorted(maps.Keys(f))[7:17]
	for i := range 20 {
		name := saved[i%len(saved)]
		f[name][1] = section(rng)
		text := f[name].text()
		b.write(name, text)
		b.until("the save is indexed", func(store.Counts) bool { return b.isIndexed(name, text) })
	}
	b.until("all have vectors", func(store.Counts) bool { return b.meant() })
	b.searchesLike(b.rebuilt(), f)
}

// isIndexed reports whether the chunks of a file are those of a text.
func (b *bench) isIndexed(name, text string) bool {
	doc, err := extract.Bytes(context.Background(), b.path(name), []byte(text), extract.Options{})
	b.must(err)
	var want []uint32
	for _, c := range chunk.Split(doc, chunk.Options{Count: b.embed.Count}) {
		want = append(want, layout.ChunkHash(chunk.EmbedText(doc, c)))
	}
	var got []uint32
	for _, c := range b.chunks()[b.path(name)] {
		got = append(got, c.Hash)
	}
	return slices.Equal(got, want)
}
