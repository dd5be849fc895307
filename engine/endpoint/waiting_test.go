package endpoint

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"dowse/engine"
	"dowse/internal/testwait"
)

// silent reads what it is asked and says nothing.
func silent(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// requests are what a server can be asked.
var requests = map[string]func(ctx context.Context, c *Client) error{
	"chat": func(ctx context.Context, c *Client) error {
		_, err := c.Chat(ctx, Request{Messages: []Message{{"user", "who?"}}}, func(string) error { return nil })
		return err
	},
	"embed": func(ctx context.Context, c *Client) error {
		_, err := c.Embed(ctx, []string{"heron"}, 0)
		return err
	},
	"rerank": func(ctx context.Context, c *Client) error {
		_, err := c.Rerank(ctx, "heron", []string{"reeds"})
		return err
	},
}

// TestASilenceIsTold: of a server that says nothing there is a word at each interval, by the
// options or by the context.
func TestASilenceIsTold(t *testing.T) {
	server := serve(t, silent)
	for name, ask := range requests {
		o := brief(server.URL)
		o.Word, o.First, o.Whole = 10*time.Millisecond, time.Hour, time.Hour
		ctx, cancel := context.WithCancel(t.Context())
		var told []time.Duration
		o.Waiting = func(silent time.Duration) {
			if told = append(told, silent); len(told) == 2 {
				cancel()
			}
		}
		c, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := ask(ctx, c); !errors.Is(err, context.Canceled) || told[0] != o.Word || told[1] != 2*o.Word || !slices.IsSorted(told) {
			t.Errorf("%s: told %v, %v", name, told, err)
		}
		var sentences []string
		o.Waiting = nil
		if c, err = New(o); err != nil {
			t.Fatal(err)
		}
		ctx, cancel = context.WithCancel(t.Context())
		telling := engine.Telling(ctx, func(sentence string) {
			if sentences = append(sentences, sentence); len(sentences) == 2 {
				cancel()
			}
		})
		if err := ask(telling, c); !errors.Is(err, context.Canceled) || sentences[0] != "waiting for "+c.Host()+" for 10ms" {
			t.Errorf("%s: told %q, %v", name, sentences, err)
		}
	}
}

// TestASilenceEnds: each request ends when its server was silent for as long as it may be.
func TestASilenceEnds(t *testing.T) {
	server := serve(t, silent)
	for name, ask := range requests {
		o := brief(server.URL)
		o.First = 20 * time.Millisecond
		c, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := ask(t.Context(), c); !errors.Is(err, errSilent) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestASilenceIsToldUntilItEnds, and a sign of life begins it anew.
func TestASilenceIsToldUntilItEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []time.Duration
		p := newPatience(t.Context(), Options{
			Word: 4 * time.Second, First: 10 * time.Second, Whole: time.Hour,
			Waiting: func(silent time.Duration) { told = append(told, silent) },
		})
		<-time.After(9 * time.Second)
		p.lives()
		p.wait(22 * time.Second)
		<-p.ctx.Done()
		p.end()
		want := []time.Duration{4 * time.Second, 8 * time.Second, 4 * time.Second, 8 * time.Second, 12 * time.Second, 16 * time.Second, 20 * time.Second}
		if err := p.reason(t.Context(), nil); !errors.Is(err, errSilent) || !slices.Equal(told, want) {
			t.Errorf("told %v, %v", told, err)
		}
	})
}

// TestWaitingEndsAtOnce: a person who ends it waits for no limit, and is told nothing then.
func TestWaitingEndsAtOnce(t *testing.T) {
	server := serve(t, silent)
	for name, ask := range requests {
		ctx, cancel := context.WithCancel(t.Context())
		o := Options{URL: server.URL + "/v1", Model: "small", Local: true, Word: 20 * time.Millisecond}
		ended, late := false, false
		o.Waiting = func(time.Duration) { late = late || ended; cancel() }
		c, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- ask(ctx, c) }()
		if !testwait.For(testwait.Patience, func() bool { return len(done) > 0 }) {
			t.Fatalf("%s: it goes on", name)
		}
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		ended = true
		if late {
			t.Errorf("%s: told afterwards", name)
		}
	}
}

// TestASlowServerIsNotSilent: what comes now and then is a sign of life.
func TestASlowServerIsNotSilent(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		for range 20 {
			_, _ = w.Write([]byte(delta("x ")))
			w.(http.Flusher).Flush()
			<-time.After(10 * time.Millisecond)
		}
		_, _ = w.Write([]byte(done))
	})
	o := brief(server.URL)
	o.Word = 2 * time.Second
	o.Waiting = func(silent time.Duration) { t.Errorf("told of %v", silent) }
	if _, _, err := chat(t.Context(), t, o); err != nil {
		t.Error(err)
	}
}
