package contexts

import "dowse/engine/kv"

// Use is what a conversation holds.
type Use struct {
	Tokens int
	Memory int64            // bytes
	Chunks map[kv.Level]int // known chunks by level
}

// Use returns what a conversation holds, if it was called or loaded by this manager.
func (m *Manager) Use(id string) (Use, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.conversations[id]
	if c == nil {
		return Use{}, false
	}
	use := Use{Memory: c.held, Chunks: map[kv.Level]int{}}
	if c.taken { // its tokens and chunks are changing
		return use, true
	}
	use.Tokens = len(c.tokens)
	for i := range c.chunks {
		use.Chunks[c.chunks[i].level]++
	}
	return use, true
}

// Stats counts the work of a Manager.
type Stats struct {
	Conversations int // called or loaded, and not deleted
	Memory        int64
	Dirty         int // chunks of free conversations that are in memory and not on the disk

	Read, Computed int   // restored chunks
	Failed         int   // chunks computed because reading failed
	Inexact        int   // chunks computed behind lowered ones
	BytesRead      int64 // of chunks
	Written        int   // chunks
	BytesWritten   int64
	Dropped        int // chunks
	// Problem says why conversations are not kept across processes or why a part was lost;
	// "" if all is well.
	Problem string
}

// Stats returns the counts so far.
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

// onDisk returns a conversation's bytes on the disk.
func (m *Manager) onDisk(id string) int64 {
	if m.disk == nil {
		return 0
	}
	return m.disk.Conversation(id).Bytes
}
