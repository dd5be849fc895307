package leann

import (
	"context"
	"encoding/binary"
	"math"
)

// Rounds of learning a rotation, and vectors it looks at.
const (
	rotateRounds = 16
	rotateSample = 8192
	polarRounds  = 30
)

// rotateChunks is the number of chunks from which a rotation pays: it takes
// as many bytes as 8192 codes of 18 bytes, and makes them find what codes of
// four bytes more would.
const rotateChunks = 1 << 16

// rotates reports whether a codebook for n chunks has a rotation.
func (x Index) rotates(n int) bool {
	if x.Rotate > 0 {
		return n >= x.Rotate
	}
	return n >= rotateChunks
}

// trainRotated learns a codebook and the rotation that suits it: optimized
// product quantization (Ge, He, Ke and Sun, the non-parametric form). Turns
// are taken between coding the rotated vectors and finding the rotation that
// takes them nearest to what their codes stand for, an orthogonal Procrustes
// problem.
func trainRotated(ctx context.Context, dot Dotter, vectors []float32, dim, parts int) (*codebook, error) {
	sample := samples(vectors, dim, rotateSample)
	n := len(sample) / dim
	matrix := make([]float32, dim*dim)
	for i := range dim {
		matrix[i*dim+i] = 1
	}
	c := &codebook{dim: dim, parts: parts, values: make([]float32, dim*centroids), steps: make([]float32, parts)}
	columns := transpose(sample, n, dim) // [dim, n]
	turned := append([]float32(nil), sample...)
	coded := make([]float32, len(sample))
	for round := range rotateRounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if round == 0 {
			if err := c.lloyd(ctx, turned, 4); err != nil {
				return nil, err
			}
		} else {
			c.roundAll(turned)
		}
		inParallel(n, func(i int) { c.nearestVector(coded[i*dim:(i+1)*dim], turned[i*dim:(i+1)*dim]) })
		// The rotation R that maximises the trace of R * sample^T * coded.
		cross := multiply(dot, transpose(coded, n, dim), columns, dim, dim, n)
		matrix = polar(dot, cross, dim)
		turned = multiply(dot, sample, matrix, n, dim, dim)
	}
	c.rotation = newRotation(matrix, dim)
	all := append([]float32(nil), samples(vectors, dim, trainSample)...)
	inParallel(len(all)/dim, func(i int) {
		v := all[i*dim : (i+1)*dim]
		copy(v, c.turn(v))
	})
	return c, c.fit(ctx, all, trainRounds)
}

// multiply returns a times the transpose of b: [n, m] from [n, k] and [m, k].
func multiply(dot Dotter, a, b []float32, n, m, k int) []float32 {
	raw := make([]byte, 0, 4*len(b))
	for _, v := range b {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	out := make([]float32, n*m)
	inParallel(n, func(i int) { dot.DotMany(out[i*m:(i+1)*m], a[i*k:(i+1)*k], raw) })
	return out
}

func transpose(x []float32, rows, columns int) []float32 {
	out := make([]float32, len(x))
	for i := range rows {
		for j := range columns {
			out[j*rows+i] = x[i*columns+j]
		}
	}
	return out
}

// polar returns the orthogonal matrix nearest to m, [dim, dim], by the
// iteration of Newton and Schulz.
func polar(dot Dotter, m []float32, dim int) []float32 {
	norm := 0.0
	for _, v := range m {
		norm += float64(v) * float64(v)
	}
	scale := float32(1 / math.Sqrt(max(norm, 1e-30)))
	x := make([]float32, len(m))
	for i, v := range m {
		x[i] = v * scale * 1.7 // below the bound of convergence, sqrt(3), for any spectrum
	}
	for range polarRounds {
		// x = 1.5 x - 0.5 (x x^T) x
		gram := multiply(dot, x, x, dim, dim, dim)
		next := multiply(dot, gram, transpose(x, dim, dim), dim, dim, dim)
		for i, v := range next {
			x[i] = 1.5*x[i] - 0.5*v
		}
	}
	return x
}
