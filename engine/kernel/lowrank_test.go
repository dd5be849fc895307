package kernel

import (
	"fmt"
	"slices"
	"testing"
)

// slowAddLowRank is the definition of an addition of low rank, but for the
// order of the sums of the first product, which is that of Dot.
func slowAddLowRank(dst []float32, width int, x []float32, rows int, l *LowRank) {
	for row := range rows {
		mixed := make([]float32, l.Rank)
		for i := range mixed {
			mixed[i] = plainDot(x[row*l.Inputs:(row+1)*l.Inputs], l.Down[i*l.Inputs:(i+1)*l.Inputs]) * l.Scale
		}
		for c := range l.Outputs {
			sum := float32(0)
			for i, m := range mixed {
				sum += float32(m * l.Up[i*l.Outputs+c])
			}
			if l.Rank > 0 {
				dst[row*width+l.From+c] += sum
			}
		}
	}
}

func randomLowRank(t testing.TB, inputs, rank, from, outputs int) *LowRank {
	t.Helper()
	r := newRandom()
	return &LowRank{
		Inputs: inputs, Rank: rank, From: from, Outputs: outputs, Scale: 0.7,
		Down: randomFloats(r, rank*inputs, 1), Up: randomFloats(r, rank*outputs, 1),
	}
}

// TestN1_AddLowRank: all instruction sets give the bits of the definition and leave the
// other outputs alone, whatever the shapes.
func TestN1_AddLowRank(t *testing.T) {
	s := NewScratch(nil)
	defer func() {
		if err := s.Free(); err != nil {
			t.Error(err)
		}
	}()
	for _, c := range []struct{ rows, inputs, rank, from, outputs, behind int }{
		{0, 16, 4, 0, 16, 0}, {1, 1, 1, 0, 1, 0}, {2, 15, 2, 3, 17, 1}, {3, 17, 3, 0, 31, 0}, {4, 33, 4, 5, 64, 2},
		{5, 64, 5, 0, 65, 3}, {7, 100, 16, 1, 130, 0}, {9, 576, 8, 64, 192, 64}, {67, 48, 6, 0, 50, 7}, {130, 32, 16, 0, 96, 0},
		{3, 20, 0, 0, 20, 0}, {3, 20, 3, 4, 0, 20},
	} {
		r := newRandom()
		l, width := randomLowRank(t, c.inputs, c.rank, c.from, c.outputs), c.from+c.outputs+c.behind
		x, before := randomFloats(r, c.rows*c.inputs, 1), randomFloats(r, c.rows*width, 1)
		want := slices.Clone(before)
		slowAddLowRank(want, width, x, c.rows, l)
		for _, isa := range ISAs() {
			got, intact := guarded[float32](t, len(before))
			copy(got, before)
			if err := newKernel(t, isa).AddLowRank(got, width, x, c.rows, l, s); err != nil {
				t.Fatal(err)
			}
			intact()
			sameBits(t, fmt.Sprintf("%s %+v", isa, c), got, want)
		}
	}
}

// BenchmarkAddLowRank is an adapter of rank 16 on the widest projection of
// SmolLM2-135M, for a prompt and for one token.
func BenchmarkAddLowRank(b *testing.B) {
	const inputs, outputs = 576, 1536
	l := randomLowRank(b, inputs, 16, 0, outputs)
	for _, rows := range []int{1, 16, 256} {
		dst, x := make([]float32, rows*outputs), randomFloats(newRandom(), rows*inputs, 1)
		for _, isa := range ISAs() {
			b.Run(fmt.Sprintf("%s/rows=%d", isa, rows), func(b *testing.B) {
				k, s := newKernel(b, isa), NewScratch(nil)
				for b.Loop() {
					if err := k.AddLowRank(dst, outputs, x, rows, l, s); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
				if err := s.Free(); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}
