package hub

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
)

// Progress is how far a download has come.
type Progress struct {
	Done  int64         // bytes
	Total int64         // bytes; 0 while unknown
	Rate  float64       // bytes a second, lately; 0 while unknown
	Quiet time.Duration // in which nothing came
}

const (
	// slowest is the bytes a second below which a connection is given up that stays so for
	// a whole stall limit: a hundredth of what a telephone line brings.
	slowest = 1 << 10
	// usualStall is the stall limit.
	usualStall = 30 * time.Second
	// looks is how often a stall limit is looked at while it passes.
	looks = 30
	// lately is over how many looks a rate is told.
	lately = 5
)

// stalledError says that a download was given up because next to nothing came.
type stalledError struct {
	limit time.Duration
	bytes int64 // that came in it
}

func (e *stalledError) Error() string {
	came := "nothing"
	if e.bytes > 0 {
		came = humanize.Bytes(uint64(e.bytes))
	}
	return fmt.Sprintf("%s came within %v; check the network, or set HF_ENDPOINT to a mirror, and run the command again to go on from there", came, e.limit)
}

// pace watches how fast bytes come, tells it, and ends what waits for them where they stall.
type pace struct {
	stall  time.Duration
	tell   func(Progress) // nil: nobody is told
	cancel context.CancelCauseFunc
	ended  chan struct{}

	mu    sync.Mutex
	now   Progress
	came  int64 // bytes, since the watch began
	marks []int64
	quiet int // looks since something came
}

// watch begins to watch one request, after which done bytes of total are there at first; ctx
// ends with a stalledError as its cause where bytes stall. The caller ends the watch.
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

// look notes how much came by now. A connection that stalls is given up.
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

// expect says how many bytes are there, and will be.
func (p *pace) expect(done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.Done, p.now.Total = done, max(0, total)
}

// Write implements io.Writer: the bytes count.
func (p *pace) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.came += int64(len(b))
	p.now.Done += int64(len(b))
	p.now.Quiet = 0
	p.say()
	return len(b), nil
}

// say tells how far it is. The caller holds mu.
func (p *pace) say() {
	if p.tell != nil {
		p.tell(p.now)
	}
}
