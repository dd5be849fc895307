package kernel

// block4 is how many outputs of a row of 4 bits share a scale.
const block4 = 128

// Row4Bytes returns the bytes of a row of n weights of 4 bits. 32 weights lie in 16
// bytes: byte i holds weight i in its low half and weight 16+i in its high half, as the
// weight plus 8; what is past n is 8. Then comes, for each 128 weights, their scale, a
// little-endian float16 that is finite and not negative, then zeros up to a multiple of
// 64 bytes. So
//
//	W[k,n] = scale[k,n/128] * (number[k,n]-8) * Scale[n],
//
// whose largest scales are best left to Linear.In.
func Row4Bytes(n int) int {
	return (numbers4(n) + 2*((n+block4-1)/block4) + cacheLine - 1) &^ (cacheLine - 1)
}

// numbers4 returns the bytes of the numbers of n weights.
func numbers4(n int) int { return (n + 31) / 32 * 16 }

// linear4Rows is how many rows are multiplied together: their inputs are prepared
// for 16 blocks of outputs at a time, which should stay in the second-level cache.
const linear4Rows = 16

// Linear4 multiplies x [rows,K], already multiplied with w.In, with weights of 4 bits,
// and writes the columns of dst [rows,N], the others staying as they are. A row is
// quantised once for each 128 outputs, since each of those has scales of its own for the
// inputs; its outliers are those that QuantizeRows takes of x.
func (k *Kernel) Linear4(dst, x []float32, rows int, w *Linear, c Columns, s *Scratch) error {
	needLen("x", len(x), rows*w.K)
	needLen("dst", len(dst), rows*w.N)
	w.needWeights(true)
	c.need(w.N)
	most := min(rows, linear4Rows)
	working := k.ops.linear4Scratch(most, w.K)
	if err := s.begin(4*w.K, pointerSize*w.K, most*w.K, most*rowScaleSize, most*MaxOutliers*pointerSize, working); err != nil {
		return err
	}
	channels, weights := s.ints(w.K), s.pointers(w.K)
	for i := range channels {
		channels[i], weights[i] = int32(i), &w.row(i)[0]
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

// LinearRows4 is Linear4 of one row x [K] for its active channels, the others being
// zeros: rows[i] points at the row of channels[i], as in LinearRows. The bits are those
// of Linear4.
func (k *Kernel) LinearRows4(dst, x []float32, channels []int32, rows []*int8, w *Linear, c Columns, s *Scratch) error {
	needLen("x", len(x), w.K)
	needLen("dst", len(dst), w.N)
	w.needBits(true)
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
