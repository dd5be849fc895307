package pack

import (
	"context"
	"fmt"
)

// tensorReader reads tensors of a source until one fails, and keeps the error.
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

// chunks reads a matrix some rows at a time and hands them to each, which must
// not keep them. It looks at ctx before each of them.
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

// part is a matrix among those that stand side by side in a Linear.
type part struct {
	name    string // without ".weight" and ".bias"
	outputs int
	bias    bool // without one it is zero
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
