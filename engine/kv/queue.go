package kv

import "container/list"

// Queue is the eviction order of chunks: least recently used first. K names a chunk among all
// conversations. The zero Queue is empty.
//
// LLMS evicts chunks of the most bits first (LCTRU). Every conversation then loses its 8-bit
// chunks, the next one called too, and those take no less to restore: a byte reads as fast at
// any level, and nothing that can be read is computed behind lowered chunks.
type Queue[K comparable] struct {
	order   list.List // of queued[K], last used at the end
	entries map[K]*list.Element
}

// queued is a chunk in a Queue.
type queued[K comparable] struct {
	chunk K
	bytes int64
}

// Use puts a chunk, new or not, at the end of the queue, with its bytes in memory.
func (q *Queue[K]) Use(chunk K, bytes int64) {
	q.Remove(chunk)
	if q.entries == nil {
		q.entries = map[K]*list.Element{}
	}
	q.entries[chunk] = q.order.PushBack(queued[K]{chunk: chunk, bytes: bytes})
}

// Remove takes a chunk out, if it is there.
func (q *Queue[K]) Remove(chunk K) {
	e := q.entries[chunk]
	if e == nil {
		return
	}
	delete(q.entries, chunk)
	q.order.Remove(e)
}

// Evict removes chunks in order until they have at least that many bytes together, or none
// but locked ones are left, and returns them. locked may be nil.
func (q *Queue[K]) Evict(bytes int64, locked func(chunk K) bool) []K {
	var out []K
	for e := q.order.Front(); e != nil && bytes > 0; {
		own, next := entry[K](e), e.Next()
		if locked == nil || !locked(own.chunk) {
			q.Remove(own.chunk)
			out = append(out, own.chunk)
			bytes -= own.bytes
		}
		e = next
	}
	return out
}

func entry[K comparable](e *list.Element) queued[K] {
	own, _ := e.Value.(queued[K])
	return own
}
