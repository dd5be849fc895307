package kernel

import (
	"fmt"
	"slices"
	"sort"

	"dowse/models/pack"
)

// ScaleInputs writes x[r,j]*in[j] to dst, both [rows,K]; dst may be x, and a nil in stands
// for ones. It precedes QuantizeRows where a projection has In; Linear does it by itself.
func (k *Kernel) ScaleInputs(dst, x, in []float32, rows int) {
	needLen("dst", len(dst), len(x))
	if in == nil {
		copy(dst, x)
		return
	}
	needLen("x", len(x), rows*len(in))
	if len(x) > 0 {
		k.ops.scaleInputs(dst, x, in, rows)
	}
}

// Mask multiplies a row x [K] with in [K] (nil for ones), zeroes every value whose
// magnitude is at most the threshold, and returns the other channels, ascending: the active
// ones (ActiveFlow 4.2). A NaN is active. channels is memory for the result.
func (k *Kernel) Mask(x, in []float32, threshold float32, channels []int32) []int32 {
	if in != nil {
		needLen("in", len(in), len(x))
	}
	channels = slices.Grow(channels[:0], len(x))[:len(x)]
	if len(x) == 0 {
		return channels
	}
	return channels[:k.ops.mask(x, in, threshold, channels)]
}

// LinearRows is LinearColumns of one row, without activation, for some of its input
// channels: rows[i] points at the N weights of channels[i], which ascend; w.Weights is not
// read. q [K] and scale are the whole row as QuantizeRows left it after Mask. The bits are
// those of all the weights, since the byte of a masked channel stands for zero: a token
// computed from some of the rows is that computed from all. The weights must not lie on
// the Go heap.
func (k *Kernel) LinearRows(dst []float32, q []uint8, scale *RowScale, channels []int32, rows []*int8, w *pack.Linear, c Columns, s *Scratch) error {
	needLen("q", len(q), w.K)
	needLen("dst", len(dst), w.N)
	needBits(w, false)
	needChannels(channels, len(rows), w.K)
	c.need(w.N)
	if c.From == c.To {
		return nil
	}
	need := k.ops.linearRowsScratch(len(channels))
	if err := s.begin(need, rowScaleSize, pointerSize*MaxOutliers); err != nil {
		return err
	}
	working, some, outliers := s.bytes(need), &s.rowScales(1)[0], s.pointers(MaxOutliers)
	outliers = activeOutliers(some, outliers, scale, channels, rows)
	k.ops.linearRows(dst, q, some, outliers, channels, rows, w, c, working)
	return nil
}

// activeOutliers copies scale to dst with the outliers among the channels, and returns the
// addresses of their weights. The outlier that QuantizeRows takes of a row of zeros is not
// among them; it adds nothing.
func activeOutliers(dst *RowScale, weights []*int8, scale *RowScale, channels []int32, rows []*int8) []*int8 {
	*dst = RowScale{Step: scale.Step}
	for _, outlier := range scale.Outliers[:scale.Count] {
		i := sort.Search(len(channels), func(i int) bool { return channels[i] >= outlier.At })
		if i < len(channels) && channels[i] == outlier.At {
			dst.Outliers[dst.Count], weights[dst.Count] = outlier, rows[i]
			dst.Count++
		} else if outlier.Value != 0 {
			panic(fmt.Sprintf("kernel: the outlier at channel %d is not among the active ones", outlier.At))
		}
	}
	return weights[:dst.Count]
}

// needChannels panics when there are not as many rows as channels, or channels that a
// row of width values does not have.
func needChannels(channels []int32, rows, width int) {
	needLen("rows", rows, len(channels))
	if n := len(channels); n > 0 && (channels[0] < 0 || int(channels[n-1]) >= width) {
		panic(fmt.Sprintf("kernel: channels %d to %d of %d", channels[0], channels[n-1], width))
	}
}
