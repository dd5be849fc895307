package indexer_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/indexer"
	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/internal/testwait"
	"dowse/store"
)

// fakeEmbedder hashes texts into vectors and counts what it embeds.
type fakeEmbedder struct {
	mu       sync.Mutex
	embedded []string
	err      error
	most     int // texts that it embeds before it fails; 0 is no bound
	onEmbed  func(total int)
}

var errTired = errors.New("the embedder is tired")

const fakeDim = 4

var vectorIndex = leann.Index{Dim: fakeDim, Dot: plainDot{}}

func (f *fakeEmbedder) Dim() int              { return fakeDim }
func (f *fakeEmbedder) Count(text string) int { return len(strings.Fields(text)) }
func (f *fakeEmbedder) Room() int             { return 254 }

func (f *fakeEmbedder) EmbedQueries(ctx context.Context, texts []string) ([]float32, error) {
	return f.EmbedDocuments(ctx, texts)
}

func (f *fakeEmbedder) EmbedDocuments(ctx context.Context, texts []string) ([]float32, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return nil, f.err
	}
	if f.most > 0 && len(f.embedded)+len(texts) > f.most {
		return nil, errTired
	}
	f.embedded = append(f.embedded, texts...)
	if f.onEmbed != nil {
		f.onEmbed(len(f.embedded))
	}
	var out []float32
	for _, text := range texts {
		out = append(out, fakeVector(text)...)
	}
	return out, ctx.Err()
}

func fakeVector(text string) []float32 {
	h := fnv.New64a()
	h.Write([]byte(text))
	sum, v, norm := h.Sum64(), make([]float32, fakeDim), 0.0
	for i := range v {
		v[i] = float32(sum>>(16*i)&0xFFFF) + 1
		norm += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(norm))
	}
	return v
}

// take returns what was embedded since the last take.
func (f *fakeEmbedder) take() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := f.embedded
	f.embedded = nil
	return out
}

// bench is an indexer over a temporary folder.
type bench struct {
	t      *testing.T
	root   string
	db     *store.DB
	embed  *fakeEmbedder
	index  *indexer.Indexer
	mu     sync.Mutex
	events []engine.Event

	onEvent func(engine.Event) // called with every event, unless nil
}

