package bench

import (
	"bufio"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"dowse/internal/eval"
)

// Progress is told how far a phase has come.
type Progress func(phase string, done, total int)

// Report is what a scenario measured: as JSON for programs, by Write for people.
type Report interface {
	Write(w io.Writer) error
}

// turns calls measure for every way at every item. Ways take turns, another one
// first at each item: what else the machine does hits all of them, and none always
// finds what the one before has warmed.
func turns(phase string, items, ways int, progress Progress, measure func(item, way int) error) error {
	for item := range items {
		for turn := range ways {
			progress(phase, item*ways+turn, items*ways)
			if err := measure(item, (item+turn)%ways); err != nil {
				return err
			}
		}
	}
	return nil
}

// median returns the middle of some values, the lower one of an even number; 0 of none.
func median(values []float64) float64 { return eval.Percentile(slices.Clone(values), .5) }

// ratio returns a part of a whole; 0 of nothing.
func ratio[T int | int64 | float64](part, whole T) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// millis returns a time in milliseconds.
func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// ReadLines reads the lines of a file that hold something.
func ReadLines(path string) (lines []string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read from
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		if line := strings.TrimSpace(scanner.Text()); line != "" {
			lines = append(lines, line)
		}
	}
	return lines, scanner.Err()
}
