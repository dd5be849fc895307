package kernel

import "dowse/models/pack"

// linear4Rows is how many rows are multiplied together. Their inputs, prepared for 16
// blocks of outputs at a time, should stay in the second-level cache.
const linear4Rows = 16

// Linear4 multiplies x [rows,K], already multiplied with w.In, with weights of 4 bits, and
// writes the columns c of dst [rows,N]. A row is quantised once for each block of 128
// outputs, by the block's own scales of the inputs; its outliers are those of
// QuantizeRows(x). Long prompts take longer than with bytes.
func (k *Kernel) Linear4(dst, x []float32, rows int, w *pack.Linear, c Columns, s *Scratch) error {
	needLen("x", len(x), rows*w.K)
	needLen("dst", len(dst), rows*w.N)
	needWeights(w, true)
	c.need(w.N)
	most := min(rows, linear4Rows)
	working := k.ops.linear4Scratch(most, w.K)
	if err := s.begin(4*w.K, pointerSize*w.K, most*w.K, most*rowScaleSize, most*MaxOutliers*pointerSize, working); err != nil {
		return err
	}
	channels, weights := s.ints(w.K), s.pointers(w.K)
	for i := range channels {
		channels[i], weights[i] = int32(i), &w.Row(i)[0]
	}
	q, scale, outliers, scratch := s.bytes(most*w.K), s.rowScales(most), s.pointers(most*MaxOutliers), s.bytes(working)
	for from := 0; from < rows; from += linear4Rows {
		some := min(rows-from, linear4Rows)
		part := x[from*w.K:][:some*w.K]
		k.QuantizeRows(q[:some*w.K], scale[:some], part, some, w.K)
		for row := range some {
			for p, outlier := range scale[row].Outliers[:scale[row].Count] {
				outliers[row*MaxOutliers+p] = weights[outlier.At]
			}
		}
		k.ops.linear4(dst[from*w.N:][:some*w.N], part, scale[:some], outliers, channels, weights, w, c, scratch)
	}
	return nil
}

// LinearRows4 is Linear4 of one masked row x [K] by the weights of its active channels, as
// LinearRows, with the bits of Linear4.
func (k *Kernel) LinearRows4(dst, x []float32, channels []int32, rows []*int8, w *pack.Linear, c Columns, s *Scratch) error {
	needLen("x", len(x), w.K)
	needLen("dst", len(dst), w.N)
	needBits(w, true)
	needChannels(channels, len(rows), w.K)
	c.need(w.N)
	working := k.ops.linear4Scratch(1, len(channels))
	if err := s.begin(w.K, 2*rowScaleSize, MaxOutliers*pointerSize, working); err != nil {
		return err
	}
	q, scale, outliers := s.bytes(w.K), s.rowScales(2), s.pointers(MaxOutliers)
	k.QuantizeRows(q, scale[:1], x, 1, w.K)
	activeOutliers(&scale[1], outliers, &scale[0], channels, rows)
	k.ops.linear4(dst, x, scale[1:], outliers, channels, rows, w, c, s.bytes(working))
	return nil
}
