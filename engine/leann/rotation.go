package leann

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
)

// rotation turns vectors before they are cut into parts: dim rows of signed bytes with a
// scale each. Rows are nearly orthonormal, so inner products stay the same.
type rotation struct {
	dim    int
	scales []float32
	rows   []int8 // [dim, dim]
}

func newRotation(matrix []float32, dim int) *rotation {
	r := &rotation{dim: dim, scales: make([]float32, dim), rows: make([]int8, dim*dim)}
	for i := range dim {
		row, peak := matrix[i*dim:(i+1)*dim], float32(1e-30)
		for _, v := range row {
			peak = max(peak, v, -v)
		}
		r.scales[i] = peak / 127
		for j, v := range row {
			r.rows[i*dim+j] = int8(math.Round(float64(v / r.scales[i])))
		}
	}
	return r
}

func (r *rotation) turn(dst, vector []float32) {
	for i := range dst {
		row := r.rows[i*r.dim : (i+1)*r.dim]
		vector := vector[:len(row)]
		var a, b, c, d float32
		j := 0
		for ; j+4 <= len(row); j += 4 {
			a += float32(row[j]) * vector[j]
			b += float32(row[j+1]) * vector[j+1]
			c += float32(row[j+2]) * vector[j+2]
			d += float32(row[j+3]) * vector[j+3]
		}
		for ; j < len(row); j++ {
			a += float32(row[j]) * vector[j]
		}
		dst[i] = (a + b + c + d) * r.scales[i]
	}
}

// turnBack writes the vector with the given rotated form to dst.
func (r *rotation) turnBack(dst, turned []float32) {
	clear(dst)
	for i, t := range turned {
		t *= r.scales[i]
		for j, v := range r.rows[i*r.dim : (i+1)*r.dim] {
			dst[j] += float32(v) * t
		}
	}
}

func (r *rotation) append(b []byte) []byte {
	for i, scale := range r.scales {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(scale))
		for _, v := range r.rows[i*r.dim : (i+1)*r.dim] {
			b = append(b, byte(v))
		}
	}
	return b
}

var errRotation = errors.New("rotation does not fit its codebook")

func parseRotation(b []byte, dim int) (*rotation, error) {
	if len(b) != dim*(4+dim) {
		return nil, errRotation
	}
	r := &rotation{dim: dim, scales: make([]float32, dim), rows: make([]int8, 0, dim*dim)}
	for i := range dim {
		r.scales[i] = math.Float32frombits(binary.LittleEndian.Uint32(b))
		if s := float64(r.scales[i]); math.IsNaN(s) || s < 0 || s > 1 {
			return nil, errRotation
		}
		for _, v := range b[4 : 4+dim] {
			r.rows = append(r.rows, int8(v))
		}
		b = b[4+dim:]
	}
	return r, nil
}

// Rounds of learning a rotation, and the size of its sample.
const (
	rotateRounds = 16
	rotateSample = 8192
	polarRounds  = 30
)

// rotateChunks is the number of chunks from which a rotation pays: it takes the bytes of
// 8192 codes of 18 bytes, and makes codes find as much as ones four bytes longer.
const rotateChunks = 1 << 16

// rotates reports whether a codebook for n chunks has a rotation.
func (x Index) rotates(n int) bool {
	if x.Rotate > 0 {
		return n >= x.Rotate
	}
	return n >= rotateChunks
}

// trainRotated learns a codebook and its rotation: optimized product quantization (Ge, He,
// Ke and Sun, the non-parametric form). It alternates between coding the rotated vectors
// and solving the orthogonal Procrustes problem for the rotation nearest to the decoded ones.
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
		// Procrustes: R maximises the trace of R * sample^T * coded.
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

// polar returns the orthogonal matrix nearest to m, [dim, dim], by Newton-Schulz iteration.
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
