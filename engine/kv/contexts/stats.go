package contexts

import "dowse/engine/kv"

// Use is what the keys and values of a conversation take.
type Use struct {
	Tokens int
	Memory int64            // bytes
	Chunks map[kv.Level]int // in memory or not
}

// Use says what a conversation takes, and reports whether it was called or loaded since
// the manager was made.
func (m *Manager) Use(id string) (Use, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.conversations[id]
	if c == nil {
		return Use{}, false
	}
	use := Use{Memory: c.held, Chunks: map[kv.Level]int{}}
	if c.taken { // it changes
		return use, true
	}
	use.Tokens = len(c.tokens)
	for i := range c.chunks {
		use.Chunks[c.chunks[i].level]++
	}
	return use, true
}

// Stats counts what a Manager did since it was opened.
type Stats struct {
	Conversations int // that were called or loaded, and not deleted
	Memory        int64
	Dirty         int // chunks in memory that are not on the disk, of conversations that nobody has

	Read, Computed int   // chunks that came back
	Failed         int   // of those computed, the ones that the disk could not give
	Inexact        int   // of those computed, the ones behind lowered chunks
	BytesRead      int64 // of chunks
	Written        int   // chunks
	BytesWritten   int64
	Dropped        int // chunks
	// Problem says why conversations do not outlast this process, or why some of what
	// they had was lost; "" if all is well.
	Problem string
}

// Stats says what was done so far.
func (m *Manager) Stats() Stats {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.stats
	s.Conversations, s.Memory = len(m.conversations), m.held
	for _, c := range m.conversations {
		if !c.taken {
			s.Dirty += len(c.dirty())
		}
	}
	return s
}

// onDisk is what chunks of a conversation take on the disk.
func (m *Manager) onDisk(id string) int64 {
	if m.disk == nil {
		return 0
	}
	return m.disk.Conversation(id).Bytes
}
