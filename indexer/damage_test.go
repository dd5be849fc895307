package indexer_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/engine/search"
	"dowse/indexer"
	"dowse/indexer/chunk"
	"dowse/indexer/extract"
	"dowse/store"
)

// longWords is a fakeEmbedder to which words are long, so that chunks are short
// and few files make an index that has codes.
type longWords struct{ fakeEmbedder }

func (f *longWords) Count(text string) int { return 25 * len(strings.Fields(text)) }

func (f *longWords) EmbedQuery(ctx context.Context, text string) ([]float32, int, error) {
	return fakeVector(text), 1, ctx.Err()
}

// texts reads files again as the program does, and keeps what it made of the same bytes.
type texts struct {
	count func(string) int
	known sync.Map // *engine.Text by path and content
}

func (t *texts) Text(path string) (*engine.Text, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	key := path + "\x00" + string(data)
	if known, ok := t.known.Load(key); ok {
		return known.(*engine.Text), nil
	}
	doc, err := extract.File(path, extract.Options{MaxBytes: 1 << 20})
	if err != nil {
		return nil, err
	}
	headings := chunk.ReadHeadings(doc, chunk.Options{Count: t.count})
	text := &engine.Text{Body: doc.Text, Line: doc.Line, Embedded: headings.EmbedText, Heading: headings.Heading}
	t.known.Store(key, text)
	return text, nil
}

// archive is a folder of files and the index of it, as the program opens both.
type archive struct {
	t     *testing.T
	root  string
	path  string // of the index
	embed *longWords
	texts *texts
	told  []string // problems
}

func newArchive(t *testing.T) *archive {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a := &archive{t: t, root: root, path: filepath.Join(t.TempDir(), "index.db"), embed: &longWords{}}
	a.texts = &texts{count: a.embed.Count}
	random := rand.New(rand.NewPCG(3, 1))
	for file := range 24 {
		var text strings.Builder
		for range 50 {
			for range 8 {
				fmt.Fprintf(&text, "w%d ", random.IntN(1500))
			}
			text.WriteString("\n\n")
		}
		path := filepath.Join(root, fmt.Sprintf("folder%d", file%5), fmt.Sprintf("note-%d.md", file))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text.String()), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// index does what dowse index does, and returns what it said.
func (a *archive) index(folders ...string) error {
	a.told = nil
	db, old, err := store.OpenOrReplace(a.path, store.Options{Fingerprint: "test"})
	if err != nil {
		return err
	}
	if old != nil {
		a.told = append(a.told, indexer.Replacement(old))
	}
	_, err = a.indexer(db).Run(a.t.Context(), folders)
	return errors.Join(err, db.Close())
}

func (a *archive) indexer(db *store.DB) *indexer.Indexer {
	return indexer.New(indexer.Options{
		Store: db, Analyzer: lexical.NewAnalyzer(), Embedder: a.embed, Dot: plainDot{}, Budget: 0.05, Threads: 2, MaxFile: 1 << 20,
		Emit: func(e engine.Event) {
			if e.Problem != "" {
				a.told = append(a.told, e.Problem)
			}
		},
	})
}

// engine searches an open index. All vectors are recomputed, so that nothing
// depends on a codebook.
func (a *archive) engine(db *store.DB) *search.Engine {
	return search.New(search.Options{
		Store: db, Analyzer: lexical.NewAnalyzer(), Embedder: a.embed, Vectors: vectorIndex,
		Texts: a.texts, Model: "test", Memo: 1 << 20, Recompute: 1 << 16,
	})
}

// archiveRequests want the index in every way that there is.
var archiveRequests = []engine.Request{
	{Query: "w1 w2 w3"}, {Query: "w77 w1234 w500 path:folder3"}, {Query: "w400 w41", Mode: engine.Lexical},
	{Query: "anything", Mode: engine.Vector}, {Query: "w9 -w10 ext:md"}, {Query: "path:note-7"},
}

// answer is what a search gives: passages with their scores, in an order that
// does not depend on the ids of chunks.
type answer struct {
	passages []string
	damage   string
	err      error
}

func ask(e *search.Engine, req engine.Request) answer {
	req.K = 40
	result, err := e.Search(context.Background(), req, nil)
	if err != nil {
		return answer{err: err}
	}
	found := result.Passages
	slices.SortStableFunc(found, func(a, b engine.Passage) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path), cmp.Compare(a.LineStart, b.LineStart))
	})
	out := answer{damage: result.Stats.Damage}
	for _, p := range found {
		if p.Stale {
			out.passages = append(out.passages, "stale")
		}
		// Which of several equal ones come last is chance.
		if len(found) == req.K && p.Score == found[req.K-1].Score {
			break
		}
		out.passages = append(out.passages, fmt.Sprintf("%.4f %s:%d %s", p.Score, filepath.Base(p.Path), p.LineStart, p.Text))
	}
	return out
}

// search opens the index as a one-shot does and asks everything.
func (a *archive) search() ([]answer, error) {
	db, err := store.Open(a.path, store.Options{Fingerprint: "test", ReadOnly: true})
	if err != nil {
		return nil, err
	}
	e := a.engine(db)
	var answers []answer
	for _, req := range archiveRequests {
		answers = append(answers, ask(e, req))
	}
	return answers, db.Close()
}

// setting reads a number from the environment.
func setting(t *testing.T, name string, otherwise int) int {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		return otherwise
	}
	n, err := strconv.Atoi(value)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// TestDamagedIndexIsUsedOrRebuilt spoils an index in many ways. A search of it
