package contexts

import "dowse/engine/kv"

// Use is what the keys and values of a conversation, or of all, take.
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
	Conversations int // that it knows of
	Use           Use

	Read, Computed int   // chunks that came back
	Failed         int   // of those computed, the ones that the disk could not give
	Inexact        int   // of those computed, the ones behind lowered chunks
	BytesRead      int64 // of chunks
	Written        int   // chunks
	BytesWritten   int64
	Dropped        int // chunks
	Dirty          int // chunks in memory that are not on the disk, now
	// Problem says why conversations do not outlast this process, or why some of what
	// they had was lost; "" if all is well.
	Problem string
}

// Stats says what was done so far.
func (m *Manager) Stats() Stats { return Stats{} }

// Use says what one conversation takes.
func (m *Manager) Use(id string) Use { return Use{} }
