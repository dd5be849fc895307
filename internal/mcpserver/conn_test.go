package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"dowse/engine"
)

// TestHostileLines: what is no message is refused by an error of the protocol, and the session
// goes on.
func TestHostileLines(t *testing.T) {
	c := connect(t, served(&fake{}))
	c.begin()
	for name, hostile := range map[string]struct{ line, id, code string }{
		"stray line":         {"starting up...", "null", "-32700"},
		"half a frame":       {`{"jsonrpc":"2.0","id":3,"me`, "null", "-32700"},
		"no jsonrpc":         {`{"id":31,"method":"ping"}`, "31", "-32600"},
		"another jsonrpc":    {`{"jsonrpc":"1.0","id":"x","method":"ping"}`, `"x"`, "-32600"},
		"no method":          {`{"jsonrpc":"2.0"}`, "null", "-32600"},
		"number":             {"7", "null", "-32600"},
		"id that is none":    {`{"id":{},"method":"ping"}`, "null", "-32600"},
		"batch":              {`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "null", "-32600"},
		"frame of 10 MB":     {`{"jsonrpc":"2.0","id":4,"method":"ping","params":{"x":"` + strings.Repeat("x", 10<<20) + `"}}`, "null", "-32600"},
		"unknown method":     {`{"jsonrpc":"2.0","id":5,"method":"dance"}`, "5", "-32601"},
		"unknown tool":       {`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"delete"}}`, "6", "-32602"},
		"parameters no call": {`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"x"}`, "7", "-32602"},
	} {
		go func() { _, _ = io.WriteString(c.in, hostile.line+"\n") }() // the server answers while it is written
		line := c.next()
		var wrong struct {
			Code json.Number `json:"code"`
		}
		if err := json.Unmarshal(line["error"], &wrong); err != nil || wrong.Code.String() != hostile.code || string(line["id"]) != hostile.id {
			t.Errorf("%s: %s", name, line)
		}
	}
	c.send("\uFEFF{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"ping\"}\r\n\n  \n")
	if line := c.next(); string(line["id"]) != "8" || line["result"] == nil {
		t.Errorf("after all that: %s", line)
	}
}

// blocked is an index whose searches begin and wait for their end.
func blocked() (f *fake, begun chan struct{}, release chan error) {
	begun, release = make(chan struct{}, 9), make(chan error, 9)
	return &fake{search: func(ctx context.Context, _ engine.Request) (*engine.Result, error) {
		begun <- struct{}{}
		select {
		case <-ctx.Done():
			release <- ctx.Err()
			return nil, ctx.Err()
		case err := <-release:
			return &engine.Result{}, err
		}
	}}, begun, release
}

const search9 = `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"search","arguments":{"query":"x"}}}` + "\n"

// TestCancelledCallsEndWithoutReply.
func TestCancelledCallsEndWithoutReply(t *testing.T) {
	f, begun, release := blocked()
	c := connect(t, served(f))
	c.begin()
	c.send(search9)
	<-begun
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}` + "\n")
	if err := <-release; !errors.Is(err, context.Canceled) {
		t.Errorf("the search ended with %v", err)
	}
	c.send(`{"jsonrpc":"2.0","id":10,"method":"ping"}` + "\n")
	if line := c.next(); string(line["id"]) != "10" {
		t.Errorf("the cancelled call got %s", line)
	}
}

// TestEndOfInputAnswersFirst: what was asked before it gets its reply, and the end is no error.
func TestEndOfInputAnswersFirst(t *testing.T) {
	f, begun, release := blocked()
	c := connect(t, served(f))
	c.begin()
	c.send(search9)
	<-begun
	_ = c.in.Close()
	release <- nil
	if line := c.next(); string(line["id"]) != "9" || line["result"] == nil {
		t.Errorf("%s", line)
	}
	if err := <-c.ended; err != nil || c.next() != nil {
		t.Errorf("ended with %v", err)
	}
}

// brokenPipe takes nothing.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

// TestClientIsGone: the session ends, in good order, when nothing can be written, and calls under way end
// when dowse is told to.
func TestClientIsGone(t *testing.T) {
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n")
	if err := served(&fake{}).Run(t.Context(), in, brokenPipe{}); err != nil {
		t.Error(err)
	}
	f, begun, release := blocked()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-begun
		cancel()
	}()
	inRead := &endless{first: strings.NewReader(handshake + search9), ctx: t.Context()}
	if err := served(f).Run(ctx, inRead, &recorder{}); err != nil {
		t.Error(err)
	}
	if err := <-release; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// endless is an input that stays open behind its first lines.
type endless struct {
	first *strings.Reader
	ctx   context.Context
}

func (e *endless) Read(p []byte) (int, error) {
	if n, err := e.first.Read(p); err == nil {
		return n, nil
	}
	<-e.ctx.Done()
	return 0, e.ctx.Err()
}