// gives what it gave before, or says that something is wrong; then the next
// dowse index leads to a sound index that gives what it gave before.
func TestDamagedIndexIsUsedOrRebuilt(t *testing.T) {
	if testing.Short() {
		t.Skip("one change after the other: nothing for the race detector")
	}
	a := newArchive(t)
	if err := a.index(a.root); err != nil {
		t.Fatal(err)
	}
	if err := a.watchOneChange(); err != nil {
		t.Fatal(err)
	}
	want, err := a.search()
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range want {
		if w.err != nil || len(w.passages) == 0 || w.damage != "" {
			t.Fatalf("%v gives %+v", archiveRequests[i], w)
		}
	}
	image, err := os.ReadFile(a.path)
	if err != nil {
		t.Fatal(err)
	}
	records := recordsOf(image)
	seed := uint64(setting(t, "DOWSE_TEST_SEED", 20261122))
	random := rand.New(rand.NewPCG(seed, 0))
	n := setting(t, "DOWSE_TEST_DAMAGES", 30)
	t.Logf("%d damages, seed %d (DOWSE_TEST_DAMAGES, DOWSE_TEST_SEED), %d bytes", n, seed, len(image))
	outcome := map[string]int{}
	ways := damages(records)
	for i := range n {
		way := ways[i%len(ways)]
		spoilt, where := way.spoil(bytes.Clone(image), random)
		if err := os.WriteFile(a.path, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		outcome[a.survive(want)]++
		if t.Failed() {
			t.Fatalf("damage %d: %s, %s", i, way.name, where)
		}
	}
	t.Logf("%v", outcome)
	for _, some := range []string{"no effect", "searched in part", "refused with advice", "repaired", "rebuilt"} {
		found := false
		for o := range outcome {
			found = found || strings.Contains(o, some)
		}
		if !found && n >= 100 {
			t.Errorf("no damage had the outcome %q", some)
		}
	}
}

// survive searches a damaged index and indexes again, and tells what came of it.
func (a *archive) survive(want []answer) string {
	a.t.Helper()
	got, err := a.search()
	outcome := "no effect"
	if err != nil {
		outcome = "refused with advice"
		if !errors.Is(err, store.ErrCorrupt) && !errors.Is(err, store.ErrForeign) && !errors.Is(err, store.ErrVersion) {
			a.t.Errorf("opened: %v", err)
		}
	}
	for i, g := range got {
		switch {
		case g.err != nil:
			outcome = "refused with advice"
			if !strings.Contains(g.err.Error(), "dowse index") || strings.Contains(g.err.Error(), "nil pointer") {
				a.t.Errorf("%v: error without advice: %v", archiveRequests[i], g.err)
			}
		case slices.Contains(g.passages, "stale"):
			a.t.Errorf("%v: stale passages", archiveRequests[i])
		case g.damage != "":
			outcome = "searched in part"
		case !slices.Equal(g.passages, want[i].passages):
			a.t.Errorf("%v: silently other results\n got %q\nwant %q", archiveRequests[i], g.passages, want[i].passages)
		}
	}
	if err := a.index(); err != nil {
		a.t.Errorf("dowse index: %v", err)
		return ""
	}
	said := strings.Join(a.told, " ")
	switch {
	case strings.Contains(said, "a new one is built"):
		outcome += ", rebuilt"
	case strings.Contains(said, "indexed again"):
		outcome += ", repaired"
	case outcome != "no effect":
		a.t.Errorf("%s, and dowse index said %q", outcome, said)
	}
	a.sound(want)
	return outcome
}

// sound tests that the index is whole and gives what it gave at first.
func (a *archive) sound(want []answer) {
	a.t.Helper()
	db, err := store.Open(a.path, store.Options{Fingerprint: "test", ReadOnly: true})
	if err != nil {
		a.t.Errorf("after dowse index: %v", err)
		return
	}
	_, _, err = a.indexer(db).Check(a.t.Context(), func(p store.Problem) { a.t.Errorf("after dowse index: %v", p) })
	if err := errors.Join(err, db.Close()); err != nil {
		a.t.Errorf("after dowse index: %v", err)
	}
	got, err := a.search()
	if err != nil {
		a.t.Errorf("after dowse index: %v", err)
	}
	for i, g := range got {
		if g.err != nil || g.damage != "" || !slices.Equal(g.passages, want[i].passages) {
			a.t.Errorf("after dowse index %v gives %q, %s, %v\nwant %q", archiveRequests[i], g.passages, g.damage, g.err, want[i].passages)
		}
	}
	aside, err := filepath.Glob(a.path + ".damaged-*")
	if err != nil || len(aside) > 0 {
		a.t.Errorf("damaged indexes were left: %q, %v", aside, err)
	}
}

// watchOneChange watches until one more file is indexed, which keeps its vector
// and has postings of its own.
func (a *archive) watchOneChange() error {
	db, err := store.Open(a.path, store.Options{Fingerprint: "test"})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(a.t.Context(), time.Minute)
	defer cancel()
	ix := indexer.New(indexer.Options{
		Store: db, Analyzer: lexical.NewAnalyzer(), Embedder: a.embed, Dot: plainDot{}, Budget: 0.05, Threads: 2, MaxFile: 1 << 20,
		Emit: func(e engine.Event) {
			if e.Changed != nil && *e.Changed == (engine.Changed{}) { // its meaning has come
				cancel()
			}
		},
	})
	err = ix.Watch(ctx, nil, func() {
		if err := os.WriteFile(filepath.Join(a.root, "late.md"), []byte("w1 w2 w3 w4 w5 w6 w7 w8\n"), 0o600); err != nil {
			a.t.Error(err)
		}
	})
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	return errors.Join(err, db.Close())
}
