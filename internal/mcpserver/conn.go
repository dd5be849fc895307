package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessage bounds a message of the client, in bytes. A question is far smaller.
const maxMessage = 1 << 20

// Codes of JSON-RPC.
const (
	codeParse   = -32700
	codeInvalid = -32600
)

// listening is the method that is answered when the session ends.
const listening = "subscriptions/listen"

// Conn is a transport of messages, one a line, that goes on after lines that are none.
type Conn struct {
	out io.Writer

	messages chan jsonrpc.Message // closed at the end of the input
	closed   chan struct{}
	once     sync.Once

	mu      sync.Mutex // guards what follows, and is held while a line is written
	calls   map[jsonrpc.ID]bool
	idle    chan struct{} // closed when no call is under way; nil unless somebody waits
	broken  bool          // out takes nothing more
	discard bool          // the line that is being read is too long
}

// newConn starts to read.
func newConn(in io.Reader, out io.Writer) *Conn {
	c := &Conn{out: out, messages: make(chan jsonrpc.Message), closed: make(chan struct{}), calls: map[jsonrpc.ID]bool{}}
	go c.listen(in)
	return c
}

// Connect implements mcp.Transport.
func (c *Conn) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID implements mcp.Connection.
func (c *Conn) SessionID() string { return "" }

// listen hands on messages until the input ends.
func (c *Conn) listen(in io.Reader) {
	defer close(c.messages)
	lines := bufio.NewReaderSize(in, maxMessage)
	for {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			c.discard = true
			continue
		}
		if !c.hear(line) || err != nil {
			return
		}
	}
}

// hear takes a line, and returns false when the session has ended.
func (c *Conn) hear(line []byte) bool {
	if c.discard {
		c.discard = false
		return c.refuse(nil, codeInvalid, "the message is longer than 1 MiB")
	}
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\uFEFF")))
	if len(line) == 0 {
		return true
	}
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return c.misheard(line, err)
	}
	if request, is := message.(*jsonrpc.Request); is {
		c.note(request)
	}
	select {
	case c.messages <- message:
		return true
	case <-c.closed:
		return false
	}
}

// misheard refuses a line that is no message, by its id where it has one.
func (c *Conn) misheard(line []byte, why error) bool {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	switch err := json.Unmarshal(line, &m); {
	case !json.Valid(line):
		return c.refuse(nil, codeParse, "the line is no JSON: messages are one line each")
	case line[0] == '[':
		return c.refuse(nil, codeInvalid, "batches of messages are not taken; send one message a line")
	case err != nil:
		m.ID = nil
	}
	if _, err := jsonrpc.MakeID(idValue(m.ID)); err != nil {
		m.ID = nil
	}
	return c.refuse(m.ID, codeInvalid, why.Error())
}

func idValue(raw json.RawMessage) (id any) {
	_ = json.Unmarshal(raw, &id) // an id that is not JSON stays nil
	return id
}

// note notes a call, or that one is cancelled.
func (c *Conn) note(r *jsonrpc.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.IsCall() && r.Method != listening {
		c.calls[r.ID] = false
	}
	if r.Method != "notifications/cancelled" {
		return
	}
	var params struct {
		RequestID any `json:"requestId"`
	}
	if json.Unmarshal(r.Params, &params) != nil {
		return
	}
	id, err := jsonrpc.MakeID(params.RequestID)
	if _, underWay := c.calls[id]; err == nil && underWay {
		c.calls[id] = true
	}
}

// refuse writes an error that is no reply to a call.
func (c *Conn) refuse(id json.RawMessage, code int, text string) bool {
	if id == nil {
		id = json.RawMessage("null")
	}
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": text}})
	if err != nil {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.writeLine(line) == nil
}

// writeLine writes a message. mu is held.
func (c *Conn) writeLine(line []byte) error {
	_, err := c.out.Write(append(line, '\n'))
	c.broken = c.broken || err != nil
	return err
}

// Read implements mcp.Connection. The end of the input waits for the calls under way.
func (c *Conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m, ok := <-c.messages:
		if ok {
			return m, nil
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.closed:
		return nil, io.EOF
	}
	select {
	case <-c.answered():
	case <-ctx.Done():
	case <-c.closed:
	}
	return nil, io.EOF
}

// answered returns a channel that is closed when no call is under way.
func (c *Conn) answered() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.idle == nil {
		c.idle = make(chan struct{})
		c.settle()
	}
	return c.idle
}

// settle closes idle where no call is under way, or nobody could be answered. mu is held.
func (c *Conn) settle() {
	if c.idle == nil || len(c.calls) > 0 && !c.broken {
		return
	}
	select {
	case <-c.idle:
	default:
		close(c.idle)
	}
}

// Write implements mcp.Connection.
func (c *Conn) Write(_ context.Context, m jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.settle()
	if r, is := m.(*jsonrpc.Response); is {
		cancelled := c.calls[r.ID]
		delete(c.calls, r.ID)
		if cancelled {
			return nil
		}
	}
	return c.writeLine(line)
}

// isBroken reports whether nobody takes what is written.
func (c *Conn) isBroken() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.broken
}

// Close implements mcp.Connection.
func (c *Conn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}
