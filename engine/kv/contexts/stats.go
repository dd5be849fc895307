package contexts

import "dowse/engine/kv"

// Use is what the keys and values of a conversation, or of all that are known, take.
type Use struct {
	Tokens int
	Memory int64 // bytes
	Disk   int64 // bytes
	Levels map[kv.Level]LevelUse
}

// LevelUse counts the chunks of a level.
type LevelUse struct {
	Chunks int // in memory, on the disk or both
	Bytes  int64
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
	for _, c := range m.disk.Conversations() {
		if c.Name == id {
			return c.Bytes
		}
	}
	return 0
}

// profile is what this machine takes to bring chunks back.
func (m *Manager) profile() kv.Profile { return m.options.Profile }
