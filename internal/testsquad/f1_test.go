package testsquad

import (
	"math"
	"testing"
)

func TestF1(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"The Walt Disney Company", "walt disney company.", 1},
		{"an U.S. dollar", "US dollar", 1},
		{"in 1990", "1990", 2.0 / 3},
		{"x y y", "y y z", 2.0 * 2 / 6},
		{"", "the", 1},
		{"", "x", 0},
		{"x", "y", 0},
	} {
		if got := f1Of(normalize(c.a), normalize(c.b)); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%q, %q: %g, want %g", c.a, c.b, got, c.want)
		}
	}
}
