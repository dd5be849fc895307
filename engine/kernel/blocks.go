package kernel

import (
	"fmt"

	"dowse/models/pack"
)

// blockRows are rows of inputs, quantised for weights of a form: each group of inputs on its
// own, so that a value far above the rest takes the precision of its neighbours alone.
type blockRows struct {
	form  *pack.Form
	q     []int8    // [rows,K], in -127..127
	step  []float32 // [rows,K/Group]: of a unit of q; NaN of a group that is not finite
	begin []int32   // what native code takes of sums of q, at most 5*K/32 numbers a row
}

// blockRowsBytes bounds the inputs that are prepared together: they should stay in the
// second-level cache while all the weights pass.
const blockRowsBytes = 640 << 10

// blockTile is a multiple of the rows that native code multiplies at a time.
const blockTile = 12

// LinearBlocks multiplies x [rows,K] with weights in blocks, and writes the columns c of dst
// [rows,N]. Columns are best shared at multiples of pack.Lanes. The sums of a part are
// integers, and those of a group are added in the order of the inputs, so that a row's bits
// depend on nothing else:
//
//	y = sum over groups of (scale*sum(partScale*sum(q*number)) - minimum*sum(partMinimum*sum(q)))*step, + Bias
func (k *Kernel) LinearBlocks(dst, x []float32, rows int, w *pack.Linear, c Columns, s *Scratch) error {
	needLen("x", len(x), rows*w.K)
	needLen("dst", len(dst), rows*w.N)
	c.need(w.N)
	if w.Blocks == nil {
		panic(fmt.Sprintf("kernel: projection %dx%d has no blocks", w.K, w.N))
	}
	most := min(rows, max(blockTile, blockRowsBytes/w.K/blockTile*blockTile))
	padded := (most + blockTile - 1) / blockTile * blockTile
	if err := s.begin(padded*w.K, padded*w.K/8, 4*padded*w.K*5/32); err != nil {
		return err
	}
	q, begin, step := cast[int8](s.bytes(padded*w.K)), s.ints(padded*w.K*5/32), s.floats(padded*w.K/32)
	for from := 0; from < rows; from += most {
		some := min(rows-from, most)
		in := blockRows{q: q[:some*w.K]}
		first := 0
		for i := range w.Blocks {
			b := &w.Blocks[i]
			part := Columns{max(c.From, first) - first, min(c.To, first+b.N) - first}
			if part.From < part.To {
				if in.form == nil || *in.form != *b.Form {
					in.form = b.Form
					in.step, in.begin = step[:some*w.K/b.Group], begin
					k.ops.prepareBlocks(&in, x[from*w.K:][:some*w.K], some, w.K)
				}
				k.ops.linearBlocks(dst[from*w.N+first:], w.N, &in, some, b, w.Bias[first:], part)
			}
			first += b.N
		}
	}
	return nil
}
