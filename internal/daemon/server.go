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
	"dowse/internal/ticks"
)

// Server answers calls on a unix socket from a Service.
type Server struct {
	service engine.Service
	path    string
	cancel  context.CancelFunc
	calls   sync.WaitGroup

	mu       sync.Mutex // guards what follows
	listener net.Listener
	socket   os.FileInfo // the file that the listener made
	closed   bool
}

// Listen starts a server on the socket at path, whose folder it creates. The
// caller must own the store: a socket file that is there already is therefore
// a left-over of a process that was killed, and is replaced. A socket that is
// removed later is made anew.
func Listen(path string, service engine.Service) (*Server, error) {
	ctx, cancel := context.WithCancel(context.Background())
	s := &Server{service: service, path: path, cancel: cancel}
	if err := s.listen(ctx); err != nil {
		cancel()
		return nil, err
	}
	s.calls.Go(func() { s.stay(ctx) })
	return s, nil
}

// listen makes the socket and accepts calls on it, and on none before it.
func (s *Server) listen(ctx context.Context) error {
	folder := filepath.Dir(s.path)
	if err := home.MakePrivate(folder); err != nil {
		return fmt.Errorf("the socket's folder: %w", err)
	}
	if !private(folder) { // such as one that someone put into /tmp in advance
		return fmt.Errorf("the socket's folder %s belongs to another user", folder)
	}
	if err := os.Remove(s.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("cannot replace the old socket: %w", err)
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: s.path, Net: "unix"})
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w", s.path, err)
	}
	listener.SetUnlinkOnClose(false) // by then the name may be another's
	err = os.Chmod(s.path, 0o600)
	var info os.FileInfo
	if err == nil {
		info, err = os.Lstat(s.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("cannot protect the socket: %w", err), listener.Close(), os.Remove(s.path))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errors.Join(listener.Close(), os.Remove(s.path))
	}
	if s.listener != nil {
		_ = s.listener.Close() // nobody can reach it any more
	}
	s.listener, s.socket = listener, info
	s.calls.Go(func() { s.accept(ctx, listener) })
	return nil
}

// dialPatience bounds the question whether another process serves a socket.
const dialPatience = time.Second

// stay looks whether the socket is there, one stat, and makes the socket anew when it was removed, until ctx ends. One that
// another process serves meanwhile is left alone.
func (s *Server) stay(ctx context.Context) {
	tick := ticks.New(ticks.Idle)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if s.there() {
			continue
		}
		if conn, err := net.DialTimeout("unix", s.path, dialPatience); err == nil {
			_ = conn.Close()
			continue
		}
		_ = s.listen(ctx) // what fails now is tried again
	}
}

// there reports whether the socket's name leads to this server.
func (s *Server) there() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	info, err := os.Lstat(s.path)
	return err == nil && os.SameFile(info, s.socket)
}

// Close stops listening, cancels the calls under way and waits for them. It
// removes the socket.
func (s *Server) Close() error {
	s.cancel()
	var err error
	if s.there() {
		err = os.Remove(s.path)
	}
	s.mu.Lock()
	s.closed = true
	err = errors.Join(err, s.listener.Close())
	s.mu.Unlock()
	s.calls.Wait()
	return err
}

// accept serves each connection in its own goroutine until the listener closes.
func (s *Server) accept(ctx context.Context, listener net.Listener) {
	for {
		conn, err := listener.Accept()
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
		s.calls.Go(func() { s.serve(ctx, conn) })
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

	out := &frameWriter{enc: json.NewEncoder(conn), deadline: conn.SetWriteDeadline, version: version}
	out.answer(ctx, s.service, line, func(call) error { return nil })
}

// answer runs a call and writes its frames, unless it is refused.
func (w *frameWriter) answer(ctx context.Context, service engine.Service, line []byte, refuse func(call) error) {
	var c call
	if err := json.Unmarshal(line, &c); err != nil {
		w.write(encodeError(fmt.Errorf("call not understood: %w", err)))
		return
	}
	if c.Version != version {
		w.write(encodeError(ErrVersion))
		return
	}
	c = offWire(c)
	if err := refuse(c); err != nil {
		w.write(encodeError(err))
		return
	}
	beating := w.beat(ctx)
	last := run(ctx, service, c, w.event)
	beating()
	w.write(last)
}

// run executes a call and returns its last frame.
func run(ctx context.Context, service engine.Service, c call, emit func(engine.Event)) frame {
	answer, known := answers[c.Op]
	if !known {
		return encodeError(notUnderstood(&c))
	}
	value, err := answer(ctx, service, &c, emit)
	if err != nil {
		return encodeError(err)
	}
	return encodeValue(value)
}

// callPatience is how long a client may take to say what it wants.
const callPatience = 5 * time.Second

// writePatience is how long a client may leave a frame unread. Events of a
// search are sent while it reads the store, which must not wait for a client
// that stopped: a writer would wait for that reader, and everyone for it.
const writePatience = 5 * time.Second

// beatEvery is how often the owner says that it is at work: several times within a client's
// patience.
const beatEvery = time.Second

// beat sends an empty frame every beatEvery until the function that it returns is called.
func (w *frameWriter) beat(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(beatEvery)
		defer tick.Stop()
		for {
			w.write(frame{})
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
	return func() { cancel(); <-done }
}

// frameWriter sends frames; the first one states the protocol version. After
// a failed write it stays silent: the client is gone, and its call is being
// cancelled.
type frameWriter struct {
	mu       sync.Mutex // held while a frame is written
	enc      *json.Encoder
	deadline func(time.Time) error // of a write
	version  int
	broken   bool
}

func (w *frameWriter) event(e engine.Event) { w.write(frame{Event: &e}) }

func (w *frameWriter) write(f frame) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken {
		return
	}
	f.Version, w.version = w.version, 0
	if w.broken = w.deadline(time.Now().Add(writePatience)) != nil; w.broken {
		return
	}
	w.broken = w.enc.Encode(onWire(f)) != nil
}
