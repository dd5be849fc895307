package search

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/conversation"
	"dowse/internal/testwait"
	"dowse/store"
)

// probe stands before everything that a search may have to wait for. It counts
// the calls, and notes those during which a transaction was open.
type probe struct {
	t     *testing.T
	db    *store.DB
	calls map[string]int
	held  func(what, detail string) // what to do inside a call
}

func (p *probe) enter(what, detail string) {
	p.calls[what]++
	if open := p.db.OpenReads(); open != 0 {
		p.t.Errorf("%s %s: %d transactions are open", what, detail, open)
	}
	if p.held != nil {
		p.held(what, detail)
	}
}

type probedTexts struct {
	*probe
	engine.Texts
}

func (p probedTexts) Text(path string) (*engine.Text, error) {
	p.enter("text", path)
	return p.Texts.Text(path)
}

type probedEmbedder struct {
	*probe
	*embedder
}

func (p probedEmbedder) EmbedQuery(ctx context.Context, text string) ([]float32, int, error) {
	p.enter("query", text)
	return p.embedder.EmbedQuery(ctx, text)
}

func (p probedEmbedder) EmbedDocuments(ctx context.Context, texts []string) ([]float32, error) {
	p.enter("documents", "")
	return p.embedder.EmbedDocuments(ctx, texts)
}

type probedReranker struct {
	*probe
	backwards
}

func (p *probedReranker) Rerank(ctx context.Context, job engine.RerankJob) (*engine.Reranking, error) {
	p.enter("rerank", "")
	return p.backwards.Rerank(ctx, job)
}

// probed is a settled world in which every wait is watched.
func probed(t *testing.T) (*world, *probe) {
	w, _ := grown(t, 95)
	w.settle(48)
	p := &probe{t: t, db: w.db, calls: map[string]int{}}
	w.readBy(probedTexts{p, w.disk})
	w.opts.Embedder = probedEmbedder{p, w.embedder}
	w.opts.Reranker = &probedReranker{probe: p}
	return w, p
}

// TestNoTransactionIsOpenWhileModelsRun: whatever takes long in a search, in
// warming and in a preview, the store is not held.
func TestNoTransactionIsOpenWhileModelsRun(t *testing.T) {
	w, p := probed(t)
	for _, query := range []string{"word7 word9", `"word7" -"word8 word9"`, `word3 -"the"`, "ext:md", "path:f00*"} {
		for _, mode := range []engine.Mode{"", engine.Vector, engine.Hybrid, engine.Lexical} {
			r, err := w.Search(t.Context(), engine.Request{Query: query, Mode: mode}, func(engine.Event) { p.enter("event", query) })
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range r.Passages[:min(1, len(r.Passages))] {
				if _, err := w.Preview(t.Context(), found, 1, 1); err != nil {
					t.Error(err)
				}
			}
		}
	}
	w.opts.Memo, w.opts.Kept = 1<<20, 1<<20
	w.Engine = New(w.opts)
	if err := w.warm(t.Context(), []coldChunk{{chunk: 0}, {chunk: 1}, {chunk: 500}}, map[uint32]uint32{}); err != nil {
		t.Error(err)
	}
	for _, what := range []string{"text", "query", "documents", "rerank", "event"} {
		if p.calls[what] == 0 {
			t.Errorf("nothing waited for: %s", what)
		}
	}
}

// probedAnswerer watches the waits of an answerer that tells of what it writes.
type probedAnswerer struct {
	*probe
	teller
}

func (p *probedAnswerer) Answer(ctx context.Context, job engine.AnswerJob) (*engine.Answer, error) {
	p.enter("answer", "")
	return p.teller.Answer(ctx, job)
}

