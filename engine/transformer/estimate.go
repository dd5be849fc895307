package transformer

import (
	"dowse/models/pack"
)

// estimate computes what a pass takes up in activations, from above.
type estimate struct {
	config     *pack.Config
	limits     Limits
	candidates int
	rows       int // tokens of all candidates
	longest    int // tokens of the longest candidate
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

// common is what is there either way: the first row of each candidate and what
// its head makes of it, and the scratch block of embedding rows of a streamed
// model.
func (e *estimate) common() int64 {
	size := 2*e.hidden(e.candidates) + allocationSlack
	if e.streamed {
		size += wordScratchBytes(e.config)
	}
	return size
}

func (e *estimate) hidden(rows int) int64 { return 4 * int64(rows) * int64(e.config.Hidden) }

// workspace is one worker's memory for a chunk: its own buffers, and the
// kernel's scratch, which is the larger of what a projection and what
// attention need.
func (e *estimate) workspace(rows int) int64 {
	d, f := e.config.Hidden, e.config.Intermediate
	own := 4 * rows * workspaceWidth(e.config)
	scratch := 0
	for _, shape := range [][2]int{{d, 3 * d}, {d, d}, {d, f}, {f, d}} {
		k, n := shape[0], shape[1]
		// Quantised rows and their scales, the integer product, a panel of
		// weights and a block of rows as the kernel packs them.
		panel, block := max(128*(k+4), 160<<10), max(384<<10, 12*(k+4))
		scratch = max(scratch, rows*(k+16)+4*rows*n+panel+block)
	}
	// Of one head: keys and values, padded, and the scores of some queries.
	lanes := func(n int) int { return (n + 15) &^ 15 }
	keys, width := lanes(e.longest), lanes(d/e.config.Heads)
	scratch = max(scratch, 4*(2*keys*width+16*(keys+width)))
	return int64(own+scratch) + allocationSlack
}

// wordRows is the capacity of the LRU of embedding rows in room bytes.
func (e *estimate) wordRows(room int64) int {
	most := (e.config.Vocabulary + wordShare - 1) / wordShare
	fits := max(0, room-wordCacheBytes(e.config, 0)) / int64(e.config.Hidden+wordRowOverhead)
	return int(max(1, min(int64(most), fits)))
}
