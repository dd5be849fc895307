package tokenizer

import "slices"

// shortWord is the number of symbols up to which looking at every pair again
// beats keeping a heap.
const shortWord = 48

// word is a sequence of symbols on its way to tokens; its buffers are used
// again for the next one.
type word struct {
	ids   []int32
	ends  []int32 // where each symbol ends in the piece
	fused bool    // the last symbol is an unknown one that others may join

	// Of mergeByScan: the rank and the result of each pair (i, i+1).
	ranks  []uint32
	merged []int32

	// Of mergeByHeap: the neighbours of each symbol, and the candidates.
	before, after []int32
	heap          []candidate
}

// candidate is a pair that may merge.
type candidate struct {
	rank   uint32
	at     int32 // the left symbol
	right  int32 // the token to its right
	left   int32 // the token at the left symbol
	merged int32
}

func (w *word) reset() {
	w.ids, w.ends, w.fused = w.ids[:0], w.ends[:0], false
}

func (w *word) add(id int32, end int) {
	w.ids, w.ends, w.fused = append(w.ids, id), append(w.ends, int32(end)), false
}

// mergeByScan merges by looking for the lowest rank among all pairs each time.
func (w *word) mergeByScan(table *mergeTable) {
	n := len(w.ids)
	w.ranks, w.merged = w.ranks[:0], w.merged[:0]
	for i := 0; i+1 < n; i++ {
		rank, merged := table.find(w.ids[i], w.ids[i+1])
		w.ranks, w.merged = append(w.ranks, rank), append(w.merged, merged)
	}
	for {
		best, lowest := -1, uint32(noRank)
		for i, rank := range w.ranks {
			if rank < lowest {
				best, lowest = i, rank
			}
		}
		if best < 0 {
			return
		}
		w.ids[best], w.ends[best] = w.merged[best], w.ends[best+1]
		w.ids, w.ends = slices.Delete(w.ids, best+1, best+2), slices.Delete(w.ends, best+1, best+2)
		w.ranks, w.merged = slices.Delete(w.ranks, best, best+1), slices.Delete(w.merged, best, best+1)
		if best > 0 {
			w.ranks[best-1], w.merged[best-1] = table.find(w.ids[best-1], w.ids[best])
		}
		if best < len(w.ranks) {
			w.ranks[best], w.merged[best] = table.find(w.ids[best], w.ids[best+1])
		}
	}
}

// mergeByHeap merges with a heap of candidates and a linked list of symbols, in
// n log n steps. A candidate whose symbols have changed since is passed over.
func (w *word) mergeByHeap(table *mergeTable) {
	n := int32(len(w.ids))
	w.before, w.after, w.heap = w.before[:0], w.after[:0], w.heap[:0]
	for i := range n {
		w.before, w.after = append(w.before, i-1), append(w.after, i+1)
	}
	w.after[n-1] = -1
	for i := range n - 1 {
		w.consider(table, i)
	}
	for len(w.heap) > 0 {
		c := w.pop()
		right := w.after[c.at]
		if w.ids[c.at] != c.left || right < 0 || w.ids[right] != c.right {
			continue
		}
		w.ids[c.at], w.ends[c.at] = c.merged, w.ends[right]
		w.ids[right] = noToken
		w.after[c.at] = w.after[right]
		if next := w.after[right]; next >= 0 {
			w.before[next] = c.at
		}
		if w.before[c.at] >= 0 {
			w.consider(table, w.before[c.at])
		}
		w.consider(table, c.at)
	}
	kept := 0
	for i := range w.ids {
		if w.ids[i] != noToken {
			w.ids[kept], w.ends[kept] = w.ids[i], w.ends[i]
			kept++
		}
	}
	w.ids, w.ends = w.ids[:kept], w.ends[:kept]
}

// consider adds the pair that starts at symbol at to the heap, if it merges.
func (w *word) consider(table *mergeTable, at int32) {
	right := w.after[at]
	if right < 0 {
		return
	}
	if rank, merged := table.find(w.ids[at], w.ids[right]); rank != noRank {
		w.push(candidate{rank: rank, at: at, left: w.ids[at], right: w.ids[right], merged: merged})
	}
}

func (c *candidate) less(d *candidate) bool {
	return c.rank < d.rank || c.rank == d.rank && c.at < d.at
}

// push and pop are those of a binary heap, written out because container/heap
// takes an allocation for each.
func (w *word) push(c candidate) {
	w.heap = append(w.heap, c)
	for i := len(w.heap) - 1; i > 0; {
		parent := (i - 1) / 2
		if !w.heap[i].less(&w.heap[parent]) {
			return
		}
		w.heap[i], w.heap[parent] = w.heap[parent], w.heap[i]
		i = parent
	}
}

func (w *word) pop() candidate {
	top, last := w.heap[0], len(w.heap)-1
	w.heap[0] = w.heap[last]
	w.heap = w.heap[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			return top
		}
		if child+1 < last && w.heap[child+1].less(&w.heap[child]) {
			child++
		}
		if !w.heap[child].less(&w.heap[i]) {
			return top
		}
		w.heap[i], w.heap[child] = w.heap[child], w.heap[i]
		i = child
	}
}
