package kernel

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"dowse/models/pack"
)

// shapes of projections: the encoder's, and every kind of edge.
var shapes = []struct{ k, n int }{
	{384, 384}, {1, 1}, {3, 5}, {4, 64}, {5, 63}, {17, 65}, {31, 130}, {96, 48}, {130, 100}, {1536, 40},
}

// quantised returns rows of x with their scales.
func quantised(k *Kernel, x []float32, rows, width int) ([]uint8, []RowScale) {
	q, scale := make([]uint8, rows*width), make([]RowScale, rows)
	k.QuantizeRows(q, scale, x, rows, width)
	return q, scale
}

func TestQuantizeRowsIsCloseAndSymmetric(t *testing.T) {
	const width = 100
	x := randomFloats(newRandom(), width, 3)
	x[70] = -50 // the outlier takes no precision from the others
	q, scales := quantised(newKernel(t, Plain), x, 1, width)
	scale := scales[0]
	if scale.Count != 1 || scale.Outliers[0] != (Outlier{-50, 70}) || q[70] != 128 {
		t.Errorf("outlier %+v, byte %d", scale, q[70])
	}
	var largest byte
	for i, v := range x {
		if i == 70 {
			continue
		}
		back := float64(int(q[i])-128) * float64(scale.Step)
		if math.Abs(back-float64(v)) > float64(scale.Step)*0.5001 {
			t.Errorf("value %d: %g came back as %g, step %g", i, v, back, scale.Step)
		}
		largest = max(largest, q[i], 255-q[i]+1)
	}
	if largest != 255 {
		t.Errorf("the second largest magnitude became %d, want 127", largest-128)
	}
}

func TestQuantizeRowsOfSpecialRows(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		row   []float32
		q     []byte
		scale RowScale
	}{
		{[]float32{0, 0}, []byte{128, 128}, oneOutlier(0, 0, 0)},
		{[]float32{3}, []byte{128}, oneOutlier(0, 3, 0)},
		{[]float32{0, 0x1p-101, 0}, []byte{128, 128, 128}, oneOutlier(0, 0x1p-101, 1)},
		{[]float32{1, 0x1p-101}, []byte{128, 128}, oneOutlier(0, 1, 0)},
		{[]float32{127, 0.5, -900, 1.5, -0.5, -1.5}, []byte{255, 128, 128, 130, 128, 126}, oneOutlier(1, -900, 2)}, // halves to even
		{[]float32{-2, 2, 1, 0}, []byte{128, 255, 192, 128}, oneOutlier(float32(2)/127, -2, 0)},                    // the first of equals
		{[]float32{1, inf}, []byte{128, 128}, RowScale{Step: nan}},
		{[]float32{1, nan}, []byte{128, 128}, RowScale{Step: nan}},
	} {
		for _, isa := range ISAs() {
			q, scale := quantised(newKernel(t, isa), c.row, 1, len(c.row))
			sameScales(t, fmt.Sprintf("%s: scale of %v", isa, c.row), scale, []RowScale{c.scale})
			if string(q) != string(c.q) {
				t.Errorf("%s: %v became %v, want %v", isa, c.row, q, c.q)
			}
		}
	}
}

// Values far above the others are kept, the first MaxOutliers of them, and the
// others lose nothing by them.
func TestQuantizeRowsKeepsOutliers(t *testing.T) {
	for _, c := range []struct{ width, outliers int }{{100, 1}, {400, 3}, {1600, MaxOutliers}} {
		x := make([]float32, c.width)
		for i := range x {
			x[i] = withOutliers(i)
		}
		q, scales := quantised(newKernel(t, Plain), x, 1, c.width)
		scale := scales[0]
		if int(scale.Count) != c.outliers {
			t.Fatalf("%d outliers of %d values, want %d", scale.Count, c.width, c.outliers)
		}
		for p, outlier := range scale.Outliers[:c.outliers] {
			if want := 150*p + 7; int(outlier.At) != want || outlier.Value != x[want] || q[want] != 128 {
				t.Errorf("outlier %d of %d values: %+v, byte %d", p, c.width, outlier, q[want])
			}
		}
		if c.outliers < MaxOutliers && scale.Step != float32(2)/127 {
			t.Errorf("a step of %g, the largest of the others is 2", scale.Step)
		}
	}
}

