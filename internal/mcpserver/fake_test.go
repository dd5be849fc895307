package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"testing"

	"dowse/engine"
)

// fake is an index whose answers a test gives.
type fake struct {
	engine.Service
	search func(context.Context, engine.Request) (*engine.Result, error)
	read   func(engine.ReadRequest) (*engine.FileText, error)
	closed chan struct{} // gets a value at each close; may be nil
}

func (f *fake) Search(ctx context.Context, req engine.Request, _ func(engine.Event)) (*engine.Result, error) {
	return f.search(ctx, req)
}

func (f *fake) Read(_ context.Context, req engine.ReadRequest) (*engine.FileText, error) {
	return f.read(req)
}

func (f *fake) Status(context.Context) (*engine.Status, error) {
	return &engine.Status{Roots: []string{"/notes"}, Files: 7, Chunks: 9, Skipped: map[string]int{"binary": 3}}, nil
}

func (f *fake) Close() error {
	if f.closed != nil {
		f.closed <- struct{}{}
	}
	return nil
}

// served is a server over an index.
func served(service engine.Service) *Server {
	return New(Options{Version: "1", Clean: strings.ToUpper, Open: func(context.Context) (engine.Service, error) { return service, nil }})
}

// client speaks with a server line by line.
type client struct {
	t     *testing.T
	in    *io.PipeWriter
	lines chan map[string]json.RawMessage
	ended chan error
}

// connect runs a server for a client until the test ends.
func connect(t *testing.T, s *Server) *client {
	t.Helper()
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	c := &client{t: t, in: inWrite, lines: make(chan map[string]json.RawMessage, 100), ended: make(chan error, 1)}
	go func() {
		c.ended <- s.Run(context.Background(), inRead, outWrite)
		_ = outWrite.Close()
	}()
	go func() {
		defer close(c.lines)
		for d := json.NewDecoder(outRead); ; {
			var line map[string]json.RawMessage
			if d.Decode(&line) != nil {
				return
			}
			c.lines <- line
		}
	}()
	t.Cleanup(func() { _ = inWrite.Close() })
	return c
}

// send writes bytes as they are.
func (c *client) send(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, text); err != nil {
		c.t.Fatal(err)
	}
}

// handshake is that of the older protocols.
const handshake = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// begin shakes hands.
func (c *client) begin() {
	c.t.Helper()
	c.send(handshake)
	if line := c.next(); string(line["id"]) != `"i"` || line["result"] == nil {
		c.t.Fatalf("initialize: %s", line)
	}
}

// next is the next message of the server; nil at its end.
func (c *client) next() map[string]json.RawMessage { return <-c.lines }

// recorder is an output of which a test waits for nothing.
type recorder struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.Write(p)
}
