package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"dowse/engine"
	"dowse/internal/home"
)

// Server answers calls on a unix socket from a Service.
type Server struct {
	service  engine.Service
	listener net.Listener
	path     string
	cancel   context.CancelFunc
	calls    sync.WaitGroup
}

// Listen starts a server on the socket at path, whose folder it creates. The
// caller must own the store: a socket file that is there already is therefore
// a left-over of a process that was killed, and is replaced.
func Listen(path string, service engine.Service) (*Server, error) {
	folder := filepath.Dir(path)
	if err := home.MakePrivate(folder); err != nil {
		return nil, fmt.Errorf("the socket's folder: %w", err)
	}
	if !private(folder) { // such as one that someone put into /tmp in advance
		return nil, fmt.Errorf("the socket's folder %s belongs to another user", folder)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("cannot replace the old socket: %w", err)
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", path, err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("cannot protect the socket: %w", err), listener.Close())
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &Server{service: service, listener: listener, path: path, cancel: cancel}
	s.calls.Add(1)
	go s.accept(ctx)
	return s, nil
}

// Close stops listening, cancels the calls under way and waits for them. It
// removes the socket.
func (s *Server) Close() error {
	s.cancel()
	err := s.listener.Close() // also unlinks the socket
	s.calls.Wait()
	return err
}

// accept serves each connection in its own goroutine until the listener closes.
func (s *Server) accept(ctx context.Context) {
	defer s.calls.Done()
	for {
		conn, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // out of descriptors, most likely: let calls under way finish
			select {
			case <-ctx.Done():
				return
			case <-time.After(50 * time.Millisecond):
				continue
			}
		}
		s.calls.Add(1)
		go func() {
			defer s.calls.Done()
			s.serve(ctx, conn)
		}()
	}
}

// serve reads one call, runs it, and closes the connection.
func (s *Server) serve(ctx context.Context, conn net.Conn) {
	defer conn.Close() //nolint:errcheck // the call is over, there is nobody to tell
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	in := bufio.NewReader(io.LimitReader(conn, maxCall))
	if conn.SetReadDeadline(time.Now().Add(callPatience)) != nil {
		return
	}
	line, err := in.ReadBytes('\n')
	if err != nil || conn.SetReadDeadline(time.Time{}) != nil {
		return // a client that went away, or that sent no call
	}
	// A client sends nothing after its call. Reading on returns when it goes
	// away, or when the server closes the connection.
	go func() {
		_, _ = in.ReadByte()
		cancel()
	}()
	go func() {
		<-ctx.Done()
		_ = conn.SetDeadline(time.Now().Add(time.Second)) // unblocks a write to a stuck client
	}()

	out := &frameWriter{conn: conn, enc: json.NewEncoder(conn), version: version}
	var c call
	if err := json.Unmarshal(line, &c); err != nil {
		out.write(encodeError(fmt.Errorf("call not understood: %w", err)))
		return
	}
	if c.Version != version {
		out.write(encodeError(ErrVersion))
		return
	}
	out.write(s.run(ctx, offWire(c), out.event))
}

// run executes a call and returns its last frame.
func (s *Server) run(ctx context.Context, c call, emit func(engine.Event)) frame {
	var value any
	var err error
	switch {
	case c.Op == opHello:
	case c.Op == opSearch && c.Request != nil:
		value, err = s.service.Search(ctx, *c.Request, emit)
	case c.Op == opPreview && c.Passage != nil:
		value, err = s.service.Preview(ctx, *c.Passage, c.Before, c.After)
	case c.Op == opStatus:
		value, err = s.service.Status(ctx)
	case c.Op == opIndex:
		value, err = s.service.Index(ctx, c.Folders, emit)
	case c.Op == opCheck:
		value, err = s.service.Check(ctx, emit)
	case c.Op == opForget:
		value, err = s.service.ForgetAnswers(ctx)
	case c.Op == opSubscribe:
		err = s.subscribe(ctx, emit)
	default:
		err = fmt.Errorf("call %q not understood", c.Op)
	}
	if err != nil {
		return encodeError(err)
	}
	return encodeValue(value)
}

// subscribe forwards events until the client or the server goes away.
func (s *Server) subscribe(ctx context.Context, emit func(engine.Event)) error {
	events, err := s.service.Subscribe(ctx)
	if err != nil {
		return err
	}
	for e := range events {
		emit(e)
	}
	return ctx.Err()
}

// callPatience is how long a client may take to say what it wants.
const callPatience = 5 * time.Second

// writePatience is how long a client may leave a frame unread. Events of a
// search are sent while it reads the store, which must not wait for a client
// that stopped: a writer would wait for that reader, and everyone for it.
const writePatience = 5 * time.Second

// frameWriter sends frames; the first one states the protocol version. After
// a failed write it stays silent: the client is gone, and its call is being
// cancelled.
type frameWriter struct {
	conn    net.Conn
	enc     *json.Encoder
	version int
	broken  bool
}

func (w *frameWriter) event(e engine.Event) { w.write(frame{Event: &e}) }

func (w *frameWriter) write(f frame) {
	if w.broken {
		return
	}
	f.Version, w.version = w.version, 0
	if w.broken = w.conn.SetWriteDeadline(time.Now().Add(writePatience)) != nil; w.broken {
		return
	}
	w.broken = w.enc.Encode(onWire(f)) != nil
}
