package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"time"

	"dowse/engine"
)

// Client is an engine.Service that asks the owner of the store. It holds no
// connection between calls.
type Client struct {
	path     string
	patience time.Duration // with an owner that says nothing
}

// Dial finds the process that listens on the socket at path and greets it.
// errors.Is(err, ErrNobody) says that no process does,
// and errSilent that one has it and does not answer.
func Dial(ctx context.Context, path string) (*Client, error) {
	return dial(ctx, path, ownerPatience)
}

func dial(ctx context.Context, path string, patience time.Duration) (*Client, error) {
	c := &Client{path: path, patience: patience}
	if !private(path) {
		return nil, fmt.Errorf("%w: the socket %s belongs to another user", ErrNobody, path)
	}
	if err := c.do(ctx, call{Op: opHello}, nil, nil); err != nil {
		return nil, err
	}
	return c, nil
}

// ownerPatience is how long the owner may be silent. It beats every second, which needs nothing of
// its work.
const ownerPatience = 5 * time.Second

// errSilent says that a process has the socket and does not answer.
var errSilent = errors.New("the dowse that owns the index does not answer")

// silent is the error for a process that has the socket and does not answer; pid is 0 if unknown.
func silent(pid int) error {
	if pid == 0 {
		return fmt.Errorf("%w; end it (dowse watch, or the dowse in another terminal) and try again", errSilent)
	}
	return fmt.Errorf("%w: process %d; it may be stopped: kill -CONT %d lets it go on, kill -KILL %d ends it; then try again", errSilent, pid, pid, pid)
}

// ErrNobody says that no process serves the socket.
var ErrNobody = errors.New("no dowse is running")

// Subscribe implements engine.Searcher. When the owner ends, a last event
// tells so and the channel closes.
func (c *Client) Subscribe(ctx context.Context) (<-chan engine.Event, error) {
	events := make(chan engine.Event, 16)
	send := func(e engine.Event) {
		select {
		case events <- e:
		case <-ctx.Done():
		}
	}
	go func() {
		defer close(events)
		err := c.do(ctx, call{Op: opSubscribe}, send, nil)
		if ctx.Err() == nil {
			if err == nil {
				err = ErrGone
			}
			send(engine.Event{Problem: err.Error()})
		}
	}()
	return events, nil
}

// Close implements engine.Searcher; there is nothing to release.
func (c *Client) Close() error { return nil }

// do makes one call, hands on its events, and decodes the result into value unless that is nil.
// Cancelling ctx hangs up.
func (c *Client) do(ctx context.Context, ask call, emit func(engine.Event), value any) error {
	dialer := net.Dialer{Timeout: c.patience} // a socket with many that wait takes no more
	conn, err := dialer.DialContext(ctx, "unix", c.path)
	if err != nil {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case noRoom(err):
			return silent(0)
		}
		return fmt.Errorf("%w: %w", ErrNobody, err)
	}
	defer conn.Close() //nolint:errcheck // the answer is complete or lost already
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()

	ask.Version = version
	if err := json.NewEncoder(conn).Encode(onWire(ask)); err != nil {
		return c.broken(ctx, err)
	}
	frames := json.NewDecoder(conn)
	for first := true; ; first = false {
		var f frame
		err := conn.SetReadDeadline(time.Now().Add(c.patience))
		if err == nil {
			err = frames.Decode(&f)
		}
		if errors.Is(err, os.ErrDeadlineExceeded) && ctx.Err() == nil {
			return silent(peer(conn))
		}
		if err != nil {
			return c.broken(ctx, err)
		}
		f = offWire(f)
		switch {
		case first && f.Version != version:
			return ErrVersion
		case f.Error != "":
			err := decodeError(f)
			if errors.Is(err, context.Canceled) && ctx.Err() == nil {
				return ErrGone // it was the owner that gave up, since it ends
			}
			return err
		case f.Done && value != nil:
			if err := json.Unmarshal(f.Value, value); err != nil {
				return fmt.Errorf("%w: %w", ErrVersion, err)
			}
			restore(value)
			return nil
		case f.Done:
			return nil
		case f.Event != nil && emit != nil:
			emit(*f.Event)
		}
	}
}

// noRoom reports whether a dial failed because the process that has the socket
// takes no connection: the dialer waited in vain, or the queue is full. The
// dialer's own timeout is no os.ErrDeadlineExceeded.
func noRoom(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout() || errors.Is(err, syscall.EAGAIN)
}

// broken words the loss of a connection.
func (c *Client) broken(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return ErrGone
	default:
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
}
