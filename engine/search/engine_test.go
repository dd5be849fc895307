package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dowse/engine"
)

// birds is a small world with known answers.
func birds(t *testing.T) *world {
	w := newWorld(t)
	w.index(
		file{root + "/birds/heron.md", "The heron stood in the reeds.\n\nA grey heron is patient.\n", on(3, 1)},
		file{root + "/birds/kingfisher.md", "A kingfisher dived.\n", on(5, 1)},
		file{root + "/work/dns.go", "// fixDNS restarts the resolver of the router.\nfunc fixDNS() {}\n", on(4, 1)},
		file{root + "/work/empty.txt", "", on(9, 1)},
	)
	return w
}

func TestStagesComeInOrder(t *testing.T) {
	w := birds(t)
	tests := []struct {
		query  string
		mode   engine.Mode
		stages string // name in->out
	}{
		{"heron", engine.Hybrid, "parse 1->1, filter 4->4, lexical 2->2, embed 1->1, vector 4->4, fuse 6->4, read 3->3"},
		{"heron", engine.RRF, "parse 1->1, filter 4->4, lexical 2->2, embed 1->1, vector 4->4, fuse 6->4, read 3->3"},
		{"grey heron", engine.Lexical, "parse 1->2, filter 4->4, lexical 3->2, read 2->2"},
		{"heron", engine.Vector, "parse 1->1, filter 4->4, embed 1->1, vector 4->4, read 3->3"},
		{"heron ext:go", "", "parse 1->1, filter 4->1, lexical 2->0, embed 1->1, vector 1->1, fuse 1->1, read 1->1"},
		{"ext:md", "", "parse 1->0, filter 4->3, read 2->2"},
		{"heron ext:pdf", "", "parse 1->1, filter 4->0, read 0->0"},
	}
	for _, tt := range tests {
		var stages []engine.StageStats
		var words []string
		r, err := w.Search(t.Context(), engine.Request{Query: tt.query, K: 3, Mode: tt.mode}, func(e engine.Event) {
			if e.Stage == nil {
				t.Errorf("%+v is no stage", e)
				return
			}
			stages = append(stages, *e.Stage)
			words = append(words, fmt.Sprintf("%s %d->%d", e.Stage.Name, e.Stage.In, e.Stage.Out))
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(words, ", "); got != tt.stages {
			t.Errorf("%s %q:\n got %s\nwant %s", tt.mode, tt.query, got, tt.stages)
		}
		if !slices.Equal(r.Stats.Stages, stages) {
			t.Errorf("%q: stats %+v, events %+v", tt.query, r.Stats.Stages, stages)
		}
	}
}

func TestStats(t *testing.T) {
	w := birds(t)
	r := w.search(engine.Request{Query: "grey heron path:birds"})
	s := r.Stats
	if s.Files != 2 || s.Chunks != 3 || s.Embedded != 2 || s.Warm || s.Millis <= 0 || math.Abs(s.LexicalWeight+s.VectorWeight-1) > 1e-9 {
		t.Errorf("stats %+v", s)
	}
	if read := s.Stages[len(s.Stages)-1]; read.Bytes != int64(len("The heron stood in the reeds.\n\nA grey heron is patient.\nA kingfisher dived.\n")) {
		t.Errorf("read %+v", read)
	}
	top := r.Passages[0]
	if top.LexicalRank != 1 || top.VectorRank == 0 || top.LexicalScore <= 0 || top.Text != "A grey heron is patient.\n" ||
		top.LineStart != 3 || top.LineEnd != 3 || !slices.Equal(top.Highlights, []engine.Range{{Start: 2, End: 6}, {Start: 7, End: 12}}) {
		t.Errorf("best passage %+v", top)
	}
	if r := w.search(engine.Request{Query: "heron", Mode: engine.Lexical}); r.Stats.LexicalWeight != 0 || r.Stats.Embedded != 0 || r.Passages[0].VectorRank != 0 {
		t.Errorf("lexical %+v", r)
	}
	// Chunks that pass a filter on chunks may be some of a file's.
	if s := w.search(engine.Request{Query: "heron -reeds"}).Stats; s.Files != 3 || s.Chunks != 3 {
		t.Errorf("stats %+v", s)
	}
}

func TestFiltersAloneListNewestFirst(t *testing.T) {
	w := birds(t)
	for _, tt := range []struct {
		req  engine.Request
		want string
	}{
		{engine.Request{}, "kingfisher.md dns.go heron.md"},
		{engine.Request{K: 2}, "kingfisher.md dns.go"},
		{engine.Request{Query: "path:birds"}, "kingfisher.md heron.md"},
		{engine.Request{Query: "-kingfisher"}, "dns.go heron.md"},
		{engine.Request{In: []string{root + "/work"}, K: math.MaxInt}, "dns.go"},
		{engine.Request{Query: "before:1990"}, ""},
	} {
		if got := names(w.search(tt.req)); got != tt.want {
			t.Errorf("%+v lists %q, want %q", tt.req, got, tt.want)
		}
	}
	// Where the first chunk does not pass, the next one stands for the file.
	if r := w.search(engine.Request{Query: "-reeds path:heron"}); len(r.Passages) != 1 || r.Passages[0].LineStart != 3 {
		t.Errorf("%+v", r.Passages)
	}
}

func TestEmptyIndex(t *testing.T) {
	w := newWorld(t)
	for _, query := range []string{"", "heron", `"a b" -c`, "ext:md"} {
		for _, mode := range []engine.Mode{engine.Lexical, engine.Vector, engine.Hybrid, engine.RRF} {
			r := w.search(engine.Request{Query: query, Mode: mode})
			if r.Passages == nil || len(r.Passages) != 0 || r.Stats.Chunks != 0 {
				t.Errorf("%s %q: %+v", mode, query, r)
			}
		}
	}
	st, err := w.Status(t.Context())
	if err != nil || st.Files != 0 || st.Index == "" || st.Model != "words" {
		t.Errorf("status %+v, %v", st, err)
	}
}

func TestBadRequests(t *testing.T) {
	w := birds(t)
	for _, req := range []engine.Request{{Query: "after:soon"}, {Query: "x", Mode: "best"}, {Mode: "best"}} {
		if r, err := w.Search(t.Context(), req, nil); !errors.Is(err, engine.ErrQuery) || r != nil {
			t.Errorf("%+v: %v, %v", req, r, err)
		}
	}
	if _, _, err := w.Retrieve(t.Context(), "x", "best", 1); !errors.Is(err, engine.ErrQuery) {
		t.Errorf("retrieve: %v", err)
	}
	w.embedder.instead = func(context.Context, string) ([]float32, int, error) { return nil, 0, errEmbedder }
	if _, err := w.Search(t.Context(), engine.Request{Query: "x"}, nil); !errors.Is(err, errEmbedder) {
		t.Errorf("embedder: %v", err)
	}
	w.embedder.instead = func(context.Context, string) ([]float32, int, error) { return make([]float32, dim+1), 1, nil }
	if _, err := w.Search(t.Context(), engine.Request{Query: "x"}, nil); err == nil {
		t.Error("a vector of another model was searched with")
	}
}

func TestRetrieveTakesTextLiterally(t *testing.T) {
	w := birds(t)
	ranked, stats, err := w.Retrieve(t.Context(), `"heron reeds -the path:work`, engine.Lexical, 1)
	if err != nil || len(ranked) != 1 || ranked[0].Path != root+"/birds/heron.md" || ranked[0].Score <= 0 || stats.Chunks == 0 {
		t.Errorf("%+v, %+v, %v", ranked, stats, err)
	}
	if w.disk.reads != 0 {
		t.Errorf("%d files were read", w.disk.reads)
	}
}

func TestStaleAndGoneFiles(t *testing.T) {
	w := birds(t)
	heron, kingfisher := root+"/birds/heron.md", root+"/birds/kingfisher.md"
	w.disk.write(heron, "new line\nThe egret stood in the reeds.\n\nA grey heron is patient.\n")
	for _, p := range w.search(engine.Request{Query: "heron", Mode: engine.Lexical}).Passages {
		if !p.Stale || p.LineStart > p.LineEnd || !strings.Contains(w.disk.files[heron], p.Text) {
			t.Errorf("%+v", p)
		}
	}
	// The text that a phrase is verified in is the one there now.
	if got := names(w.search(engine.Request{Query: `"heron stood"`})); got != "" {
		t.Errorf("found %q for text that is gone", got)
	}
	// A chunk beyond the end of what is left has no text any more.
	w.disk.write(heron, "short\n")
	if r := w.search(engine.Request{Query: "heron", Mode: engine.Lexical}); len(r.Passages) != 1 || r.Passages[0].Text != "short\n" {
		t.Errorf("%+v", r.Passages)
	}
	// Others stand in for files that are gone.
	w.disk.remove(heron)
	if got := names(w.search(engine.Request{Query: "heron", K: 2})); len(strings.Fields(got)) != 2 || strings.Contains(got, "heron") {
		t.Errorf("found %q", got)
	}
	w.disk.remove(kingfisher)
	if got := names(w.search(engine.Request{K: 1})); got != "dns.go" {
		t.Errorf("listed %q", got)
	}
}

func TestEachFileIsReadOnce(t *testing.T) {
	w := newWorld(t)
	var files []file
	for i := range 3 {
		files = append(files, file{fmt.Sprintf("%s/%d.md", root, i), strings.Repeat("heron\n\nheron reeds\n\n", 5), on(1, 1)})
	}
	w.index(files...)
	// Chunks of the files alternate in this ranking.
	r := w.search(engine.Request{Query: "heron", K: 30, Mode: engine.Lexical})
	if len(r.Passages) != 30 || r.Passages[0].Path == r.Passages[10].Path || w.disk.reads != 3 {
		t.Errorf("%d passages, %d reads", len(r.Passages), w.disk.reads)
	}
}

func TestCancellationAtEveryStage(t *testing.T) {
	w := birds(t)
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Search(done, engine.Request{Query: "heron"}, nil); err != context.Canceled { //nolint:errorlint // ctx.Err() itself is promised
		t.Errorf("before: %v", err)
	}
	if _, _, err := w.Retrieve(done, "heron", engine.Lexical, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("retrieve: %v", err)
	}
	if _, err := w.Preview(done, engine.Passage{Path: root + "/work/dns.go"}, 1, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("preview: %v", err)
	}
	for _, stage := range []string{"parse", "filter", "lexical", "embed", "vector", "fuse"} {
		ctx, cancel := context.WithCancel(t.Context())
		var seen []string
		_, err := w.Search(ctx, engine.Request{Query: `heron "heron"`}, func(e engine.Event) {
			seen = append(seen, e.Stage.Name)
			if e.Stage.Name == stage {
				cancel()
			}
		})
		if err != context.Canceled { //nolint:errorlint // ctx.Err() itself is promised
			t.Errorf("after %s: %v, stages %v", stage, err, seen)
		}
		if slices.Contains(seen, "read") {
			t.Errorf("after %s: stages %v", stage, seen)
		}
		cancel()
	}
}

// TestCancellationReachesTheEmbedder: what the embedder makes of it does not
// show, and it has ended when the search has, since whoever closes it after the
// last search must not find it in use.
func TestCancellationReachesTheEmbedder(t *testing.T) {
	w := birds(t)
	ctx, cancel := context.WithCancel(t.Context())
	var ended atomic.Bool
	w.embedder.instead = func(ctx context.Context, _ string) ([]float32, int, error) {
		cancel()
		<-ctx.Done()
		defer ended.Store(true)
		return nil, 0, errors.New("interrupted")
	}
	for _, mode := range []engine.Mode{engine.Vector, engine.Hybrid} {
		if _, err := w.Search(ctx, engine.Request{Query: "heron", Mode: mode}, nil); err != context.Canceled { //nolint:errorlint // ctx.Err() itself is promised
			t.Errorf("%s: error %v", mode, err)
		}
	}
	if !ended.Load() {
		t.Error("the embedder still runs")
	}
}

func TestPreviewReadsIndexedFilesOnly(t *testing.T) {
	w := birds(t)
	w.disk.write("/etc/passwd", "secret\n")
	if _, err := w.Preview(t.Context(), engine.Passage{Path: "/etc/passwd"}, 1, 1); !errors.Is(err, engine.ErrFileGone) {
		t.Errorf("outside of the index: %v", err)
	}
	p := w.search(engine.Request{Query: "patient", K: 1, Mode: engine.Lexical}).Passages[0]
	got, err := w.Preview(t.Context(), p, 2, math.MaxInt)
	if err != nil || got.LineStart != 3 || got.LineTotal != 3 || len(got.Lines) != 3 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := w.Preview(t.Context(), engine.Passage{Path: root + "/work/empty.txt"}, 1, 1); err != nil || got.LineTotal != 0 {
		t.Errorf("empty file: %+v, %v", got, err)
	}
	w.disk.remove(p.Path)
	if _, err := w.Preview(t.Context(), p, 1, 1); !errors.Is(err, engine.ErrFileGone) {
		t.Errorf("gone: %v", err)
	}
}

func TestStatus(t *testing.T) {
	w := birds(t)
	w.ledger.Grow("weights", 5)
	w.Publish(engine.Event{Progress: &engine.Progress{FilesDone: 4}})
	st, err := w.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if st.Files != 4 || st.Chunks != 4 || st.TextBytes == 0 || st.Bytes["total"] == 0 || st.Memory["weights"].Bytes != 5 ||
		st.Progress == nil || st.Progress.FilesDone != 4 || time.Since(st.Updated) > time.Minute {
		t.Errorf("status %+v", st)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}
