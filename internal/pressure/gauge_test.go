package pressure

import "testing"

// TestGauge: two high readings in a row halve, then some do not count; a minute of
// low ones gives a step back; what lies between does neither.
func TestGauge(t *testing.T) {
	var g gauge
	feed := func(percent float64, times int) (sum, at int) {
		for i := range times {
			if c := g.reading(percent); c != 0 {
				sum, at = sum+c, i+1
			}
		}
		return sum, at
	}
	for _, step := range []struct {
		percent        float64
		times, sum, at int
	}{
		{20, 1, 0, 0},
		{5, 1, 0, 0}, // breaks the row
		{20, 2, 1, 2},
		{20, restFor, 0, 0},
		{20, 2, 1, 2},
		{0, restFor, 0, 0},
		{0, relievedFor - 1, 0, 0},
		{5, 1, 0, 0},
		{0, relievedFor, -1, relievedFor},
		{5, 1000, 0, 0},
	} {
		if sum, at := feed(step.percent, step.times); sum != step.sum || at != step.at {
			t.Errorf("%+v: %d after %d readings", step, sum, at)
		}
	}
}
