package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/memory"
	"dowse/models/pack"
)

// seed is fixed; a failing test prints what it drew from it.
const seed = 20

func newRandom() *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// newKernel returns a kernel with an instruction set, without ONNX Runtime.
func newKernel(t testing.TB, isa ISA) *Kernel {
	t.Helper()
	return openKernel(t, Options{ISA: isa, Backend: Own})
}

func openKernel(t testing.TB, options Options) *Kernel {
	t.Helper()
	k, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	})
	return k
}

// newScratch returns scratch memory that must be given back in full.
func newScratch(t testing.TB) *Scratch {
	t.Helper()
	var ledger memory.Ledger
	s := NewScratch(&ledger)
	t.Cleanup(func() {
		if err := s.Free(); err != nil {
			t.Error(err)
		}
		if left := ledger.Total(); left != 0 {
			t.Errorf("%d bytes of scratch memory left", left)
		}
	})
	return s
}

// fasterISAs are the instruction sets to hold against Plain.
func fasterISAs(t testing.TB) []ISA {
	t.Helper()
	isas := ISAs()[1:]
	if len(isas) == 0 {
		t.Skip("this build has plain Go alone")
	}
	return isas
}

func randomFloats(r *rand.Rand, n int, spread float64) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64() * spread)
	}
	return x
}

func randomLinear(r *rand.Rand, k, n int) *pack.Linear {
	l := &pack.Linear{K: k, N: n, Weights: make([]int8, k*n), Scale: make([]float32, n), Bias: randomFloats(r, n, 1)}
	for i := range l.Weights {
		l.Weights[i] = int8(r.IntN(255) - 127)
	}
	for i := range l.Scale {
		l.Scale[i] = float32(0.001 + 0.01*r.Float64())
	}
	l.ColSum = columnSums(l.Weights, k, n)
	return l
}

// awkwardRows are rows that arithmetic stumbles over: huge, zero, denormal,
// with an outlier, with infinities and NaNs, and ordinary ones between them.
func awkwardRows(r *rand.Rand, width int) []float32 {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	fills := []func(i int) float32{
		func(int) float32 { return math.MaxFloat32 },
		func(int) float32 { return -math.MaxFloat32 },
		func(int) float32 { return 0 },
		func(int) float32 { return float32(math.Copysign(0, -1)) },
		func(int) float32 { return math.SmallestNonzeroFloat32 },
		func(int) float32 { return 0x1p-100 },
		func(int) float32 { return 0x1p-101 },
		func(i int) float32 { return []float32{1e6, 1}[min(i, 1)] },
		func(i int) float32 { return float32(i%3-1) * 127 },
		withOutliers,
		func(i int) float32 { return float32(i%255-127) + 0.5 }, // halves
		func(i int) float32 { return []float32{inf, 1}[min(i, 1)] },
		func(i int) float32 { return []float32{-inf, inf, 0}[i%3] },
		func(i int) float32 { return []float32{1, nan}[i%2] },
	}
	var x []float32
	for _, fill := range fills {
		for i := range width {
			x = append(x, fill(i))
		}
		x = append(x, randomFloats(r, width, 1)...)
	}
	return x
}

// withOutliers has an outlier every 150 values.
func withOutliers(i int) float32 {
	if i%150 == 7 {
		return float32(-100_000 - i)
	}
	return float32(i%5) - 2
}

// sameBits compares floats bit by bit, all NaNs being one.
func sameBits(t testing.TB, what string, got, want []float32) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range got {
		if got[i] != got[i] && want[i] != want[i] {
			continue
		}
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Fatalf("%s: value %d is %x (%g), want %x (%g)", what, i,
				math.Float32bits(got[i]), got[i], math.Float32bits(want[i]), want[i])
		}
	}
}

// guarded returns a slice of n values with sentinels behind it, and a check
// that they are untouched.
func guarded[T float32 | uint8 | uint32](t testing.TB, n int) ([]T, func()) {
	t.Helper()
	const margin, sentinel = 64, 77
	all := slices.Repeat([]T{sentinel}, n+margin)
	return all[:n:n], func() {
		t.Helper()
		for i, v := range all[n:] {
			if v != sentinel {
				t.Fatalf("wrote %d values past the end", i+1)
			}
		}
	}
}

// columnSums returns the sum over k of each column of weights [rows,columns].
func columnSums(weights []int8, rows, columns int) []int32 {
	sums := make([]int32, columns)
	for k := range rows {
		for n, w := range weights[k*columns : (k+1)*columns] {
			sums[n] += int32(w)
		}
	}
	return sums
}

// LinearQuantized is Linear for rows that QuantizeRows has quantised, already multiplied
// with w.In.
func (k *Kernel) LinearQuantized(dst []float32, q []uint8, scale []RowScale, rows int, w *pack.Linear, activation Activation, s *Scratch) error {
	needLen("q", len(q), rows*w.K)
	needLen("scale", len(scale), rows)
	if rows == 0 {
		needLen("dst", len(dst), 0)
		return nil
	}
	if err := k.beginLinear(rows, w, s); err != nil {
		return err
	}
	k.project(dst, q, scale, rows, w, activation, s)
	return nil
}

// expand returns the rows of tokens as the floats that they stand for
// [tokens,heads*headDim].
func expand(in *HeadRows, tokens, heads, headDim int) []float32 {
	in.need("rows", tokens, heads, headDim)
	x := make([]float32, tokens*heads*headDim)
	for vector := range tokens * heads {
		dequantizeHead(x[vector*headDim:][:headDim], in, vector/heads, vector%heads, heads)
	}
	return x
}
