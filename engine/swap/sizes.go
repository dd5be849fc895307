package swap

import (
	"dowse/engine/memory"
	"dowse/models/pack"
	"dowse/models/pack/directio"
)

const (
	usualReaders = 8       // reads under way at a time
	mostBlock    = 1 << 20 // bytes of a block of rows
	mostRead     = 256 << 10
	blocksAimed  = 512 // blocks that all rows of a model fill, if they are not larger than mostBlock
	rowAlign     = 64  // where rows start in memory: at cache lines
	channelBytes = 13  // of a channel in tables: slot, count, clock, state
)

// swapSizes is how a Swapper divides its memory, given layout and readers.
type swapSizes struct {
	layout   pack.RowLayout
	readers  int
	bounce   int               // bytes of a reader's buffer
	block    int               // bytes of a block of rows
	row      [pack.Bundles]int // bytes from a row to the next in a block
	perBlock [pack.Bundles]int // rows of a block
	layer    [pack.Bundles]int // blocks that hold all rows of a layer
	all      [pack.Bundles]int // blocks that hold all rows of the model
	dense    [pack.Bundles]int // bytes of a buffer for a bundle of any group
	fixed    int64             // bytes of the readers' buffers and of tables
}

func newSwapSizes(l pack.RowLayout, readers int) swapSizes {
	z := swapSizes{layout: l, readers: readers}
	if z.readers <= 0 {
		z.readers = usualReaders
	}
	rows, channels, largest, record := 0, 0, 0, 0
	for b := range pack.Bundles {
		z.row[b] = (l.RowBytes(b) + rowAlign - 1) &^ (rowAlign - 1)
		rows += l.Layers * l.Channels[b] * z.row[b]
		channels += l.Layers * l.Channels[b]
		largest, record = max(largest, z.row[b]), max(record, l.RecordBytes(0, b))
		z.dense[b] = l.BundleBuffer(0, b) + 2*directio.Align
	}
	z.block = int(memory.InPages(max(largest, min(mostBlock, rows/blocksAimed))))
	read := max(record, min(mostRead, z.block))
	z.bounce = int(memory.InPages(read + 2*directio.Align))
	for b := range pack.Bundles {
		z.perBlock[b] = z.block / z.row[b]
		z.layer[b] = (l.Channels[b] + z.perBlock[b] - 1) / z.perBlock[b]
		z.all[b] = (l.Layers*l.Channels[b] + z.perBlock[b] - 1) / z.perBlock[b]
	}
	z.fixed = int64(z.readers*z.bounce) + memory.InPages(channels*channelBytes)
	return z
}

// group returns the bytes of the buffers for all bundles of a group.
func (z *swapSizes) group() int64 {
	total := int64(0)
	for _, bytes := range z.dense {
		total += memory.InPages(bytes)
	}
	return total
}

// minimum returns the least budget: for all rows of a layer, and for a group of a prompt.
func (z *swapSizes) minimum() int64 {
	layer := int64(0)
	for _, blocks := range z.layer {
		layer += int64(blocks * z.block)
	}
	return z.fixed + max(layer, z.group())
}

// groups returns how many groups have buffers of their own in a budget: all if they
// fit, so that nothing is read twice; otherwise two, one of which is read while the
// other is computed, or one where two would take more than half of the memory.
func (z *swapSizes) groups(budget int64) int {
	room := (budget - z.fixed) / z.group()
	switch all := z.layout.Groups(); {
	case room >= int64(all):
		return all
	case room >= 4:
		return 2
	}
	return 1
}

// whole reports whether all groups fit into a budget.
func (z *swapSizes) whole(budget int64) bool { return z.groups(budget) == z.layout.Groups() }

// blocks divides bytes among the bundles by their rows. With active each bundle has blocks
// for a whole layer first.
func (z *swapSizes) blocks(bytes int64, active bool) (limit [pack.Bundles]int) {
	left, all := int(max(0, bytes)/int64(z.block)), 0
	for b := range limit {
		if all += z.all[b]; active {
			limit[b] = z.layer[b]
			left -= z.layer[b]
		}
	}
	left = max(0, left)
	for b := range limit {
		limit[b] = min(z.all[b], limit[b]+int(int64(left)*int64(z.all[b])/int64(all)))
	}
	return limit
}

// Rows on their way take at most 1/stageShare of a group's rows, and half of the slots.
const stageShare = 4

// capacity returns how many channels of each layer's bundle are cached in that many blocks.
// With active some slots are left to rows on their way.
func (z *swapSizes) capacity(b pack.Bundle, blocks int, active bool) int {
	slots := blocks * z.perBlock[b]
	if all := z.layout.Layers * z.layout.Channels[b]; slots >= all {
		return z.layout.Channels[b]
	}
	if active {
		slots -= min(slots/2, z.layout.GroupLayers*z.layout.Channels[b]/stageShare)
	}
	return min(z.layout.Channels[b], slots/z.layout.Layers)
}

// cacheBytes returns the bytes of rows cached in a budget while tokens are decoded.
func (z *swapSizes) cacheBytes(budget int64) int64 {
	total := int64(0)
	for b, blocks := range z.blocks(budget-z.fixed, true) {
		b := pack.Bundle(b)
		total += int64(z.layout.Layers) * int64(z.capacity(b, blocks, true)) * int64(z.layout.RowBytes(b))
	}
	return total
}

// mostRead returns the bytes of the largest read of rows.
func (z *swapSizes) mostRead() int { return z.bounce - 2*directio.Align }

// Least returns the least budget of a Swapper with the usual readers.
func Least(l pack.RowLayout) int64 {
	z := newSwapSizes(l, 0)
	return z.minimum()
}

// Whole returns the least budget in which a Swapper with the usual readers reads
// nothing twice.
func Whole(l pack.RowLayout) int64 {
	z := newSwapSizes(l, 0)
	return z.fixed + int64(l.Groups())*z.group()
}
