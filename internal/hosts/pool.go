package hosts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"dowse/internal/child"
	"dowse/internal/daemon"
)

// Pool keeps a connection to each machine that was asked, for as long as it is asked now and then.
type Pool struct {
	settings func() map[string]string // commands by the names of machines
	idle     time.Duration

	mu    sync.Mutex
	hosts map[[2]string]*host // by name and command
}

// idleClose is how long a connection stays open after a call.
const idleClose = 2 * time.Minute

// NewPool returns the machines of the settings, none of which is asked yet.
func NewPool(settings func() map[string]string) *Pool {
	return &Pool{settings: settings, idle: idleClose, hosts: map[[2]string]*host{}}
}

// Close closes all connections. Calls under way fail.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, h := range p.hosts {
		h.hangUp()
	}
}

// host returns the machine of a name.
func (p *Pool) host(name, command string) *host {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := [2]string{name, command}
	if p.hosts[key] == nil {
		p.hosts[key] = &host{name: name, command: append(strings.Fields(command), "dowse", "serve", "--stdio"), idle: p.idle, turn: make(chan struct{}, 1)}
	}
	return p.hosts[key]
}

// host is another machine.
type host struct {
	name    string
	command []string // that serves there
	idle    time.Duration
	turn    chan struct{} // holds a value while a call is under way

	mu      sync.Mutex
	conn    *conn // nil while no command runs
	closing *time.Timer
}

// conn is a command that runs.
type conn struct {
	pipe *daemon.Pipe
	to   io.Closer
	said *complaint
	end  context.CancelFunc // ends the command and what it started
	wait func() error
}

// with makes a call on the connection to the machine. A connection that turns out to be dead is made anew, once. When ctx ends,
// so does with; the call goes on until its reply has come, so that the next one finds the connection fit.
func (h *host) with(ctx context.Context, do func(ctx context.Context, p *daemon.Pipe) error) error {
	select {
	case h.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	done := make(chan error, 1)
	go func() {
		defer func() { <-h.turn }()
		done <- h.call(do)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// value makes a call that returns something: a call that nobody waits for any more may return later than with does.
func value[T any](ctx context.Context, with func(context.Context, func(context.Context, *daemon.Pipe) error) error, do func(ctx context.Context, p *daemon.Pipe) (*T, error)) (*T, error) {
	got := make(chan *T, 1)
	err := with(ctx, func(ctx context.Context, p *daemon.Pipe) error {
		v, err := do(ctx, p)
		if err == nil {
			got <- v
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return <-got, nil
}

// call is with for a caller whose turn it is.
func (h *host) call(do func(ctx context.Context, p *daemon.Pipe) error) error {
	for {
		c, isNew, err := h.connect()
		if err != nil {
			return err
		}
		err = do(context.Background(), c.pipe)
		if err == nil || daemon.IsReply(err) {
			h.rest()
			return err
		}
		h.hangUp()
		if text := c.said.text(); text != "" {
			err = fmt.Errorf("%w: %s", err, text)
		}
		if isNew || !errors.Is(err, daemon.ErrEnded) {
			return err
		}
	}
}

// connect returns the connection, which isNew where there was none.
func (h *host) connect() (c *conn, isNew bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing != nil {
		h.closing.Stop()
		h.closing = nil
	}
	if h.conn != nil {
		return h.conn, false, nil
	}
	ctx, end := context.WithCancel(context.Background())
	if h.conn, err = start(ctx, end, h.command); err != nil {
		end()
		return nil, false, fmt.Errorf("its command cannot be run: %w", err)
	}
	return h.conn, true, nil
}

// start runs a command.
func start(ctx context.Context, end context.CancelFunc, command []string) (*conn, error) {
	cmd, err := child.Talk(ctx, command[0], command[1:]...)
	if err != nil {
		return nil, err
	}
	c := &conn{said: &complaint{}, end: end, wait: cmd.Wait}
	cmd.Stderr = c.said
	to, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c.to, c.pipe = to, daemon.NewPipe(from, to, ctx.Done())
	return c, nil
}

// rest has the connection closed unless it is used again soon.
func (h *host) rest() {
	h.mu.Lock()
	defer h.mu.Unlock()
	var timer *time.Timer
	timer = time.AfterFunc(h.idle, func() {
		h.mu.Lock()
		var c *conn
		if h.closing == timer { // nobody called meanwhile
			c, h.conn, h.closing = h.conn, nil, nil
		}
		h.mu.Unlock()
		c.close()
	})
	h.closing = timer
}

// hangUp closes the connection, if there is one.
func (h *host) hangUp() {
	h.mu.Lock()
	c := h.conn
	h.conn, h.closing = nil, nil
	h.mu.Unlock()
	c.close()
}

// close ends the command.
func (c *conn) close() {
	if c == nil {
		return
	}
	_ = c.to.Close()
	c.end()
	_ = c.wait()
}

// complaint keeps the beginning of what a command says on its standard error.
type complaint struct {
	mu   sync.Mutex
	said []byte
}

// mostSaid is how many bytes are kept of that.
const mostSaid = 400

// Write implements io.Writer.
func (c *complaint) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.said = append(c.said, p[:min(len(p), mostSaid-len(c.said))]...)
	return len(p), nil
}

var _ io.Writer = (*complaint)(nil)

// text is its last line.
func (c *complaint) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(c.said)), "\n")
	return clean(strings.TrimSpace(lines[len(lines)-1]))
}
