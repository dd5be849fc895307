package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
	"unsafe"

	"dowse/engine/memory"
	"dowse/models/pack"
)

// sparseStream are projections that together exceed the caches, with rows at places that
// have nothing to do with their channels, as a cache of rows leaves them.
type sparseStream struct {
	linears []*pack.Linear
	rows    [][]*int8 // of each projection, by channel
}

func newSparseStream(b *testing.B, k, n, bits int) *sparseStream {
	b.Helper()
	r, s := newRandom(), &sparseStream{}
	w := randomLinear(r, k, n)
	w.Bits = bits
	size := k * w.RowBytes()
	count := (streamBytes + size - 1) / size
	buffer, err := memory.NewBuffer(nil, "", count*size)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := buffer.Free(); err != nil {
			b.Error(err)
		}
	})
	// Any bytes do as weights, but those of scales must not be infinite.
	all := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(buffer.Bytes()))), count*size/8)
	for i := range all {
		all[i] = r.Uint64() & 0x3bff3bff3bff3bff
	}
	places := r.Perm(count * k)
	for i := range count {
		one := *w
		one.Weights = buffer.Int8()[i*size:][:size]
		rows := make([]*int8, k)
		for j := range rows {
			rows[j] = &buffer.Int8()[places[i*k+j]*w.RowBytes()]
		}
		s.linears, s.rows = append(s.linears, &one), append(s.rows, rows)
	}
	return s
}

// BenchmarkLinearRows reports the weights a second that active rows of a token get
// through, and how that compares with all the weights as they lie, the two taking turns.
func BenchmarkLinearRows(b *testing.B) {
	for _, shape := range []struct{ k, n int }{{576, 3072}, {896, 9728}, {4096, 4096}, {4096, 22016}} {
		for _, bits := range []int{8, 4} {
			for _, percent := range []int{10, 30, 50, 100} {
				for _, isa := range ISAs()[1:] {
					b.Run(fmt.Sprintf("%dx%d/bits=%d/active=%d/%s", shape.k, shape.n, bits, percent, isa), func(b *testing.B) {
						benchmarkActive(b, newSparseStream(b, shape.k, shape.n, bits), percent, isa)
					})
				}
			}
		}
	}
}

func benchmarkActive(b *testing.B, stream *sparseStream, percent int, isa ISA) {
	k, s, w := newKernel(b, isa), newScratch(b), stream.linears[0]
	r := rand.New(rand.NewPCG(seed, uint64(percent)))
	x, channels := maskedRow(r, k, randomFloats(r, w.K, 1), max(1, w.K*percent/100))
	q, scale := quantised(k, x, 1, w.K)
	dst, rows, all := make([]float32, w.N), make([]*int8, len(channels)), Columns{To: w.N}
	dense := func(w *pack.Linear) error {
		if w.Bits == 4 {
			return k.Linear4(dst, x, 1, w, all, s)
		}
		return k.LinearQuantized(dst, q, scale, 1, w, None, s)
	}
	sparse := func(w *pack.Linear) error {
		if w.Bits == 4 {
			return k.LinearRows4(dst, x, channels, rows, w, all, s)
		}
		return k.LinearRows(dst, q, &scale[0], channels, rows, w, all, s)
	}
	var took [2][]time.Duration
	for i := 0; b.Loop(); i++ {
		at := i % len(stream.linears)
		for j, channel := range channels {
			rows[j] = stream.rows[at][channel]
		}
		for j, call := range []func(*pack.Linear) error{dense, sparse} {
			start := time.Now()
			if err := call(stream.linears[at]); err != nil {
				b.Fatal(err)
			}
			took[j] = append(took[j], time.Since(start))
		}
	}
	whole, some := fastOf(took[0]), fastOf(took[1])
	b.ReportMetric(float64(w.K*w.RowBytes())/whole, "dense-GB/s")
	b.ReportMetric(float64(len(channels)*w.RowBytes())/some, "GB/s")
	b.ReportMetric(some/1e3, "us/fast-op")
	b.ReportMetric(whole/some, "times-dense")
}