func newBench(t *testing.T) *bench {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(filepath.Join(t.TempDir(), "index.db"), store.Options{Fingerprint: "test"})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, root: root, db: db, embed: &fakeEmbedder{}}
	b.index = indexer.New(b.options())
	t.Cleanup(func() {
		b.check()
		if err := b.db.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// note keeps an event.
func (b *bench) note(e engine.Event) {
	if b.onEvent != nil {
		b.onEvent(e)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.events = append(b.events, e)
}

func (b *bench) options() indexer.Options {
	return indexer.Options{
		Store: b.db, Analyzer: lexical.NewAnalyzer(), Embedder: b.embed, Dot: plainDot{}, Budget: 0.05, Threads: 2, MaxFile: 1 << 20,
		Emit: b.note,
	}
}

// check verifies the store, postings and vectors with it.
func (b *bench) check() {
	b.t.Helper()
	_, err := b.db.Check(context.Background(), func(p store.Problem) { b.t.Errorf("check: %s", p) },
		func(ctx context.Context, tx *store.Tx, report func(store.Problem)) error {
			live := lexical.NewSet(tx.NextChunk())
			if err := tx.LiveChunks(func(first, n uint32) error { live.AddRange(first, n); return nil }); err != nil {
				return err
			}
			_, err := lexical.Check(ctx, tx.Postings(), live, tx.NextChunk(), func(what string) {
				report(store.Problem{Where: "postings", What: what})
			})
			if err != nil {
				return err
			}
			live = lexical.NewSet(tx.NextChunk())
			if err := tx.LiveChunksOf(layout.HasVectors, func(first, n uint32) error { live.AddRange(first, n); return nil }); err != nil {
				return err
			}
			lacking := 0
			_, err = vectorIndex.Check(ctx, layout.VectorIndex{Tx: tx}, live, tx.NextChunk(), func(what string) {
				report(store.Problem{Where: "vectors", What: what})
			}, func(uint32) { lacking++ })
			if noted, metaErr := layout.Lacks(tx); err != nil || metaErr != nil || lacking > 0 && !noted {
				report(store.Problem{Where: "vectors", What: fmt.Sprintf("%d chunks lack one, which is noted as %v: %v", lacking, noted, errors.Join(err, metaErr))})
			}
			return err
		})
	if err != nil {
		b.t.Errorf("check: %v", err)
	}
}

// meant reports whether no chunk lacks a vector.
func (b *bench) meant() (all bool) {
	b.t.Helper()
	b.must(b.db.View(func(tx *store.Tx) error {
		lacks, err := layout.Lacks(tx)
		all = !lacks
		return err
	}))
	return all
}

// noView says so where a View stays open: the goroutine that calls holds it. One of another goroutine ends meanwhile.
func (b *bench) noView(while string) {
	b.t.Helper()
	if !testwait.For(testwait.Patience, func() bool { return b.db.OpenReads() == 0 }) {
		b.t.Errorf("%s: %d Views are open", while, b.db.OpenReads())
	}
}

func (b *bench) path(name string) string { return filepath.Join(b.root, filepath.FromSlash(name)) }

func (b *bench) write(name, text string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(b.path(name)), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(b.path(name), []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) run(folders ...string) *engine.IndexReport {
	b.t.Helper()
	report, err := b.index.Run(b.t.Context(), folders)
	b.must(err)
	return report
}

// follow indexes what events named, everything if there are none.
func (b *bench) follow(paths ...string) (again []string) {
	b.t.Helper()
	again, err := b.index.Follow(b.t.Context(), paths)
	b.must(err)
	return again
}

// files maps each indexed file, relative to the root, to the number of its
// chunks that hold the word "unicorn" by the postings.
func (b *bench) files() map[string]int {
	b.t.Helper()
	out := map[string]int{}
	b.must(b.db.View(func(tx *store.Tx) error {
		live := lexical.NewSet(tx.NextChunk())
		err := tx.LiveChunks(func(first, n uint32) error { live.AddRange(first, n); return nil })
		if err != nil {
			return err
		}
		c, err := lexical.NewCollection(tx.Postings(), live)
		if err != nil {
			return err
		}
		with, err := c.Containing(context.Background(), tx.Postings(), [][]string{lexical.NewAnalyzer().Query("unicorn").Terms()})
		if err != nil {
			return err
		}
		return tx.Files(func(f store.File) error {
			rel, err := filepath.Rel(b.root, f.Path)
			n := 0
			for _, id := range f.IDs.All() {
				if with.Has(id) {
					n++
				}
			}
			out[filepath.ToSlash(rel)] = n
			return err
		})
	}))
	return out
}

func (b *bench) expect(want map[string]int) {
	b.t.Helper()
	if got := b.files(); !maps.Equal(got, want) {
		b.t.Errorf("indexed %v, want %v", got, want)
	}
}

// told says that an event told of a problem in these words.
func (b *bench) told(words string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.ContainsFunc(b.events, func(e engine.Event) bool { return strings.Contains(e.Problem, words) }) {
		b.t.Errorf("nobody was told that %q", words)
	}
}

// plainDot is the inner product in the obvious order.
type plainDot struct{}

func (plainDot) Dot(a, b []float32) float32 {
	sum := float32(0)
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

func (d plainDot) DotMany(scores, query []float32, raw []byte) {
	for i := range scores {
		vector := make([]float32, len(query))
		for j := range vector {
			vector[j] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*(i*len(query)+j):]))
		}
		scores[i] = d.Dot(query, vector)
	}
}

// addFormat has files read by one more Format, before all others, until the test ends.
func addFormat(t *testing.T, f document.Format) {
	before := extract.Formats
	extract.Formats = slices.Concat([]document.Format{f}, before)
	t.Cleanup(func() { extract.Formats = before })
}
