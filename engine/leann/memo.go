package leann

import (
	"container/list"
	"sync"
)

// Memo keeps the vectors recomputed last across searches: what a person types next mostly
// finds the same chunks. It is bounded in bytes and safe for concurrent use. It never goes
// out of date, since a reused chunk id comes with another hash.
type Memo struct {
	mu    sync.Mutex
	room  int // vectors
	by    map[MemoKey]*list.Element
	order *list.List // of memoized, used last first
	grow  func(bytes int64)
}

// MemoKey names the text of a vector: chunk id, hash and length.
type MemoKey struct {
	Chunk, Hash, Bytes uint32
}

type memoized struct {
	key    MemoKey
	vector []float32
}

// memoOverhead is the bytes beside a vector: list element, map entry, slice header.
const memoOverhead = 192

// NewMemo returns a Memo for vectors of length dim. It takes at most the given bytes and
// tells grow, if not nil, as it fills.
func NewMemo(bytes int64, dim int, grow func(bytes int64)) *Memo {
	if grow == nil {
		grow = func(int64) {}
	}
	return &Memo{room: int(bytes / int64(4*dim+memoOverhead)), by: map[MemoKey]*list.Element{}, order: list.New(), grow: grow}
}

// Get copies the vector of a text to dst and reports whether there is one.
func (m *Memo) Get(key MemoKey, dst []float32) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.by[key]
	if !ok {
		return false
	}
	m.order.MoveToFront(e)
	copy(dst, e.Value.(*memoized).vector)
	return true
}

// Put keeps a copy of a text's vector and evicts the least recently used one.
func (m *Memo) Put(key MemoKey, vector []float32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.by[key]; ok || m.room == 0 {
		return
	}
	if len(m.by) < m.room {
		m.grow(int64(4*len(vector) + memoOverhead))
		m.by[key] = m.order.PushFront(&memoized{key, append([]float32(nil), vector...)})
		return
	}
	e := m.order.Back()
	old := e.Value.(*memoized)
	delete(m.by, old.key)
	old.key = key
	copy(old.vector, vector)
	m.order.MoveToFront(e)
	m.by[key] = e
}

// Drop forgets all vectors and returns their bytes, those told to grow.
func (m *Memo) Drop() (bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.by {
		bytes += int64(4*len(e.Value.(*memoized).vector) + memoOverhead)
	}
	clear(m.by)
	m.order.Init()
	return bytes
}

// Len returns the number of vectors kept.
func (m *Memo) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.by)
}
