package search

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/engine/memory"
	"dowse/store"
)

// dim is small, so that unlike texts have cosines well above 0 too.
const dim = 16

// wordVector is a bag of words, each hashed to a dimension, at unit length.
func wordVector(text string) []float32 {
	v := make([]float32, dim)
	v[0] = 0.1 // never all zero
	for _, word := range strings.Fields(strings.ToLower(text)) {
		h := fnv.New32a()
		h.Write([]byte(word)) // never fails
		v[h.Sum32()%dim]++
	}
	length := 0.0
	for _, x := range v {
		length += float64(x) * float64(x)
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(length))
	}
	return v
}

// embedder embeds by wordVector, unless a test takes over.
type embedder struct {
	documents atomic.Int64 // embedded by EmbedDocuments
	rounds    bool         // vectors of documents are rounded, as those of models of this machine are
	instead   func(ctx context.Context, text string) ([]float32, int, error)
}

func (e *embedder) EmbedQuery(ctx context.Context, text string) ([]float32, int, error) {
	if e.instead != nil {
		return e.instead(ctx, text)
	}
	return wordVector(text), len(strings.Fields(text)), ctx.Err()
}

func (e *embedder) EmbedDocuments(ctx context.Context, texts []string) ([]float32, error) {
	var vectors []float32
	for _, text := range texts {
		vectors = append(vectors, wordVector(text)...)
	}
	if e.rounds {
		leann.Round(vectors, dim)
	}
	e.documents.Add(int64(len(texts)))
	return vectors, ctx.Err()
}

// dotter is the obvious inner product.
type dotter struct{}

func (dotter) Dot(a, b []float32) float32 {
	sum := float32(0)
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

func (dotter) DotMany(scores, query []float32, raw []byte) {
	for i := range scores {
		sum := float32(0)
		for d, q := range query {
			sum += q * math.Float32frombits(binary.LittleEndian.Uint32(raw[4*(i*len(query)+d):]))
		}
		scores[i] = sum
	}
}

// disk is the files as they are now.
type disk struct {
	mu    sync.RWMutex
	files map[string]string
	reads int

	secret func(path string) bool // of files that hold secrets; nil: none do
}

func (d *disk) Text(path string) (*engine.Text, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.reads++
	body, ok := d.files[path]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	text := plainText(body)
	text.Secret = d.secret != nil && d.secret(path)
	return text, nil
}

func (d *disk) write(path, body string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.files[path] = body
}

func (d *disk) remove(path string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.files, path)
}

// plainText is the text of a file that is indexed as it is.
func plainText(body string) *engine.Text {
	return &engine.Text{Body: body, Line: func(at int) int {
		return 1 + strings.Count(body[:max(0, min(at, len(body)))], "\n")
	}, Embedded: func(start, end int) string { return body[start:end] }, Heading: func(int) string { return "H" }}
}

// world is an engine over a store of its own.
type world struct {
	*Engine
	t        testing.TB
	db       *store.DB
	disk     *disk
	embedder *embedder
	analyzer *lexical.Analyzer
	ledger   *memory.Ledger
	kind     uint8                      // of the files that are indexed next
	defines  func(text string) []string // what their chunks define; nil: nothing
}

func newWorld(t testing.TB) *world {
	t.Helper()
	db, err := store.Open(filepath.Join(t.TempDir(), "index.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	w := &world{
		t: t, db: db, disk: &disk{files: map[string]string{}},
		embedder: &embedder{}, analyzer: lexical.NewAnalyzer(), ledger: &memory.Ledger{},
	}
	w.Engine = New(Options{
		Store: db, Analyzer: w.analyzer, Embedder: w.embedder, Texts: w.disk, Ledger: w.ledger,
		Vectors: leann.Index{Dim: dim, Dot: dotter{}}, Model: "words",
	})
	return w
}

// readBy has texts be read by another reader.
func (w *world) readBy(texts engine.Texts) { w.opts.Texts, w.source.Texts = texts, texts }

// outdatedBy has fn be told of files that changed.
func (w *world) outdatedBy(fn func(path string)) { w.opts.Outdated, w.source.Changed = fn, fn }

// file is one to be indexed; its chunks are its paragraphs.
type file struct {
	path, text string
	modified   time.Time
}

const root = "/home/ada"

// index writes files to the disk and indexes them in one commit, as a segment
// of their own.
func (w *world) index(files ...file) {
	w.t.Helper()
	for _, f := range files {
		w.disk.write(f.path, f.text)
	}
	if err := w.replace(nil, files); err != nil {
		w.t.Fatal(err)
	}
}

// replace takes old files out of the index and puts new ones in, in one
// commit.
func (w *world) replace(old, files []file) error {
	return w.db.Update(func(tx *store.Tx) error {
		for _, f := range old {
			record, err := tx.FileByPath(f.path)
			if err != nil {
				return err
			}
			if err := tx.DeleteFile(record.ID); err != nil {
				return err
			}
		}
		builder := lexical.NewBuilder()
		for _, f := range files {
			if err := w.put(tx, builder, f); err != nil {
				return err
			}
		}
		_, err := builder.Write(tx.Postings())
		return err
	})
}

// put indexes one file.
func (w *world) put(tx *store.Tx, builder *lexical.Builder, f file) error {
	record := store.File{Path: f.path, Root: root, ModTime: f.modified.UnixNano(), Plain: true, Kind: w.kind}
	chunks := paragraphs(f.text)
	if err := tx.PutFile(&record, chunks); err != nil || len(chunks) == 0 {
		return err
	}
	var vectors []float32
	for i, id := range record.IDs.All() {
		text := f.text[chunks[i].Start:chunks[i].End]
		vectors = append(vectors, wordVector(text)...)
		var defines []string
		if w.defines != nil {
			defines = w.defines(text)
		}
		builder.Add(id, w.analyzer.Document(nil, text, "", defines...))
	}
	return tx.PutVectors(record, 0, len(vectors)/len(chunks), vectors)
}

// paragraphs divides a text behind blank lines.
func paragraphs(text string) []store.Chunk {
	var chunks []store.Chunk
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.Index(text[at:], "\n\n"); i >= 0 {
			end = at + i + 2
		}
		chunks = append(chunks, store.Chunk{Start: int64(at), End: int64(end), Hash: layout.ChunkHash(text[at:end])})
		at = end
	}
	return chunks
}

// unindex takes a file out of the index.
func (w *world) unindex(path string) {
	w.t.Helper()
	if err := w.replace([]file{{path: path}}, nil); err != nil {
		w.t.Fatal(err)
	}
}

// search answers a request, which must succeed.
func (w *world) search(req engine.Request) *engine.Result {
	w.t.Helper()
	r, err := w.Search(w.t.Context(), req, nil)
	if err != nil {
		w.t.Fatalf("%+v: %v", req, err)
	}
	return r
}

// names are the file names of a result in order.
func names(r *engine.Result) string {
	var out []string
	for _, p := range r.Passages {
		out = append(out, filepath.Base(p.Path))
	}
	return strings.Join(out, " ")
}

// on is noon of a day of 2026.
func on(month time.Month, day int) time.Time {
	return time.Date(2026, month, day, 12, 0, 0, 0, time.Local)
}

var errEmbedder = errors.New("the embedder broke")

// testNow is the moment that tests search at.
var testNow = time.Date(2026, 11, 21, 15, 4, 5, 0, time.UTC)
