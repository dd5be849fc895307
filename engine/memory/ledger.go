package memory

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Ledger counts the bytes held in named pools. It is safe for concurrent use, the zero value is
// ready, and methods of a nil *Ledger do nothing.
type Ledger struct {
	mu          sync.Mutex
	pools       map[string]*Pool
	total, peak int64 // of all pools together
}

// Pool is the present and the peak size of one pool, in bytes.
type Pool struct {
	Name  string
	Bytes int64
	Peak  int64
}

// Grow adds n bytes to a pool, new or not. It panics if n is negative.
func (l *Ledger) Grow(pool string, n int64) {
	if n < 0 {
		panic(fmt.Sprintf("memory: pool %q grows by %d bytes", pool, n))
	}
	l.add(pool, n)
}

// Shrink removes n bytes from a pool. It panics if n is negative or exceeds the pool.
func (l *Ledger) Shrink(pool string, n int64) {
	if n < 0 {
		panic(fmt.Sprintf("memory: pool %q shrinks by %d bytes", pool, n))
	}
	l.add(pool, -n)
}

func (l *Ledger) add(pool string, n int64) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.pools[pool]
	if p == nil {
		if l.pools == nil {
			l.pools = make(map[string]*Pool)
		}
		p = &Pool{Name: pool}
		l.pools[pool] = p
	}
	if p.Bytes+n < 0 {
		panic(fmt.Sprintf("memory: pool %q holds %d bytes and shrinks by %d", pool, p.Bytes, -n))
	}
	p.Bytes += n
	p.Peak = max(p.Peak, p.Bytes)
	l.total += n
	l.peak = max(l.peak, l.total)
}

// Snapshot returns all pools, sorted by name.
func (l *Ledger) Snapshot() []Pool {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	pools := make([]Pool, 0, len(l.pools))
	for _, p := range l.pools {
		pools = append(pools, *p)
	}
	slices.SortFunc(pools, func(a, b Pool) int { return strings.Compare(a.Name, b.Name) })
	return pools
}

// Total returns the bytes of all pools.
func (l *Ledger) Total() int64 {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.total
}

// Peak returns the most bytes of all pools at a time, at most the sum of their peaks.
func (l *Ledger) Peak() int64 {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.peak
}
