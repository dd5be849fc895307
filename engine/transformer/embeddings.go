package transformer

import (
	"maps"
	"slices"

	"dowse/engine/weights"
)

// embeddings makes the first hidden states of tokens. A request is prepare, embed for each
// of its sequences, finish.
type embeddings interface {
	// prepare gets all sequences of a request.
	prepare(sequences [][]int32) error
	// embed writes the first hidden states of a sequence to
	// dst [tokens,D]. Several workers may call it.
	embed(dst []float32, pair Pair) error
	// stats counts since prepare.
	stats() weights.RowStats
	// finish frees the memory of a request.
	finish() error
}

// residentEmbeddings has all rows in memory.
type residentEmbeddings struct {
	in    inputs
	table weights.Table
}

func (e residentEmbeddings) prepare([][]int32) error { return nil }
func (e residentEmbeddings) stats() weights.RowStats { return weights.RowStats{} }
func (e residentEmbeddings) finish() error           { return nil }

func (e residentEmbeddings) embed(dst []float32, pair Pair) error {
	if err := e.in.sum(dst, pair.IDs, pair.Types, 0, e.table); err != nil {
		return err
	}
	e.in.normalize(dst)
	return nil
}

// cachedEmbeddings reads the rows that it does not keep from the pack.
type cachedEmbeddings struct {
	in    inputs
	width int // D
	rows  *weights.RowCache
}

func (e *cachedEmbeddings) prepare(sequences [][]int32) error { return e.rows.Prepare(sequences) }
func (e *cachedEmbeddings) stats() weights.RowStats           { return e.rows.Stats() }
func (e *cachedEmbeddings) finish() error                     { return e.rows.Finish() }

func (e *cachedEmbeddings) embed(dst []float32, pair Pair) error {
	slots := make([]int32, len(pair.IDs))
	surplus := map[int32]bool{}
	for i, id := range pair.IDs {
		slots[i] = e.rows.Slot(id)
		if slots[i] == 0 {
			surplus[id] = true
		}
	}
	if err := e.sumPresent(dst, pair.Types, slots, e.rows.Table()); err != nil {
		return err
	}
	if len(surplus) > 0 {
		err := e.rows.Surplus(slices.Sorted(maps.Keys(surplus)), func(t weights.Table, slot func(id int32) int32) error {
			for i, id := range pair.IDs {
				slots[i] = slot(id)
			}
			return e.sumPresent(dst, pair.Types, slots, t)
		})
		if err != nil {
			return err
		}
	}
	e.in.normalize(dst)
	return nil
}

// sumPresent sums the tokens that have a slot in the table, other than 0.
func (e *cachedEmbeddings) sumPresent(dst []float32, types []uint8, slots []int32, table weights.Table) error {
	d := e.width
	for from := 0; from < len(slots); from++ {
		to := from
		for to < len(slots) && slots[to] != 0 {
			to++
		}
		var kinds []uint8
		if types != nil {
			kinds = types[from:to]
		}
		if err := e.in.sum(dst[from*d:to*d], slots[from:to], kinds, from, table); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// idsOf lists the tokens of pairs.
func idsOf(pairs []Pair) [][]int32 {
	ids := make([][]int32, len(pairs))
	for i := range pairs {
		ids[i] = pairs[i].IDs
	}
	return ids
}
