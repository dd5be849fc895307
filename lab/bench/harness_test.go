package bench

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/internal/eval"
)

// silent and ignored are told of progress.
func silent(string, int, int) {}
func ignored(int)             {}

// Every way is asked every item, and each begins as often as the others.
func TestTurns(t *testing.T) {
	var order, told []string
	err := turns("asking", 3, 3, func(phase string, done, total int) { told = append(told, fmt.Sprint(phase, done, total)) }, func(item, way int) error {
		order = append(order, fmt.Sprint(item, way))
		return nil
	})
	if want := []string{"0 0", "0 1", "0 2", "1 1", "1 2", "1 0", "2 2", "2 0", "2 1"}; err != nil || !slices.Equal(order, want) {
		t.Errorf("order %q, %v, want %q", order, err, want)
	}
	if len(told) != 9 || told[8] != "asking8 9" {
		t.Errorf("told %q", told)
	}
	broken := errors.New("broken")
	if err := turns("", 2, 2, silent, func(_, way int) error {
		if way == 1 {
			return broken
		}
		return nil
	}); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

func TestSpread(t *testing.T) {
	list := []int{0, 1, 2, 3, 4, 5, 6}
	if got := fmt.Sprint(eval.Spread(list, 3), eval.Spread(list, 0), eval.Spread(list, 9), eval.Spread(list[:0], 2)); got != "[0 2 4] [0 1 2 3 4 5 6] [0 1 2 3 4 5 6] []" {
		t.Error(got)
	}
}

// Times are by way and item, whoever began.
func TestRace(t *testing.T) {
	times, err := race("asking", 2, 2, silent, func(item, way int) error {
		if way == 1 {
			<-time.After(2 * time.Millisecond)
		}
		return nil
	})
	if err != nil || len(times) != 2 || len(times[1]) != 2 || times[1][0] < 2 || times[1][1] < 2 {
		t.Errorf("%v, %v", times, err)
	}
}

func TestSummarize(t *testing.T) {
	if s := summarize([]float64{1, 2, 3, 10}); s != (summary{4, 2, 10}) || summarize(nil) != (summary{}) {
		t.Errorf("%+v, %+v", s, summarize(nil))
	}
}

func TestMedianLeavesItsValues(t *testing.T) {
	values := []float64{5, 1, 3}
	if m := median(values); m != 3 || values[0] != 5 || median(nil) != 0 {
		t.Errorf("median %g of %v", m, values)
	}
}

func TestTable(t *testing.T) {
	var out strings.Builder
	table := newTable(&out, "way\tms")
	table.row("%s\t%.1f", "streamed", 2.0)
	if err := table.flush(); err != nil || out.String() != "       way   ms\n  streamed  2.0\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}
