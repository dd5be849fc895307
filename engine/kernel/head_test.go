package kernel

import (
	"fmt"
	"testing"

	"dowse/models/pack"
)

func randomHead(width, vocabulary int) *Head {
	w := randomLinear(newRandom(), vocabulary, width)
	return &Head{Width: width, Words: w.Weights, WordScale: randomFloats(newRandom(), vocabulary, 0.01)}
}

func TestN3_LogitsAreTheSameOnEveryISA(t *testing.T) {
	plain, s := newKernel(t, Plain), newScratch(t)
	for _, width := range []int{1, 16, 63, 64, 65, 100, 192, 576} {
		for _, vocabulary := range []int{1, 3, 4, 9, 50} {
			h, x := randomHead(width, vocabulary), awkwardRows(newRandom(), width)
			rows := len(x) / width
			want := make([]float32, rows*vocabulary)
			if err := plain.Logits(want, x, rows, h, s); err != nil {
				t.Fatal(err)
			}
			for _, isa := range fasterISAs(t) {
				got, intact := guarded[float32](t, len(want))
				if err := newKernel(t, isa).Logits(got, x, rows, h, s); err != nil {
					t.Fatal(err)
				}
				intact()
				sameBits(t, fmt.Sprintf("%s %d words of width %d", isa, vocabulary, width), got, want)
			}
		}
	}
}

// TestN3_LogitsAreALinear compares with the projection whose weights are those
// of the head, transposed.
func TestN3_LogitsAreALinear(t *testing.T) {
	const width, vocabulary, rows = 96, 70, 5
	h := randomHead(width, vocabulary)
	w := &pack.Linear{K: width, N: vocabulary, Weights: make([]int8, width*vocabulary), Scale: h.WordScale, Bias: make([]float32, vocabulary)}
	for n := range vocabulary {
		for i := range width {
			w.Weights[i*vocabulary+n] = h.Words[n*width+i]
		}
	}
	w.ColSum = columnSums(w.Weights, width, vocabulary)
	x := randomFloats(newRandom(), rows*width, 1)
	for _, isa := range ISAs() {
		k, s := newKernel(t, isa), newScratch(t)
		got, want := make([]float32, rows*vocabulary), make([]float32, rows*vocabulary)
		if err := k.Logits(got, x, rows, h, s); err != nil {
			t.Fatal(err)
		}
		if err := k.Linear(want, x, rows, w, None, s); err != nil {
			t.Fatal(err)
		}
		sameBits(t, string(isa), got, want)
	}
}

// TestN1_LogitsDoNotDependOnTheBatchOrItsShares computes rows one by one, and
// the vocabulary in parts.
func TestN1_LogitsDoNotDependOnTheBatchOrItsShares(t *testing.T) {
	const width, vocabulary, rows = 100, 23, 7
	h, x := randomHead(width, vocabulary), randomFloats(newRandom(), rows*width, 1)
	for _, isa := range ISAs() {
		k, s := newKernel(t, isa), newScratch(t)
		want := make([]float32, rows*vocabulary)
		if err := k.Logits(want, x, rows, h, s); err != nil {
			t.Fatal(err)
		}
		q, scale := quantised(k, x, rows, width)
		for row := range rows {
			got := make([]float32, vocabulary)
			for _, c := range []Columns{{0, 5}, {5, 5}, {5, 22}, {22, 23}} {
				if err := k.LogitsColumns(got, q[row*width:(row+1)*width], scale[row:row+1], 1, h, c, s); err != nil {
					t.Fatal(err)
				}
			}
			sameBits(t, fmt.Sprintf("%s row %d", isa, row), got, want[row*vocabulary:(row+1)*vocabulary])
		}
	}
}
