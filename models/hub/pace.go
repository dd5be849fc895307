package hub

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
)

// Progress is a download's state.
type Progress struct {
	Done  int64         // bytes
	Total int64         // bytes; 0: unknown
	Rate  float64       // recent bytes a second; 0: unknown
	Quiet time.Duration // since the last byte
}

const (
	// slowest is the rate in bytes a second below which a connection is given
	// up after a whole stall limit: a hundredth of a telephone line's.
	slowest    = 1 << 10
	usualStall = 30 * time.Second
	// looks is the number of checks in a stall limit.
	looks = 30
	// lately is the number of checks that a rate covers.
	lately = 5
)

// stalledError ends a stalled download.
type stalledError struct {
	limit time.Duration
	bytes int64 // received in it
}

func (e *stalledError) Error() string {
	came := "nothing"
	if e.bytes > 0 {
		came = humanize.Bytes(uint64(e.bytes))
	}
	return fmt.Sprintf("%s came within %v; check the network, or set HF_ENDPOINT to a mirror, and run the command again to go on from there", came, e.limit)
}

// pace measures the rate of bytes, reports it, and cancels stalled requests.
type pace struct {
	stall  time.Duration
	tell   func(Progress) // or nil
	cancel context.CancelCauseFunc
	ended  chan struct{}

	mu    sync.Mutex
	now   Progress
	came  int64 // bytes since the watch began
	marks []int64
	quiet int // checks since the last byte
}

// watch watches one request with done of total bytes present; a stall ends ctx
// with a stalledError as cause. The caller calls end.
func watch(parent context.Context, stall time.Duration, done, total int64, tell func(Progress)) (ctx context.Context, p *pace, end func()) {
	if stall == 0 {
		stall = usualStall
	}
	p = &pace{stall: stall, tell: tell, ended: make(chan struct{}), now: Progress{Done: done, Total: max(0, total)}}
	p.say()
	ctx, p.cancel = context.WithCancelCause(parent)
	go func() {
		defer close(p.ended)
		ticks := time.NewTicker(stall / looks)
		defer ticks.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
				p.look()
			}
		}
	}()
	return ctx, p, func() {
		p.cancel(nil)
		<-p.ended
	}
}

// look measures, and gives up a stalled connection.
func (p *pace) look() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.marks); n > 0 && p.marks[n-1] != p.came {
		p.quiet = 0
	}
	p.quiet++
	p.marks = append(p.marks, p.came)
	n, step := len(p.marks)-1, p.stall/looks
	if span := min(lately, n); span > 0 {
		p.now.Rate = float64(p.came-p.marks[n-span]) / (time.Duration(span) * step).Seconds()
	}
	p.now.Quiet = time.Duration(p.quiet-1) * step
	if n >= looks {
		if came := p.came - p.marks[n-looks]; float64(came) < slowest*p.stall.Seconds() {
			p.cancel(&stalledError{p.stall, came})
			return
		}
	}
	p.say()
}

// expect sets the present and expected bytes.
func (p *pace) expect(done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.Done, p.now.Total = done, max(0, total)
}

// Write counts bytes.
func (p *pace) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.came += int64(len(b))
	p.now.Done += int64(len(b))
	p.now.Quiet = 0
	p.say()
	return len(b), nil
}

// say reports. The caller holds mu.
func (p *pace) say() {
	if p.tell != nil {
		p.tell(p.now)
	}
}
