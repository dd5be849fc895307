package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/memory"
	"dowse/models/pack"
)

// scattered are rows of bytes off the Go heap, in no order, gaps between them, and
// the same ones a stride apart.
type scattered struct {
	rows   []*int8
	strips []int8
	stride int
}

// scatter copies count rows of width bytes.
func scatter(t testing.TB, r *rand.Rand, weights []int8, count, width int) scattered {
	t.Helper()
	s := scattered{rows: make([]*int8, count), stride: width + r.IntN(70)}
	buffer, err := memory.NewBuffer(nil, "", 2*count*s.stride)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := buffer.Free(); err != nil {
			t.Error(err)
		}
	})
	all := buffer.Int8()
	for i := range all {
		all[i] = int8(r.IntN(256) - 128)
	}
	s.strips = all[:(count-1)*s.stride+width]
	for i, at := range r.Perm(count) {
		row := weights[i*width:][:width]
		copy(s.strips[i*s.stride:], row)
		there := all[(count+at+1)*s.stride-width:][:width]
		copy(there, row)
		s.rows[i] = &there[0]
	}
	return s
}

// of returns the rows of some channels.
func (s *scattered) of(channels []int32) []*int8 {
	rows := make([]*int8, len(channels))
	for i, channel := range channels {
		rows[i] = s.rows[channel]
	}
	return rows
}

// maskedRow returns a row with its scales of inputs, already masked so that active
// channels are left, with those.
func maskedRow(r *rand.Rand, k *Kernel, row []float32, active int) ([]float32, []int32) {
	x := slices.Clone(row)
	for _, j := range r.Perm(len(x))[active:] {
		x[j] = 0
	}
	channels := k.Mask(x, nil, 0, nil)
	return x, channels
}

// sparseRows are rows that LinearRows is asked for: ordinary, with outliers, awkward.
func sparseRows(r *rand.Rand, width int) [][]float32 {
	all := awkwardRows(r, width)
	rows := slices.Collect(slices.Chunk(all, width))
	for range 3 {
		rows = append(rows, randomFloats(r, width, 1))
	}
	return rows
}

// TestTA2_LinearRowsIsDenseOnTheMaskedInput compares with all the weights, close
// together and a stride apart, on every instruction set.
func TestTA2_LinearRowsIsDenseOnTheMaskedInput(t *testing.T) {
	plain := newKernel(t, Plain)
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		shape := struct{ k, n int }{1 + r.IntN(300), 1 + r.IntN(700)}
		if seed < uint64(len(shapes)) {
			shape = shapes[seed]
		}
		w := randomLinear(r, shape.k, shape.n)
		there := scatter(t, r, w.Weights, w.K, w.N)
		strided, bare := *w, *w
		strided.Weights, strided.Stride = there.strips, there.stride
		bare.Weights = nil
		for i, row := range sparseRows(r, w.K) {
			for _, active := range []int{0, 1, 3, 4, w.K / 2, w.K} {
				x, channels := maskedRow(r, plain, row, min(active, w.K))
				q, scale := quantised(plain, x, 1, w.K)
				want := make([]float32, w.N)
				if err := plain.LinearQuantized(want, q, scale, 1, w, None, newScratch(t)); err != nil {
					t.Fatal(err)
				}
				from, to := r.IntN(w.N+1), w.N
				for _, isa := range ISAs() {
					what := fmt.Sprintf("seed %d, %s, %dx%d, row %d, %d active", seed, isa, w.K, w.N, i, len(channels))
					k, s := newKernel(t, isa), newScratch(t)
					got, intact := guarded[float32](t, w.N)
					for _, c := range []Columns{{0, from}, {from, to}} {
						if err := k.LinearRows(got, q, &scale[0], channels, there.of(channels), &bare, c, s); err != nil {
							t.Fatal(what, err)
						}
					}
					intact()
					sameBits(t, what, got, want)
					if err := k.LinearQuantized(got, q, scale, 1, &strided, None, s); err != nil {
						t.Fatal(what, err)
					}
					intact()
					sameBits(t, what+", strided", got, want)
				}
			}
		}
	}
}

