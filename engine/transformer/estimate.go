package transformer

import (
	"dowse/models/pack"
)

// estimate computes what a pass takes up in activations, from above.
type estimate struct {
	config     *pack.Config
	shape      shape
	limits     Limits
	candidates int
	prefix     int // tokens that all candidates share
	rows       int // tokens of all candidates, after the prefix
	longest    int // tokens of the longest candidate, after the prefix
	streamed   bool
}

// resident is with all hidden states in memory and chunks of so many rows.
func (e *estimate) resident(chunkRows int) int64 {
	return e.hidden(e.rows) + e.common() + int64(e.limits.Threads)*e.workspace(min(chunkRows, max(e.rows, e.longest)))
}

// offloaded is with three chunks of hidden states in memory; the workers share
// out each chunk's candidates.
func (e *estimate) offloaded(chunkRows int) int64 {
	share := chunkRows
	if e.limits.Threads > 1 {
		share = min(chunkRows, (chunkRows+e.limits.Threads-1)/e.limits.Threads+e.longest)
	}
	return hiddenSlots*e.hidden(chunkRows) + e.common() + int64(e.limits.Threads)*e.workspace(share)
}

// least is the smaller of the two with chunks of one candidate.
func (e *estimate) least() int64 {
	return min(e.resident(e.longest), e.offloaded(e.longest))
}

// common is what is there either way: the row of each candidate that its head
// looks at and what that makes of it, the prefix, and the scratch block of
// embedding rows of a streamed model.
func (e *estimate) common() int64 {
	size := 2*e.hidden(e.candidates) + e.hidden(e.prefix) + int64(e.prefix*e.shape.stored) + allocationSlack
	if e.streamed {
		size += wordScratchBytes(e.config)
	}
	return size
}

func (e *estimate) hidden(rows int) int64 { return 4 * int64(rows) * int64(e.config.Hidden) }

// workspace is one worker's memory for a chunk: its own buffers, and the
// kernel's scratch.
func (e *estimate) workspace(rows int) int64 {
	return int64(rows*e.shape.row()+e.shape.scratch(rows, e.prefix+e.longest)) + allocationSlack
}

// wordRows is the capacity of the LRU of embedding rows in room bytes.
func (e *estimate) wordRows(room int64) int {
	most := (e.config.Vocabulary + wordShare - 1) / wordShare
	fits := max(0, room-wordCacheBytes(e.config, 0)) / int64(e.config.Hidden+wordRowOverhead)
	return int(max(1, min(int64(most), fits)))
}