// TestNoTransactionIsOpenWhileAnythingElseIsAsked: whoever writes an answer, looks for what is
// like a passage, completes a line or asks for the status may be slow, or not read on.
func TestNoTransactionIsOpenWhileAnythingElseIsAsked(t *testing.T) {
	w, p := probed(t)
	w.opts.Answerer = &probedAnswerer{p, teller{says: engine.Answer{Text: "It waits. [1]"}, drafts: []string{"It", "It waits."}}}
	w.opts.Conversations = conversation.Open(filepath.Join(t.TempDir(), "conversations"), &forgetful{})
	w.Engine = New(w.opts)
	tell := func(engine.Event) { p.enter("event", "") }
	var path string
	for range 2 { // the second question goes on with the first
		r, err := w.Search(t.Context(), engine.Request{Query: "word7 word9", Answer: true, Context: "words", Keep: true}, tell)
		if err != nil {
			t.Fatal(err)
		}
		path = r.Passages[0].Path
	}
	for _, req := range []engine.RelatedRequest{{Path: path}, {Path: path, Line: 3}, {Path: path, Line: 3, SameFile: true}, {Path: path, Filter: "path:f00*"}, {Path: path, Estimate: true}} {
		if _, err := w.Related(t.Context(), req, tell); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Complete(t.Context(), engine.CompletionRequest{Line: "path:f", Cursor: 6, Max: 6}); err != nil {
		t.Error(err)
	}
	if _, err := w.Status(t.Context()); err != nil {
		t.Error(err)
	}
	p.enter("the end", "")
	for _, what := range []string{"text", "query", "documents", "rerank", "event", "answer"} {
		if p.calls[what] == 0 {
			t.Errorf("nothing waited for: %s", what)
		}
	}
}

// TestHungSearchHoldsUpNobody: while one search waits for a disk, a model or a
// reranker that does not answer, the index grows and is mapped anew, and other
// searches are answered. Then the one that waited sees its own commit.
func TestHungSearchHoldsUpNobody(t *testing.T) {
	for _, where := range []string{"text", "query", "documents", "rerank"} {
		t.Run(where, func(t *testing.T) {
			w, p := probed(t)
			want := w.search(engine.Request{Query: "word7 word9"})
			w.memo = newWorld(t).memo // forgets
			hangs, goes := make(chan struct{}), make(chan struct{})
			hung := false
			p.held = func(what, _ string) {
				if what == where && !hung {
					hung = true
					close(hangs)
					<-goes
				}
			}
			type outcome struct {
				r   *engine.Result
				err error
			}
			done := make(chan outcome, 1)
			go func() {
				r, err := w.Search(t.Context(), engine.Request{Query: "word7 word9"}, nil)
				done <- outcome{r, err}
			}()
			<-hangs
			finished := make(chan error, 1)
			go func() { finished <- w.growBy(4 << 20) }()
			select {
			case err := <-finished:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(testwait.Patience):
				t.Error("the index cannot grow while a search waits")
			}
			if r := w.search(engine.Request{Query: "ext:txt", K: 1}); len(r.Passages) != 1 || !strings.HasSuffix(r.Passages[0].Path, ".txt") {
				t.Errorf("another search found %+v", r.Passages)
			}
			close(goes)
			got := <-done
			if got.err != nil {
				t.Fatal(got.err)
			}
			// One that waited before it looked sees the newer commit.
			if where != "query" && !slices.Equal(chunksOf(got.r), chunksOf(want)) {
				t.Errorf("the search that waited found %v, want %v", chunksOf(got.r), chunksOf(want))
			}
		})
	}
}

// growBy adds files to the index until it has grown by so many bytes.
func (w *world) growBy(bytes int) error {
	for i := 0; bytes > 0; i++ {
		f := file{fmt.Sprintf("%s/big%d.txt", root, i), strings.Repeat("lentils\n\n", 1000), on(3, 1)}
		w.disk.write(f.path, f.text)
		if err := w.replace(nil, []file{f}); err != nil {
			return err
		}
		bytes -= 1000 * 4 * dim
	}
	return nil
}