// oneOutlier is the scale of a row without more of them.
func oneOutlier(step, value float32, at int32) RowScale {
	return RowScale{Step: step, Count: 1, Outliers: [MaxOutliers]Outlier{{value, at}}}
}

// sameScales compares scales bit for bit; NaNs are alike.
func sameScales(t *testing.T, what string, got, want []RowScale) {
	t.Helper()
	for i := range want {
		sameBits(t, what, []float32{got[i].Step, float32(got[i].Count)}, []float32{want[i].Step, float32(want[i].Count)})
		for p, outlier := range want[i].Outliers[:want[i].Count] {
			sameBits(t, what, []float32{got[i].Outliers[p].Value, float32(got[i].Outliers[p].At)}, []float32{outlier.Value, float32(outlier.At)})
		}
	}
}

func TestN3_QuantizeRowsIsTheSameOnEveryISA(t *testing.T) {
	plain := newKernel(t, Plain)
	for _, isa := range fasterISAs(t) {
		fast := newKernel(t, isa)
		for _, width := range []int{1, 7, 15, 16, 17, 64, 100, 384, 1600} {
			x := awkwardRows(newRandom(), width)
			rows := len(x) / width
			want, wantScale := quantised(plain, x, rows, width)
			q, intact := guarded[uint8](t, len(x))
			scale := make([]RowScale, rows)
			fast.QuantizeRows(q, scale, x, rows, width)
			intact()
			sameScales(t, fmt.Sprintf("%s width %d scale", isa, width), scale, wantScale)
			if string(q) != string(want) {
				t.Errorf("%s width %d: bytes differ", isa, width)
			}
		}
	}
}

func TestN3_LinearIsTheSameOnEveryISA(t *testing.T) {
	plain, s := newKernel(t, Plain), newScratch(t)
	for _, shape := range shapes {
		r := newRandom()
		w := randomLinear(r, shape.k, shape.n)
		x := awkwardRows(r, shape.k)
		rows := len(x) / shape.k
		for _, activation := range []Activation{None, Gelu} {
			want := make([]float32, rows*w.N)
			if err := plain.Linear(want, x, rows, w, activation, s); err != nil {
				t.Fatal(err)
			}
			for _, isa := range fasterISAs(t) {
				got, intact := guarded[float32](t, rows*w.N)
				if err := newKernel(t, isa).Linear(got, x, rows, w, activation, s); err != nil {
					t.Fatal(err)
				}
				intact()
				sameBits(t, fmt.Sprintf("%s %dx%d activation %d", isa, w.K, w.N, activation), got, want)
			}
		}
	}
}

// TestN1_LinearRowsDoNotDependOnBatch computes 64 rows together and in batches
// of every size, at every position, on two goroutines.
func TestN1_LinearRowsDoNotDependOnBatch(t *testing.T) {
	const rows = 64
	r := newRandom()
	w := randomLinear(r, 48, 80)
	x := randomFloats(r, rows*w.K, 1)
	x[5*w.K], x[5*w.K+1] = 1e4, 2e4 // outliers must not reach other rows
	for _, isa := range ISAs() {
		k := newKernel(t, isa)
		want := make([]float32, rows*w.N)
		if err := k.Linear(want, x, rows, w, None, newScratch(t)); err != nil {
			t.Fatal(err)
		}
		scratches := []*Scratch{newScratch(t), newScratch(t)}
		var group sync.WaitGroup
		for worker, s := range scratches {
			group.Go(func() {
				for m := 1 + worker; m <= rows; m += len(scratches) {
					got := make([]float32, rows*w.N)
					for at := 0; at < rows; at += m {
						end := min(at+m, rows)
						if err := k.Linear(got[at*w.N:end*w.N], x[at*w.K:end*w.K], end-at, w, None, s); err != nil {
							t.Error(err)
						}
					}
					if fmt.Sprint(got) != fmt.Sprint(want) {
						t.Errorf("%s: batches of %d rows differ", isa, m)
					}
				}
			})
		}
		group.Wait()
	}
}

