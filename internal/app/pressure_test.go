package app

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReadPressure(t *testing.T) {
	file := filepath.Join(t.TempDir(), "memory.pressure")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("some avg10=12.50 avg60=3.00 avg300=0.10 total=123\nfull avg10=1.00 avg60=0.00 avg300=0.00 total=9\n")
	if got, err := readPressure(file); err != nil || got != 12.5 {
		t.Errorf("%g, %v: 12.5 is wanted", got, err)
	}
	for _, bad := range []string{"", "some total=1", "some avg10=much"} {
		write(bad)
		if got, err := readPressure(file); err == nil {
			t.Errorf("%q is read as %g", bad, got)
		}
	}
	if _, err := readPressure(file + ".none"); err == nil {
		t.Error("a file that is not there is read")
	}
}

// TestPressureGauge: two high readings in a row halve, then some do not count; a minute of
// low ones gives a step back; what lies between does neither.
func TestPressureGauge(t *testing.T) {
	var g pressureGauge
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
		{20, pressureRest, 0, 0},
		{20, 2, 1, 2},
		{0, pressureRest, 0, 0},
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
