package leann

import (
	"encoding/binary"
	"errors"
	"math"
)

// rotation turns vectors before they are cut into parts: dim rows of signed
// bytes with a scale each. Rows are nearly orthogonal and of length 1, so
// that inner products stay what they were.
type rotation struct {
	dim    int
	scales []float32
	rows   []int8 // [dim, dim]
}

// newRotation rounds a matrix, [dim, dim].
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

// turn writes the rotated vector to dst.
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

// turnBack writes the vector whose rotated form is given to dst.
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
