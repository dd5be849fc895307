package kernel

import "testing"

func TestPeakCountsProducts(t *testing.T) {
	for _, isa := range ISAs() {
		k := newKernel(t, isa)
		few, many := k.ops.peak(1), k.ops.peak(1000)
		if many != 1000*few || (few == 0) != (isa == Plain) {
			t.Errorf("%s: %d products in a round, %d in 1,000", isa, few, many)
		}
		if rate := k.Peak(2); (rate > 0) != (few > 0) {
			t.Errorf("%s: %g operations a second", isa, rate)
		}
	}
}
