package endpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// patience is how long a server is waited for: with a limit on its silence, and
// one on the whole. The request's context ends when either is over.
type patience struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	silence *time.Timer
	whole   *time.Timer
}

// newPatience waits for a first sign until first is over, whole for everything.
func newPatience(ctx context.Context, first, whole time.Duration) *patience {
	p := &patience{}
	p.ctx, p.cancel = context.WithCancelCause(ctx)
	p.silence = time.AfterFunc(first, func() { p.cancel(errSilent) })
	p.whole = time.AfterFunc(whole, func() { p.cancel(fmt.Errorf("its reply did not end within %v", whole)) })
	return p
}

// errSilent says that a server sends nothing.
var errSilent = errors.New("it did not answer in time; see whether it is busy or stuck")

// wait sets how long the server may be silent from now on.
func (p *patience) wait(d time.Duration) { p.silence.Reset(d) }

// end lets go of the request.
func (p *patience) end() {
	p.silence.Stop()
	p.whole.Stop()
	p.cancel(nil)
}

// reason is why a request failed with err: the caller, patience, or the server.
func (p *patience) reason(caller context.Context, err error) error {
	if caller.Err() != nil {
		return caller.Err()
	}
	if cause := context.Cause(p.ctx); cause != nil {
		return cause
	}
	return err
}

// watch bounds what is read of a body.
func (p *patience) watch(body io.Reader, most int) *watched {
	return &watched{body: body, patience: p, left: most}
}

// watched is a body of which every byte counts as a sign of life, once idle is
// set.
type watched struct {
	body     io.Reader
	patience *patience
	idle     time.Duration
	left     int
}

// errTooMuch says that a server sends more than any reply needs.
var errTooMuch = errors.New("it sent far more than an answer")

// Read implements io.Reader.
func (w *watched) Read(b []byte) (int, error) {
	if w.left <= 0 {
		return 0, errTooMuch
	}
	n, err := w.body.Read(b[:min(len(b), w.left)])
	w.left -= n
	if n > 0 && w.idle > 0 {
		w.patience.wait(w.idle)
	}
	return n, err
}

// readAll reads a body of at most so many bytes.
func readAll(r io.Reader, most int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err == nil && len(data) > most {
		err = errTooMuch
	}
	return data, err
}
