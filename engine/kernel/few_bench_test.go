package kernel

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"dowse/engine/memory"
	"dowse/models/pack"
)

// streamBytes is how many bytes of weights a benchmark of few rows goes
// through before it meets the first again: more than caches hold, as a decoder
// goes through all its layers for each token.
const streamBytes = 192 << 20

// streamOf returns projections of k inputs to n outputs that together exceed
// the caches. Their weights are windows of one buffer.
func streamOf(b *testing.B, k, n int) []*pack.Linear {
	b.Helper()
	w := randomLinear(newRandom(), k, n)
	count := (streamBytes + k*n - 1) / (k * n)
	buffer, err := memory.NewBuffer(nil, "", count*k*n)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := buffer.Free(); err != nil {
			b.Error(err)
		}
	})
	all := make([]*pack.Linear, count)
	for i := range all {
		one := *w
		one.Weights = buffer.Int8()[i*k*n : (i+1)*k*n]
		copy(one.Weights, w.Weights)
		all[i] = &one
	}
	return all
}

// BenchmarkLinearFewRows reports the weights a second that projections of a
// decoder get through, from memory, for one token and for drafts of several.
func BenchmarkLinearFewRows(b *testing.B) {
	for _, shape := range []struct{ k, n int }{{576, 576}, {576, 192}, {576, 1536}, {1536, 576}, {2048, 8192}} {
		for _, rows := range []int{1, 2, 4, 8, 16, 32, 64} {
			for _, isa := range ISAs()[1:] {
				b.Run(fmt.Sprintf("%dx%d/rows=%d/%s", shape.k, shape.n, rows, isa), func(b *testing.B) {
					k, s, all := newKernel(b, isa), newScratch(b), streamOf(b, shape.k, shape.n)
					x, dst := randomFloats(newRandom(), rows*shape.k, 1), make([]float32, rows*shape.n)
					q, scale := quantised(k, x, rows, shape.k)
					reportStream(b, shape.k*shape.n, func(i int) error {
						return k.LinearQuantized(dst, q, scale, rows, all[i%len(all)], None, s)
					})
				})
			}
		}
	}
}

// reportStream calls fn with 0, 1, ... and reports time, and bytes a second, of
// the call that is faster than nine tenths of all: on a machine that does other
// things too, the mean says more about those.
func reportStream(b *testing.B, bytes int, fn func(i int) error) {
	b.Helper()
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		if err := fn(i); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(start))
	}
	fast := fastOf(times)
	b.ReportMetric(float64(bytes)/fast, "GB/s")
	b.ReportMetric(fast/1e3, "us/fast-op")
}

// fastOf returns the nanoseconds of the call that is faster than nine tenths of all.
func fastOf(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/10].Nanoseconds())
}
