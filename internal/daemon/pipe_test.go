package daemon

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dowse/engine"
)

// piped serves a fake over pipes and returns what asks it.
func piped(t *testing.T) (f *fake, asks *Pipe, hangUp func()) {
	t.Helper()
	f = newFake()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	served, done := make(chan error, 1), make(chan struct{})
	go func() { served <- ServePipe(context.Background(), f, in, out) }()
	asks = NewPipe(fromServer, toServer, done)
	hangUp = func() { _ = toServer.Close() }
	t.Cleanup(func() {
		close(done)
		hangUp()
		_ = fromServer.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return f, asks, hangUp
}

// TestPipeAnswersOneCallAfterTheOther over the same pipes.
func TestPipeAnswersOneCallAfterTheOther(t *testing.T) {
	_, asks, _ := piped(t)
	for n := range 3 {
		r, err := asks.Search(t.Context(), engine.Request{Query: fmt.Sprint("dns ", n), K: 3})
		if err != nil || r.Query != fmt.Sprint("dns ", n) || len(r.Passages) != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	if text, err := asks.Read(t.Context(), engine.ReadRequest{Path: "/a\xff", From: 4}); err != nil || text.Path != "/a\xff" || text.LineStart != 4 {
		t.Errorf("%+v, %v", text, err)
	}
	if _, err := asks.Read(t.Context(), engine.ReadRequest{Path: "/none"}); !errors.Is(err, engine.ErrNotIndexed) {
		t.Errorf("%v", err)
	}
}

// TestPipeTakesNoChanges: who may search here may change nothing, keep nothing and have no answer written.
func TestPipeTakesNoChanges(t *testing.T) {
	_, asks, _ := piped(t)
	for name := range answers {
		switch name {
		case opHello, opSearch, opRead, opPeer, opCount, opRank, opTexts:
			continue
		}
		var value any
		if err := asks.do(t.Context(), call{Op: name}, nil, &value); err == nil || err.Error() != errWrites.Error() {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, req := range []engine.Request{{Query: "a", Context: "b"}, {Query: "a", Keep: true}, {Query: "a", Answer: true}, {Query: "a", Hosts: []string{"elm"}}} {
		if _, err := asks.Search(t.Context(), req); err == nil || err.Error() != errWrites.Error() {
			t.Errorf("%+v: %v", req, err)
		}
	}
}

// says is a pipe from a machine that says something to whatever it is asked.
func says(t *testing.T, text io.Reader) *Pipe {
	t.Helper()
	done := make(chan struct{})
	t.Cleanup(func() { close(done) })
	return NewPipe(text, io.Discard, done)
}

// endless is a text again and again.
func endless(text string) io.Reader { return &again{text, text} }

type again struct{ text, left string }

func (a *again) Read(p []byte) (int, error) {
	n := copy(p, a.left)
	if a.left = a.left[n:]; a.left == "" {
		a.left = a.text
	}
	return n, nil
}

// TestPipeBoundsWhatComes: nothing that a machine sends takes more than its share of memory or time.
func TestPipeBoundsWhatComes(t *testing.T) {
	hello := fmt.Sprintf(`{"version":%d}`, version) + "\n"
	for what, c := range map[string]struct {
		from io.Reader
		want error
	}{
		"nothing":            {strings.NewReader(""), ErrEnded},
		"a greeting":         {strings.NewReader("Welcome to larch!\n"), errNotDowse},
		"half a frame":       {strings.NewReader(hello + `{"done":tr`), ErrEnded},
		"garbage":            {strings.NewReader(hello + "\x00\x01\n"), errNotUsable},
		"a line without end": {endless(strings.Repeat("x", 1<<16)), errLongLine},
		"frames without end": {io.MultiReader(strings.NewReader(hello), endless(strings.Repeat("{}\n", 1<<12))), errLongLine},
		"long frames":        {io.MultiReader(strings.NewReader(hello), endless(`{"code":"`+strings.Repeat("x", 1<<20)+`"}`+"\n")), errLongLine},
		"another version":    {strings.NewReader(`{"version":99,"done":true,"value":{}}` + "\n"), ErrOtherVersion},
		"another kind":       {strings.NewReader(hello + `{"done":true,"value":[1]}` + "\n"), errNotUsable},
		"deep":               {strings.NewReader(hello + `{"done":true,"value":` + strings.Repeat("[", 20_000) + "\n"), errNotUsable},
	} {
		if r, err := says(t, c.from).Search(t.Context(), engine.Request{Query: "a"}); !errors.Is(err, c.want) {
			t.Errorf("%s: %+v, %v", what, r, err)
		}
	}
}

// TestPipeWaitsWhileItBeats: a machine at work is waited for, one that says nothing is not.
func TestPipeWaitsWhileItBeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from, to := io.Pipe()
		done := make(chan struct{})
		asks := NewPipe(from, io.Discard, done)
		go func() {
			w := bufio.NewWriter(to)
			for n := range 10 {
				if n == 0 {
					_, _ = fmt.Fprintf(w, "{\"version\":%d}\n", version)
				} else {
					_, _ = w.WriteString("{}\n")
				}
				_ = w.Flush()
				<-time.After(ownerPatience - time.Second)
			}
		}()
		start := time.Now()
		_, err := asks.Search(t.Context(), engine.Request{Query: "a"})
		if took := time.Since(start); !errors.Is(err, errNoAnswer) || took < 10*(ownerPatience-2*time.Second) {
			t.Errorf("after %v: %v", took, err)
		}
		close(done)
		_ = to.Close()
	})
}

// TestPipeEndsWithItsInput: what is under way ends when the other side hangs up.
func TestPipeEndsWithItsInput(t *testing.T) {
	f, asks, hangUp := piped(t)
	go func() { _, _ = asks.Search(t.Context(), engine.Request{Query: "block"}) }()
	<-f.blocked
	hangUp()
	if err := <-f.released; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
