package kv

import "container/list"

// Queue is the order in which chunks leave memory: those first that were used the longest
// time ago. K names a chunk among all conversations. The zero Queue is empty.
type Queue[K comparable] struct {
	order   list.List // of queued[K], the chunk used last at the end
	entries map[K]*list.Element
	bytes   int64
}

// queued is a chunk in a Queue.
type queued[K comparable] struct {
	chunk K
	bytes int64
}

// Use puts a chunk, new or not, at the end of the queue, with the bytes that it has in
// memory.
func (q *Queue[K]) Use(chunk K, bytes int64) {
	q.Remove(chunk)
	if q.entries == nil {
		q.entries = map[K]*list.Element{}
	}
	q.entries[chunk] = q.order.PushBack(queued[K]{chunk: chunk, bytes: bytes})
	q.bytes += bytes
}

// Remove takes a chunk out, if it is there.
func (q *Queue[K]) Remove(chunk K) {
	e := q.entries[chunk]
	if e == nil {
		return
	}
	delete(q.entries, chunk)
	q.order.Remove(e)
	q.bytes -= entry[K](e).bytes
}

// Len returns the number of chunks.
func (q *Queue[K]) Len() int { return len(q.entries) }

// Bytes returns what the chunks take in memory.
func (q *Queue[K]) Bytes() int64 { return q.bytes }

// Evict takes chunks out, in their order, until they have at least that many bytes
// together, and returns them. It skips those that are locked; where too few are left,
// it returns all of these. locked may be nil.
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

// entry returns what an element of a queue holds.
func entry[K comparable](e *list.Element) queued[K] {
	own, _ := e.Value.(queued[K])
	return own
}
