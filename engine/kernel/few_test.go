package kernel

import (
	"fmt"
	"slices"
	"testing"
)

// TestN1_FewRowsAreManyRows crosses the number of rows where the way of
// multiplying changes, the tiles of rows, and the strips of columns.
func TestN1_FewRowsAreManyRows(t *testing.T) {
	const rows = 40
	for _, shape := range []struct{ k, n int }{{70, 1100}, {16, 64}, {33, 520}, {128, 1}} {
		r := newRandom()
		w, x := randomLinear(r, shape.k, shape.n), randomFloats(r, rows*shape.k, 1)
		want := make([]float32, rows*w.N)
		if err := newKernel(t, Plain).Linear(want, x, rows, w, None, newScratch(t)); err != nil {
			t.Fatal(err)
		}
		for _, isa := range fasterISAs(t) {
			k, s := newKernel(t, isa), newScratch(t)
			for _, batch := range []int{1, 2, 3, 4, 5, 7, 31, 32, 33, rows} {
				got, intact := guarded[float32](t, len(want))
				for at := 0; at < rows; at += batch {
					end := min(at+batch, rows)
					if err := k.Linear(got[at*w.N:end*w.N], x[at*w.K:end*w.K], end-at, w, None, s); err != nil {
						t.Fatal(err)
					}
				}
				intact()
				sameBits(t, fmt.Sprintf("%s %dx%d in batches of %d", isa, w.K, w.N, batch), got, want)
			}
		}
	}
}

// TestN1_LinearColumnsAreLinear computes the columns in shares of every kind.
func TestN1_LinearColumnsAreLinear(t *testing.T) {
	r := newRandom()
	w := randomLinear(r, 70, 300)
	for _, rows := range []int{1, 5, 40} {
		x := randomFloats(r, rows*w.K, 1)
		for _, isa := range ISAs() {
			k, s := newKernel(t, isa), newScratch(t)
			want := make([]float32, rows*w.N)
			if err := k.Linear(want, x, rows, w, Gelu, s); err != nil {
				t.Fatal(err)
			}
			q, scale := quantised(k, x, rows, w.K)
			for _, ends := range [][]int{{300}, {128, 300}, {1, 65, 65, 299, 300}} {
				got, intact := guarded[float32](t, len(want))
				from := 0
				for _, to := range ends {
					before := slices.Clone(got)
					if err := k.LinearColumns(got, q, scale, rows, w, Columns{from, to}, Gelu, s); err != nil {
						t.Fatal(err)
					}
					if untouched(before, got, w.N, from, to) != len(got) {
						t.Fatalf("%s: columns %d to %d wrote others", isa, from, to)
					}
					from = to
				}
				intact()
				sameBits(t, fmt.Sprintf("%s, %d rows, columns to %v", isa, rows, ends), got, want)
			}
		}
	}
}

// untouched is the first value outside of the columns that changed, or the
// number of values.
func untouched(before, after []float32, width, from, to int) int {
	for i := range before {
		if column := i % width; (column < from || column >= to) && before[i] != after[i] {
			return i
		}
	}
	return len(before)
}

func TestColumnsThatThereAreNotPanic(t *testing.T) {
	k, s, w := newKernel(t, Auto), newScratch(t), randomLinear(newRandom(), 8, 4)
	for _, c := range []Columns{{-1, 2}, {3, 2}, {0, 5}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			t.Error(k.LinearColumns(make([]float32, 4), make([]uint8, 8), make([]RowScale, 1), 1, w, c, None, s))
		})
	}
}
