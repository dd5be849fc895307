package indexer

import (
	"sync/atomic"
	"time"
)

// Clock sums up how long the stages of indexing take. Extracting and cutting are done by
// several threads at a time, whose times add up. A nil Clock measures nothing.
type Clock struct{ stages [clockStages]atomic.Int64 }

// Stages of a Clock.
const (
	clockPrepare  = iota // reading, extracting and cutting
	clockCut             // of that, chunks and terms
	clockEmbed           // the model alone
	clockCommit          // transactions of files
	clockCompress        // codes, merges and free pages when all files are in
	clockStages
)

// Times is what a Clock has summed up.
type Times struct {
	Extract  time.Duration // reading files and taking out their text, over all threads
	Cut      time.Duration // chunks and their terms, over all threads
	Embed    time.Duration // the embedder
	Commit   time.Duration // transactions of files
	Compress time.Duration // what follows when all files are in: codes, merges, free pages
}

// add adds what began at start to a stage.
func (c *Clock) add(stage int, start time.Time) {
	if c != nil {
		c.stages[stage].Add(int64(time.Since(start)))
	}
}

// Times returns the sums so far.
func (c *Clock) Times() Times {
	at := func(stage int) time.Duration { return time.Duration(c.stages[stage].Load()) }
	return Times{Extract: at(clockPrepare) - at(clockCut), Cut: at(clockCut), Embed: at(clockEmbed), Commit: at(clockCommit), Compress: at(clockCompress)}
}
