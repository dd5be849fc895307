package indexer

import (
	"context"
	"sync"
	"unsafe"

	"golang.org/x/sync/semaphore"

	"dowse/engine/memory"
	"dowse/store"
)

// DefaultPrepared is the room for prepared files where Options name none, in bytes.
const DefaultPrepared = 64 << 20

// preparedPool is the ledger's pool of what prepared files hold.
const preparedPool = "indexer.prepared"

// perByte is what a prepared file holds at most for each byte of its text, as a
// rule: most are terms, which are strings of 16 bytes and a few letters.
const perByte = 11

// termBytes is what the terms of a log hold for each byte of its text: strings of 16 bytes, of which a line has some fifteen.
const termBytes = 5

// room bounds the bytes of files that are read and not committed yet. A file
// takes what it may come to before it is read, and gives back what it did not
// need. One that may come to more than all of the room goes alone. How much text
// a format gives is known when it is there: what a file holds beyond what it took
// is taken then, or owed, and nobody gets room before that is paid.
type room struct {
	limit  int64
	free   *semaphore.Weighted
	ledger *memory.Ledger

	mu   sync.Mutex
	owed int64 // held by files, and not taken of free
}

func newRoom(limit int64, ledger *memory.Ledger) *room {
	if limit <= 0 {
		limit = DefaultPrepared
	}
	return &room{limit: limit, free: semaphore.NewWeighted(limit), ledger: ledger}
}

// estimate returns the room that a file takes before it is read that is expected to
// give some bytes of text.
func (r *room) estimate(text int64) int64 { return min(text*perByte, r.limit) }

// try takes n bytes if they are free now.
func (r *room) try(n int64) bool {
	if !r.free.TryAcquire(n) {
		return false
	}
	r.ledger.Grow(preparedPool, n)
	return true
}

// wait takes n bytes once they are free.
func (r *room) wait(ctx context.Context, n int64) error {
	if err := r.free.Acquire(ctx, n); err != nil {
		return err
	}
	r.ledger.Grow(preparedPool, n)
	return nil
}

// settle gives back what a file did not need of the n bytes that it took, or takes
// what it needs beyond them. It never waits: those before the file may wait for it.
func (r *room) settle(p *prepared, n int64) {
	p.room = p.bytes()
	if p.room <= n {
		r.release(n - p.room)
		return
	}
	more := p.room - n
	r.ledger.Grow(preparedPool, more)
	if r.free.TryAcquire(more) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.owed += more
}

// leave gives back what a file holds.
func (r *room) leave(p *prepared) {
	r.release(p.room)
	p.room = 0
}

func (r *room) release(n int64) {
	r.ledger.Shrink(preparedPool, n) // first: what is free may be taken, and counted, at once
	r.mu.Lock()
	paid := min(n, r.owed)
	r.owed -= paid
	r.mu.Unlock()
	r.free.Release(n - paid)
}

// bytes returns what a prepared file holds. A string that an allocation was made for takes
// up to 16 bytes more.
func (p *prepared) bytes() int64 {
	const (
		header = int64(unsafe.Sizeof(""))
		slice  = int64(unsafe.Sizeof([]string{}))
		slack  = 16
	)
	n := p.text + int64(len(p.packed))
	for _, text := range p.texts {
		n += header + slack + int64(len(text))
	}
	for _, terms := range p.terms {
		n += slice + header*int64(cap(terms))
		for _, term := range terms {
			n += int64(len(term))
		}
	}
	if isLog(&p.file) { // terms of its new chunks come later
		n += termBytes * (n - p.text)
	}
	return n + int64(len(p.chunks))*int64(unsafe.Sizeof(store.Chunk{}))
}
