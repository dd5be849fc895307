package endpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// patience bounds a server's silence and the whole request; its context ends at
// either limit. Long silences are reported.
type patience struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	silence *time.Timer
	whole   *time.Timer
	ended   chan struct{} // closed after the last report

	mu   sync.Mutex
	life time.Time // last sign of life
}

type tellKey struct{}

// Telling returns a context whose requests report a server's silence to tell,
// in a sentence, unless Options.Waiting is set. tell must not block.
func Telling(ctx context.Context, tell func(sentence string)) context.Context {
	return context.WithValue(ctx, tellKey{}, tell)
}

func (c *Client) patience(ctx context.Context) *patience {
	o := c.options
	if tell, ok := ctx.Value(tellKey{}).(func(string)); ok && o.Waiting == nil {
		o.Waiting = func(silent time.Duration) { tell(waits(c.Host(), silent)) }
	}
	return newPatience(ctx, o)
}

// waits words a host's silence.
func waits(host string, silent time.Duration) string {
	return fmt.Sprintf("waiting for %s for %v", host, silent)
}

// newPatience allows o.First for the first sign of life and o.Whole for all.
func newPatience(ctx context.Context, o Options) *patience {
	p := &patience{life: time.Now(), ended: make(chan struct{})}
	p.ctx, p.cancel = context.WithCancelCause(ctx)
	p.silence = time.AfterFunc(o.First, func() { p.cancel(errSilent) })
	p.whole = time.AfterFunc(o.Whole, func() { p.cancel(fmt.Errorf("its reply did not end within %v", o.Whole)) })
	if o.Waiting == nil {
		close(p.ended)
		return p
	}
	go p.tell(o)
	return p
}

// tell reports every further o.Word of silence.
func (p *patience) tell(o Options) {
	defer close(p.ended)
	for told := time.Duration(0); ; {
		p.mu.Lock()
		quiet := time.Since(p.life)
		p.mu.Unlock()
		if quiet < told {
			told = 0 // there was a sign of life
		}
		if quiet >= told+o.Word {
			told += o.Word
			o.Waiting(told)
			continue
		}
		select {
		case <-p.ctx.Done():
			return
		case <-time.After(told + o.Word - quiet):
		}
	}
}

// errSilent is a server's silence beyond its limit.
var errSilent = errors.New("it did not answer in time; see whether it is busy or stuck")

// wait sets the allowed silence from now on.
func (p *patience) wait(d time.Duration) { p.silence.Reset(d) }

func (p *patience) end() {
	p.silence.Stop()
	p.whole.Stop()
	p.cancel(nil)
	<-p.ended
}

func (p *patience) lives() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.life = time.Now()
}

// reason is why a request failed: the caller, patience, or err.
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

// watched is a body whose bytes are signs of life once idle is set.
type watched struct {
	body     io.Reader
	patience *patience
	idle     time.Duration
	left     int
}

// errTooMuch is a response larger than any reply needs.
var errTooMuch = errors.New("it sent far more than an answer")

func (w *watched) Read(b []byte) (int, error) {
	if w.left <= 0 {
		return 0, errTooMuch
	}
	n, err := w.body.Read(b[:min(len(b), w.left)])
	w.left -= n
	if n > 0 {
		w.patience.lives()
	}
	if n > 0 && w.idle > 0 {
		w.patience.wait(w.idle)
	}
	return n, err
}

func readAll(r io.Reader, most int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err == nil && len(data) > most {
		err = errTooMuch
	}
	return data, err
}