// TestN1_RowBlocksDoNotShow has more rows than fit into one block.
func TestN1_RowBlocksDoNotShow(t *testing.T) {
	r := newRandom()
	w := randomLinear(r, 1536, 16)
	const rows = 300
	x := randomFloats(r, rows*w.K, 1)
	for _, isa := range fasterISAs(t) {
		k, s := newKernel(t, isa), newScratch(t)
		all, last := make([]float32, rows*w.N), make([]float32, w.N)
		if err := k.Linear(all, x, rows, w, None, s); err != nil {
			t.Fatal(err)
		}
		if err := k.Linear(last, x[(rows-1)*w.K:], 1, w, None, s); err != nil {
			t.Fatal(err)
		}
		sameBits(t, string(isa), all[(rows-1)*w.N:], last)
	}
}

// TestLinearExtremes adds the largest products that there are, where 16-bit
// sums would overflow.
func TestLinearExtremes(t *testing.T) {
	const width = 1536
	w := &pack.Linear{K: width, N: 2, Weights: make([]int8, 2*width), Scale: []float32{1, 1}, Bias: []float32{0, 1}}
	for k := range width {
		w.Weights[2*k], w.Weights[2*k+1] = 127, -127
	}
	w.ColSum = columnSums(w.Weights, width, 2)
	x := make([]float32, width)
	for i := range x {
		x[i] = 127
	}
	for _, isa := range ISAs() {
		got := make([]float32, 2)
		if err := newKernel(t, isa).Linear(got, x, 1, w, None, newScratch(t)); err != nil {
			t.Fatal(err)
		}
		const sum = 127 * 127 * width
		sameBits(t, string(isa), got, []float32{sum, -sum + 1})
	}
}

func TestLinearIsCloseToFloatingPoint(t *testing.T) {
	r := newRandom()
	w := randomLinear(r, 384, 32)
	x := randomFloats(r, w.K, 1)
	got := make([]float32, w.N)
	if err := newKernel(t, Auto).Linear(got, x, 1, w, None, newScratch(t)); err != nil {
		t.Fatal(err)
	}
	for n := range w.N {
		var want, size float64
		for k := range w.K {
			p := float64(x[k]) * float64(w.Weights[k*w.N+n]) * float64(w.Scale[n])
			want += p
			size += p * p
		}
		if diff := math.Abs(float64(got[n]) - want - float64(w.Bias[n])); diff > 0.03*math.Sqrt(size) {
			t.Errorf("output %d is off by %g, products amount to %g", n, diff, math.Sqrt(size))
		}
	}
}

func TestLinearCheckNamesTheMismatch(t *testing.T) {
	for name, spoil := range map[string]func(*pack.Linear){
		"inputs":  func(l *pack.Linear) { l.K = 0 },
		"weights": func(l *pack.Linear) { l.Weights = l.Weights[1:] },
		"scales":  func(l *pack.Linear) { l.Scale = nil },
		"sums":    func(l *pack.Linear) { l.ColSum = nil },
	} {
		l := randomLinear(newRandom(), 8, 4)
		if err := l.Check(); err != nil {
			t.Fatal(err)
		}
		spoil(l)
		if err := l.Check(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWrongLengthsPanic(t *testing.T) {
	k, s := newKernel(t, Auto), newScratch(t)
	w := randomLinear(newRandom(), 8, 4)
	for name, misuse := range map[string]func() error{
		"short x":   func() error { return k.Linear(make([]float32, 8), make([]float32, 15), 2, w, None, s) },
		"short dst": func() error { return k.Linear(make([]float32, 7), make([]float32, 16), 2, w, None, s) },
		"short q": func() error {
			return k.LinearQuantized(make([]float32, 8), make([]uint8, 15), make([]RowScale, 2), 2, w, None, s)
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			t.Error(misuse())
		})
	}
}
