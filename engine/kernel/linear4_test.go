package kernel

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"dowse/models/pack"
)

// randomLinear4 returns a projection of 4 bits whose scales lie between 1/8 and 1, all
// numbers among them, and the floats that its weights stand for [K,N].
func randomLinear4(r *rand.Rand, k, n int) (*pack.Linear, []float64) {
	w := randomLinear(r, k, n)
	w.Bits, w.ColSum = 4, nil
	size := pack.Row4Bytes(n)
	w.Weights = make([]int8, k*size)
	meant := make([]float64, k*n)
	for channel := range k {
		row := make([]byte, size)
		for i := range pack.Numbers4Bytes(n) {
			row[i] = 0x88
		}
		for block := range (n + pack.Block4 - 1) / pack.Block4 {
			h := uint16(r.IntN(3*1024)) + 12<<10 // 2^-3 to 1
			binary.LittleEndian.PutUint16(row[pack.Numbers4Bytes(n)+2*block:], h)
			scale := math.Ldexp(1+float64(h&1023)/1024, int(h>>10)-15)
			for c := block * pack.Block4; c < min(n, (block+1)*pack.Block4); c++ {
				number := r.IntN(16)
				at, shift := c/32*16+c%16, c%32/16*4
				row[at] = row[at]&^(15<<shift) | byte(number)<<shift
				meant[channel*n+c] = scale * float64(number-8)
			}
		}
		for i, b := range row {
			w.Weights[channel*size+i] = int8(b)
		}
	}
	return w, meant
}

// TestTA2_LinearRows4IsDenseOnTheMaskedInput compares active rows, a stride apart, with
// all of them and with plain Go, in shares of columns.
func TestTA2_LinearRows4IsDenseOnTheMaskedInput(t *testing.T) {
	plain := newKernel(t, Plain)
	for seed := range uint64(9) {
		r := rand.New(rand.NewPCG(seed, 2))
		shape := []struct{ k, n int }{{1, 1}, {5, 31}, {7, 33}, {64, 128}, {35, 130}, {20, 2048}, {20, 2200}, {300, 96}}
		k, n := 1+r.IntN(200), 1+r.IntN(700)
		if seed < uint64(len(shape)) {
			k, n = shape[seed].k, shape[seed].n
		}
		w, _ := randomLinear4(r, k, n)
		there := scatter(t, r, w.Weights, k, w.RowBytes())
		strided, bare := *w, *w
		strided.Weights, strided.Stride, bare.Weights = there.strips, there.stride, nil
		if err := strided.Check(); err != nil {
			t.Fatal(err)
		}
		rows := sparseRows(r, k)
		for i, row := range rows {
			if n > 1000 && i%4 != 0 {
				continue
			}
			for _, active := range []int{0, 1, 3, k / 2, k} {
				x, channels := maskedRow(r, plain, row, min(active, k))
				want, got := make([]float32, n), make([]float32, n)
				if err := plain.Linear4(want, x, 1, w, Columns{To: n}, newScratch(t)); err != nil {
					t.Fatal(err)
				}
				cut := r.IntN(n + 1)
				for _, isa := range ISAs() {
					what := fmt.Sprintf("seed %d, %s, %dx%d, row %d, %d active, cut at %d", seed, isa, k, n, i, len(channels), cut)
					fast, s := newKernel(t, isa), newScratch(t)
					clear(got)
					for _, c := range []Columns{{0, cut}, {cut, n}} {
						if err := fast.LinearRows4(got, x, channels, there.of(channels), &bare, c, s); err != nil {
							t.Fatal(what, err)
						}
					}
					sameBits(t, what, got, want)
					clear(got)
					for _, c := range []Columns{{0, cut}, {cut, n}} {
						if err := fast.Linear4(got, x, 1, &strided, c, s); err != nil {
							t.Fatal(what, err)
						}
					}
					sameBits(t, what+", dense", got, want)
				}
			}
		}
	}
}

// TestN1_Linear4RowsDoNotDependOnBatch has more rows than are multiplied together.
func TestN1_Linear4RowsDoNotDependOnBatch(t *testing.T) {
	r := newRandom()
	w, _ := randomLinear4(r, 70, 200)
	x := append(awkwardRows(r, w.K), randomFloats(r, 9*w.K, 1)...)
	rows := len(x) / w.K
	want := make([]float32, rows*w.N)
	if err := newKernel(t, Plain).Linear4(want, x, rows, w, Columns{To: w.N}, newScratch(t)); err != nil {
		t.Fatal(err)
	}
	for _, isa := range fasterISAs(t) {
		k, s := newKernel(t, isa), newScratch(t)
		for _, batch := range []int{1, 2, 3, 5, 16, 17, rows} {
			got, intact := guarded[float32](t, len(want))
			for at := 0; at < rows; at += batch {
				end := min(at+batch, rows)
				if err := k.Linear4(got[at*w.N:end*w.N], x[at*w.K:end*w.K], end-at, w, Columns{To: w.N}, s); err != nil {
					t.Fatal(err)
				}
			}
			intact()
			sameBits(t, fmt.Sprintf("%s in batches of %d", isa, batch), got, want)
		}
	}
}

// What comes out is what the numbers and scales stand for, up to the bytes of inputs.
func TestLinear4IsCloseToFloat64(t *testing.T) {
	r := newRandom()
	w, meant := randomLinear4(r, 400, 300)
	x := randomFloats(r, w.K, 1)
	x[17] = 40 // an outlier
	got := make([]float32, w.N)
	if err := newKernel(t, Auto).Linear4(got, x, 1, w, Columns{To: w.N}, newScratch(t)); err != nil {
		t.Fatal(err)
	}
	var off, size float64
	for n := range w.N {
		var want float64
		for k := range w.K {
			want += float64(x[k]) * meant[k*w.N+n] * float64(w.Scale[n])
		}
		diff := float64(got[n]-w.Bias[n]) - want
		off, size = off+diff*diff, size+want*want
	}
	if relative := math.Sqrt(off / size); relative > 0.008 {
		t.Errorf("off by %g of the size, which bytes of inputs do not explain", relative)
	}
}

func TestWeightsOfOtherBitsPanic(t *testing.T) {
	k, s, r := newKernel(t, Auto), newScratch(t), newRandom()
	bytes := randomLinear(r, 8, 4)
	four, _ := randomLinear4(r, 8, 4)
	x, dst := make([]float32, 8), make([]float32, 4)
	for name, call := range map[string]func() error{
		"bytes for Linear4":     func() error { return k.Linear4(dst, x, 1, bytes, Columns{To: 4}, s) },
		"bytes for LinearRows4": func() error { return k.LinearRows4(dst, x, nil, nil, bytes, Columns{To: 4}, s) },
		"4 bits for Linear":     func() error { return k.Linear(dst, x, 1, four, None, s) },
		"4 bits for LinearRows": func() error {
			return k.LinearRows(dst, make([]uint8, 8), &RowScale{}, nil, nil, four, Columns{To: 4}, s)
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			t.Error(call())
		})
	}
	wrong := *four
	wrong.Bits = 2
	if wrong.Check() == nil {
		t.Error("2 bits: no error")
	}
}
