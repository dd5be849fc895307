package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// serve starts a server that answers with handler.
func serve(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body) // a server notices that its client is gone once it has read everything
		r.Body = io.NopCloser(bytes.NewReader(data))
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	return server
}

// brief are limits so short that a test can wait for them, and so long that a
// busy machine meets them.
func brief(address string) Options {
	return Options{
		URL: address + "/v1", Model: "small", Local: true, First: 4 * time.Second, Idle: 3 * time.Second, Whole: 5 * time.Second,
		MaxEvent: 64 << 10, MaxBytes: 1 << 20, MaxText: 2 << 10,
	}
}

// chat asks the server once and returns what was emitted as well.
func chat(ctx context.Context, t *testing.T, o Options) (reply Reply, emitted string, err error) {
	t.Helper()
	client, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	reply, err = client.Chat(ctx, Request{Messages: []Message{{"user", "who wrote grep?"}}, MaxTokens: 32}, func(more string) error {
		text.WriteString(more)
		return nil
	})
	if reply.Text != text.String() {
		t.Errorf("the reply is %q, and %q was emitted", reply.Text, text.String())
	}
	return reply, text.String(), err
}

// delta is the event of a piece of text.
func delta(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string
	}
	return fmt.Sprintf("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%s},\"finish_reason\":null}]}\n\n", data)
}

const (
	stops = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
	done  = "data: [DONE]\n\n"
)

// write sends text at once.
func write(w http.ResponseWriter, text string) {
	_, _ = w.Write([]byte(text)) // the client may be gone
	w.(http.Flusher).Flush()
}

// stream answers with events.
func stream(events ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range events {
			write(w, e)
		}
	}
}
