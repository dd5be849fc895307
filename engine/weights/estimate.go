package weights

import "dowse/models/pack"

const (
	// HiddenSlots is how many chunks of hidden states are in memory with Plan.Offload: one is
	// computed, one is written, one is read.
	HiddenSlots = 3
	// At most 1/tokenShare of the vocabulary's embedding rows are kept.
	tokenShare = 10
	// allocationSlack covers rounding up to pages.
	allocationSlack = 64 << 10
)

// estimate computes upper bounds of the activations of a pass.
type estimate struct {
	config    *pack.Config
	shape     Shape
	threads   int
	sequences int
	prefix    int // tokens that all sequences share
	rows      int // tokens of all sequences, after the prefix
	longest   int // tokens of the longest sequence, after the prefix
	batch     int // tokens that each worker computes by itself, 0 for rows together
	streamed  bool
}

// resident returns the bytes with all hidden states in memory and chunks of chunkRows
// tokens.
func (e *estimate) resident(chunkRows int) int64 {
	return e.hidden(e.rows) + e.common() + int64(e.threads)*e.workspace(min(chunkRows, max(e.rows, e.longest)))
}

// offloaded returns the bytes with HiddenSlots chunks of hidden states in memory; the
// workers share the sequences of a chunk.
func (e *estimate) offloaded(chunkRows int) int64 {
	share := chunkRows
	if e.threads > 1 {
		share = min(chunkRows, (chunkRows+e.threads-1)/e.threads+e.longest)
	}
	return HiddenSlots*e.hidden(chunkRows) + e.common() + int64(e.threads)*e.workspace(share)
}

// batches returns the bytes with a batch of rows and its hidden states for each worker.
func (e *estimate) batches(rows int) int64 {
	return e.common() + int64(e.threads)*(e.hidden(rows)+e.workspace(rows))
}

// least returns the smallest of the three, with chunks of one sequence.
func (e *estimate) least() int64 {
	if e.batch > 0 {
		return e.batches(e.longest)
	}
	return min(e.resident(e.longest), e.offloaded(e.longest))
}

// common returns the bytes of all three: for each sequence the row that its head takes and
// the head's result, the prefix, and the scratch block of embedding rows of a streamed
// model.
func (e *estimate) common() int64 {
	size := 2*e.hidden(e.sequences) + e.hidden(e.prefix) + int64(e.prefix*e.shape.Stored) + allocationSlack
	if e.streamed {
		size += rowScratchBytes(e.config)
	}
	return size
}

func (e *estimate) hidden(rows int) int64 { return 4 * int64(rows) * int64(e.config.Hidden) }

// workspace returns one worker's memory for a chunk: its own buffers, and the kernel's
// scratch.
func (e *estimate) workspace(rows int) int64 {
	return int64(rows*e.shape.RowBytes()+e.shape.scratch(rows, e.prefix+e.longest)) + allocationSlack
}

// tokenRows returns how many embedding rows fit into room bytes.
func (e *estimate) tokenRows(room int64) int {
	most := mostTokenRows(e.config)
	fits := max(0, room-rowCacheBytes(e.config, 0)) / int64(e.config.WordBytes()+rowOverhead)
	return int(max(1, min(int64(most), fits)))
}

func mostTokenRows(c *pack.Config) int { return (c.Vocabulary + tokenShare - 1) / tokenShare }
