package endpoint

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
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
// options or by the context, and then an end.
func TestASilenceIsTold(t *testing.T) {
	server := serve(t, silent)
	for name, ask := range requests {
		o := brief(server.URL)
		o.Word, o.First = 40*time.Millisecond, 220*time.Millisecond
		var told []time.Duration
		o.Waiting = func(silent time.Duration) { told = append(told, silent) }
		c, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := ask(t.Context(), c); !errors.Is(err, errSilent) {
			t.Errorf("%s: %v", name, err)
		}
		if len(told) < 2 || told[0] != o.Word || told[1] != 2*o.Word || !slices.IsSorted(told) {
			t.Errorf("%s: told %v", name, told)
		}
		var sentences []string
		o.Waiting = nil
		if c, err = New(o); err != nil {
			t.Fatal(err)
		}
		ctx := engine.Telling(t.Context(), func(sentence string) { sentences = append(sentences, sentence) })
		if err := ask(ctx, c); !errors.Is(err, errSilent) {
			t.Errorf("%s: %v", name, err)
		}
		if len(sentences) < 2 || sentences[0] != "waiting for "+c.Host()+" for 40ms" {
			t.Errorf("%s: told %q", name, sentences)
		}
	}
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
