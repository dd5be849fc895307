package indexes_test

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"dowse/engine"
	"dowse/engine/search"
	"dowse/internal/daemon"
	"dowse/internal/indexes"
	"dowse/internal/testapp"
)

// counting counts what passes through.
type counting struct {
	io.ReadWriteCloser
	n *atomic.Int64
}

// Write implements io.Writer.
func (c counting) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return c.ReadWriteCloser.Write(p)
}

type half struct {
	io.Reader
	io.WriteCloser
}

func (h half) Close() error { return h.WriteCloser.Close() }

// overPipe is a machine that is asked through pipes whose bytes are counted.
func overPipe(t testing.TB, s engine.Service, sent, got *atomic.Int64) *daemon.Pipe {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	done, served := make(chan struct{}), make(chan error, 1)
	go func() { served <- daemon.ServePipe(context.Background(), s, in, counting{half{nil, out}, got}) }()
	t.Cleanup(func() {
		close(done)
		_ = toServer.Close()
		_ = fromServer.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return daemon.NewPipe(fromServer, counting{half{nil, toServer}, sent}, done)
}

// machinesOf are homes of which each has some of the shelves, with what asks all but the first.
type machinesOf struct {
	own       *indexes.Owner
	elsewhere []search.Elsewhere
	sent, got atomic.Int64
}

func divided(t *testing.T, dir string, homes ...[]string) *machinesOf {
	t.Helper()
	m := &machinesOf{}
	for i, parts := range homes {
		var folders []string
		for _, p := range parts {
			folders = append(folders, filepath.Join(dir, p))
		}
		owner := testapp.Own(t, anotherHome(t, oldModel), folders...)
		if i == 0 {
			m.own = owner
			continue
		}
		m.elsewhere = append(m.elsewhere, search.Elsewhere{Name: fmt.Sprint("m", i), Ranker: overPipe(t, owner, &m.sent, &m.got)})
	}
	return m
}

// Search implements engine.Searcher for all.
func (m *machinesOf) search(t *testing.T, req engine.Request) *engine.Result {
	t.Helper()
	r, err := m.own.Stack().SearchWith(t.Context(), req, true, m.elsewhere, func(name string, err error) { t.Errorf("%s: %v", name, err) }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lines say everything that results say of their passages, by the names of files.
func lines(t *testing.T, search func(engine.Request) *engine.Result) string {
	t.Helper()
	var out []string
	for _, mode := range []engine.Mode{engine.Lexical, engine.Hybrid, engine.Vector} {
		for _, query := range []string{birdQuestion, `"stood in lake"`, "tide -heron ext:md", "hreon", "ext:md"} {
			r := search(engine.Request{Query: query, K: 200, Mode: mode})
			for _, p := range r.Passages {
				out = append(out, fmt.Sprintf("%s %s %s:%d-%d %x %x %x %q %q %v %v %v", mode, query, filepath.Base(p.Path), p.LineStart, p.LineEnd, p.Score, p.LexicalScore, p.VectorScore, p.Heading, p.Text, p.Highlights, p.Relevant, p.About))
			}
		}
	}
	if len(out) < 200 {
		t.Fatalf("found %d", len(out))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// TestMachinesRankAsOneHome: the same files in one home, in two and in three rank the same, with all scores to the bit.
func TestMachinesRankAsOneHome(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	dir := testapp.Notes(t, shelvesIn("a", "b", "c"))
	whole := testapp.Own(t, anotherHome(t, oldModel), dir)
	want := lines(t, func(req engine.Request) *engine.Result {
		r, err := whole.Search(t.Context(), req, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	})
	for _, m := range []*machinesOf{divided(t, dir, []string{"a", "b"}, []string{"c"}), divided(t, dir, []string{"a"}, []string{"b"}, []string{"c"})} {
		got := lines(t, func(req engine.Request) *engine.Result { return m.search(t, req) })
		sameLines(t, got, want)
		t.Logf("%d machines: %d bytes sent, %d received for 15 queries", 1+len(m.elsewhere), m.sent.Load(), m.got.Load())
	}
}
