package leann

import (
	"container/list"
	"sync"
)

// Memo keeps the vectors that were recomputed last, across searches: what is
// typed next mostly finds what was found before. It is bounded in bytes and
// safe for concurrent use. A chunk id is never given twice, so that nothing in
// it goes out of date.
type Memo struct {
	mu    sync.Mutex
	room  int // vectors
	by    map[uint32]*list.Element
	order *list.List // of memoized, used last first
	grow  func(bytes int64)
}

type memoized struct {
	node   uint32
	vector []float32
}

// memoOverhead is what a vector takes beside its numbers: list element, map
// entry and slice header.
const memoOverhead = 160

// NewMemo returns a Memo for vectors of length dim that takes at most the
// given bytes. grow, if not nil, is told what it takes as it fills.
func NewMemo(bytes int64, dim int, grow func(bytes int64)) *Memo {
	if grow == nil {
		grow = func(int64) {}
	}
	return &Memo{room: int(bytes / int64(4*dim+memoOverhead)), by: map[uint32]*list.Element{}, order: list.New(), grow: grow}
}

// Get copies the vector of a node to dst and reports whether there is one.
func (m *Memo) Get(node uint32, dst []float32) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.by[node]
	if !ok {
		return false
	}
	m.order.MoveToFront(e)
	copy(dst, e.Value.(*memoized).vector)
	return true
}

// Put keeps a copy of a node's vector, in place of the one that was not used
// for longest.
func (m *Memo) Put(node uint32, vector []float32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.by[node]; ok || m.room == 0 {
		return
	}
	if len(m.by) < m.room {
		m.grow(int64(4*len(vector) + memoOverhead))
		m.by[node] = m.order.PushFront(&memoized{node, append([]float32(nil), vector...)})
		return
	}
	e := m.order.Back()
	old := e.Value.(*memoized)
	delete(m.by, old.node)
	old.node = node
	copy(old.vector, vector)
	m.order.MoveToFront(e)
	m.by[node] = e
}

// Full reports whether one more vector would push out another.
func (m *Memo) Full() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.by) >= m.room
}

// Len returns the number of vectors kept.
func (m *Memo) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.by)
}
