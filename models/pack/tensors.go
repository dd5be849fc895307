package pack

import (
	"context"
	"fmt"
	"math"
)

// tensorReader reads tensors of a source, and keeps the first error.
type tensorReader struct {
	source *source
	prefix string // of all names
	err    error
}

// chunkValues is how many numbers of a tensor are read at a time, at least.
const chunkValues = 1 << 18

// lookup finds a tensor of the given shape, as [rows,columns] or, with one row,
// [columns]; ok is false after an error.
func (r *tensorReader) lookup(name string, rows, columns int) (t tensor, ok bool) {
	if r.err != nil {
		return tensor{}, false
	}
	t, ok = r.source.weights.lookup(r.prefix + name)
	if !ok {
		r.err = fmt.Errorf("there is no tensor %q", r.prefix+name)
		return tensor{}, false
	}
	r.err = t.fits(rows, columns)
	return t, r.err == nil
}

// tensor reads a whole tensor; nil after an error.
func (r *tensorReader) tensor(name string, rows, columns int) []float32 {
	t, ok := r.lookup(name, rows, columns)
	if !ok {
		return nil
	}
	values := make([]float32, rows*columns)
	if r.err = t.read(values, 0, columns); r.err != nil {
		return nil
	}
	return values
}

// chunks reads a matrix some rows at a time and hands them to each, which must not keep
// them. It checks ctx in between.
func (r *tensorReader) chunks(ctx context.Context, name string, rows, columns int, each func(first int, values []float32)) {
	t, ok := r.lookup(name, rows, columns)
	if !ok {
		return
	}
	many := min(rows, max(1, chunkValues/columns))
	buffer := make([]float32, many*columns)
	for first := 0; first < rows; first += many {
		if r.err = ctx.Err(); r.err != nil {
			return
		}
		values := buffer[:min(many, rows-first)*columns]
		if r.err = t.read(values, first, columns); r.err != nil {
			return
		}
		each(first, values)
	}
}

// part is one of the matrices side by side in a Linear.
type part struct {
	name    string // without ".weight" and ".bias"
	outputs int
	bias    bool
}

// linear reads matrices of [outputs,k] and puts them side by side.
func (r *tensorReader) linear(ctx context.Context, k int, parts ...part) Linear {
	total := 0
	for _, p := range parts {
		total += p.outputs
	}
	l := Linear{
		K: k, N: total,
		Weights: make([]int8, k*total),
		Scale:   make([]float32, total), Bias: make([]float32, total), ColSum: make([]int32, total),
	}
	at := 0
	for _, p := range parts {
		r.chunks(ctx, p.name+".weight", p.outputs, k, func(first int, values []float32) {
			quantizeColumns(l, at+first, values)
		})
		if p.bias {
			copy(l.Bias[at:], r.tensor(p.name+".bias", 1, p.outputs))
		}
		at += p.outputs
	}
	return l
}

// words reads a table of rows, one of them a word, writes them as int8 and
// returns their scales.
func (r *tensorReader) words(ctx context.Context, to *blockWriter, name string, rows, columns int) []float32 {
	scale := make([]float32, rows)
	var quantized []int8
	to.align()
	r.chunks(ctx, name, rows, columns, func(first int, values []float32) {
		if quantized == nil {
			quantized = make([]int8, len(values)) // the first chunk is the largest
		}
		for i := range len(values) / columns {
			row := values[i*columns : (i+1)*columns]
			scale[first+i] = quantizeRow(quantized[i*columns:], row)
		}
		to.more(quantized[:len(values)])
	})
	return scale
}

// norm reads a LayerNorm under its present or its older names.
func (r *tensorReader) norm(name string, n int) Norm {
	gamma, beta := ".weight", ".bias"
	if _, old := r.source.weights.lookup(r.prefix + name + ".gamma"); old {
		gamma, beta = ".gamma", ".beta"
	}
	return Norm{Gamma: r.tensor(name+gamma, 1, n), Beta: r.tensor(name+beta, 1, n)}
}

// quantizeRow writes the int8 form of row to dst and returns its scale: symmetric,
// max|w|/127, rounded half to even. A row of zeros has scale 0. A scale of least squared
// error instead (cosine 0.9975 both, all-MiniLM-L6-v2, 145 texts), or scale moved from
// activations to weights by the norms' parameters, gains nothing.
func quantizeRow(dst []int8, row []float32) float32 {
	bits := uint32(0) // of the largest magnitude: they are in its order
	for _, w := range row {
		bits = max(bits, math.Float32bits(w)&^signBit)
	}
	scale := math.Float32frombits(bits) / 127
	if scale == 0 {
		clear(dst[:len(row)])
		return 0
	}
	dst = dst[:len(row)]
	for i, w := range row {
		// Beyond 127 only where scale is so small that it has few digits.
		q := int32(math.RoundToEven(float64(w) / float64(scale)))
		dst[i] = int8(max(-127, min(127, q)))
	}
	return scale
}

const signBit = 1 << 31

// quantizeColumns fills columns of l, from first on, from rows of a source matrix [output
// channels, input channels]. ColSum takes the zero point of unsigned activations out of
// the product.
func quantizeColumns(l Linear, first int, rows []float32) {
	quantized := make([]int8, len(rows))
	for r := range len(rows) / l.K {
		row := quantized[r*l.K : (r+1)*l.K]
		l.Scale[first+r] = quantizeRow(row, rows[r*l.K:(r+1)*l.K])
		sum := int32(0)
		for _, q := range row {
			sum += int32(q)
		}
		l.ColSum[first+r] = sum
	}
	transpose(l.Weights[first:], l.N, quantized, l.K)
}

// tile is the side of the squares that transpose works on: two fit into the first-level
// cache.
const tile = 64

// transpose writes src [rows,columns] to dst [columns,rows], whose rows are stride apart.
func transpose(dst []int8, stride int, src []int8, columns int) {
	rows := len(src) / columns
	for top := 0; top < rows; top += tile {
		bottom := min(top+tile, rows)
		for left := 0; left < columns; left += tile {
			for c := left; c < min(left+tile, columns); c++ {
				to := dst[c*stride+top : c*stride+bottom]
				for r := range to {
					to[r] = src[(top+r)*columns+c]
				}
			}
		}
	}
}