// TestN1_StridedRowsAreRows has few rows and many, shares of columns, and outliers.
func TestN1_StridedRowsAreRows(t *testing.T) {
	for _, shape := range []struct{ k, n int }{{33, 65}, {70, 1100}, {128, 64}} {
		r := newRandom()
		w := randomLinear(r, shape.k, shape.n)
		there := scatter(t, r, w.Weights, w.K, w.N)
		strided := *w
		strided.Weights, strided.Stride = there.strips, there.stride
		if err := strided.Check(); err != nil {
			t.Fatal(err)
		}
		for _, rows := range []int{1, 3, 5, 33, 70} {
			x := append(awkwardRows(r, w.K), randomFloats(r, rows*w.K, 1)...)[:rows*w.K]
			for _, isa := range ISAs() {
				what := fmt.Sprintf("%s, %dx%d, %d rows", isa, w.K, w.N, rows)
				k, s := newKernel(t, isa), newScratch(t)
				want := make([]float32, rows*w.N)
				if err := k.Linear(want, x, rows, w, Gelu, s); err != nil {
					t.Fatal(err)
				}
				got, intact := guarded[float32](t, len(want))
				if err := k.Linear(got, x, rows, &strided, Gelu, s); err != nil {
					t.Fatal(err)
				}
				intact()
				sameBits(t, what, got, want)
				clear(got)
				q, scale := quantised(k, x, rows, w.K)
				for _, c := range []Columns{{0, w.N / 3}, {w.N / 3, w.N}} {
					if err := k.LinearColumns(got, q, scale, rows, &strided, c, Gelu, s); err != nil {
						t.Fatal(err)
					}
				}
				intact()
				sameBits(t, what+", in shares", got, want)
			}
		}
	}
}

// TestN1_MaskIsTheSameOnEveryISA and says what it left.
func TestN1_MaskIsTheSameOnEveryISA(t *testing.T) {
	for _, width := range widths {
		r := newRandom()
		for i, row := range sparseRows(r, width) {
			for _, in := range [][]float32{nil, randomFloats(r, width, 1)} {
				for _, threshold := range []float32{0, 0.5, 3, float32(math.Inf(1))} {
					scaled := make([]float32, width)
					newKernel(t, Plain).ScaleInputs(scaled, row, in, 1)
					for _, isa := range ISAs() {
						k, what := newKernel(t, isa), fmt.Sprintf("%s, width %d, row %d, threshold %g", isa, width, i, threshold)
						alone, intact := guarded[float32](t, width)
						k.ScaleInputs(alone, row, in, 1)
						intact()
						sameBits(t, what+", scaled", alone, scaled)
						x, intact := guarded[float32](t, width)
						copy(x, row)
						channels := k.Mask(x, in, threshold, make([]int32, 0, 1))
						intact()
						checkMask(t, what, x, scaled, threshold, channels)
					}
				}
			}
		}
	}
}

func checkMask(t *testing.T, what string, masked, scaled []float32, threshold float32, channels []int32) {
	t.Helper()
	var want []int32
	for j, v := range scaled {
		if math.Abs(float64(v)) <= float64(threshold) {
			v = 0
		} else {
			want = append(want, int32(j))
		}
		sameBits(t, fmt.Sprintf("%s, channel %d", what, j), masked[j:j+1], []float32{v})
	}
	if !slices.Equal(channels, want) {
		t.Fatalf("%s: channels %v, want %v", what, channels, want)
	}
}

// Scales of inputs are applied before values are quantised.
func TestLinearAppliesScalesOfInputs(t *testing.T) {
	r := newRandom()
	w := randomLinear(r, 70, 90)
	x, in := randomFloats(r, 5*w.K, 1), randomFloats(r, w.K, 1)
	scaled := *w
	scaled.In = in
	for _, isa := range ISAs() {
		k, s := newKernel(t, isa), newScratch(t)
		inputs, want, got := make([]float32, len(x)), make([]float32, 5*w.N), make([]float32, 5*w.N)
		k.ScaleInputs(inputs, x, in, 5)
		if err := k.Linear(want, inputs, 5, w, None, s); err != nil {
			t.Fatal(err)
		}
		if err := k.Linear(got, x, 5, &scaled, None, s); err != nil {
			t.Fatal(err)
		}
		sameBits(t, string(isa), got, want)
	}
}

func TestCheckOfStridesAndScalesOfInputs(t *testing.T) {
	good := randomLinear(newRandom(), 4, 6)
	for name, change := range map[string]func(l *pack.Linear){
		"rows overlap":         func(l *pack.Linear) { l.Stride = 5 },
		"the last row is cut":  func(l *pack.Linear) { l.Stride = 7 },
		"too few input scales": func(l *pack.Linear) { l.In = make([]float32, 3) },
		"too few weights":      func(l *pack.Linear) { l.Weights = l.Weights[1:] },
	} {
		l := *good
		if change(&l); l.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	bare := *good
	bare.Weights = nil
	if err := bare.CheckRows(); err != nil {
		t.Error(err)
	}
	if bare.Check() == nil {
		t.Error("no weights: no error")
	}
}

func TestLinearRowsOfWrongChannelsPanics(t *testing.T) {
	k, s, w := newKernel(t, Auto), newScratch(t), randomLinear(newRandom(), 8, 4)
	x := []float32{0, 0, 0, 9, 0, 0, 0, 0}
	q, scale := quantised(k, x, 1, w.K)
	for name, channels := range map[string][]int32{"past the end": {3, 8}, "negative": {-1, 3}, "without the outlier": {2}} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			rows := make([]*int8, len(channels))
			t.Error(k.LinearRows(make([]float32, 4), q, &scale[0], channels, rows, w, Columns{To: 4}, s))
		})
	}
}
