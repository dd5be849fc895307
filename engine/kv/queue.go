package kv

// Queue is in which order chunks leave memory: those of most bits first, and within a
// level the one first that was used the longest time ago. K names a chunk among all
// conversations. The zero Queue is empty.
type Queue[K comparable] struct {
	entries map[K]queued
	clock   int64
}

// queued is a chunk in a Queue.
type queued struct {
	level Level
	bytes int64
	used  int64
}

// Use adds a chunk that is in memory, or says that it was used just now, at the level
// and with the bytes that it has by now.
func (q *Queue[K]) Use(chunk K, l Level, bytes int64) {
	if q.entries == nil {
		q.entries = map[K]queued{}
	}
	q.clock++
	q.entries[chunk] = queued{level: l, bytes: bytes, used: q.clock}
}

// Remove takes a chunk out, if it is there.
func (q *Queue[K]) Remove(chunk K) { delete(q.entries, chunk) }

// Evict takes chunks out, in their order, until they have at least that many bytes
// together, and returns them. It skips those that are locked; where too few are left,
// it returns all of them.
func (q *Queue[K]) Evict(bytes int64, locked func(chunk K) bool) []K {
	panic("kv: to be written")
}
