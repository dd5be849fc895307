package kernel

import (
	"math"
	"testing"
)

func TestSoftmax(t *testing.T) {
	k := newKernel(t, Plain)
	for _, x := range [][]float32{{0}, {1, 2, 3}, {-5, 200, 199.5, -300}, {7, 7, 7, 7}} {
		total, want := 0.0, make([]float64, len(x))
		for i, v := range x {
			want[i] = math.Exp(float64(v) - 200)
			total += want[i]
		}
		k.Softmax(x)
		for i, v := range x {
			if math.Abs(float64(v)-want[i]/total) > 1e-6 {
				t.Errorf("%v, want %v", v, want[i]/total)
			}
		}
	}
	k.Softmax(nil)
}
