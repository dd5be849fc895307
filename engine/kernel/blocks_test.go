package kernel

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"dowse/models/gguf"
	"dowse/models/pack"
)

const blockLetters = "456dehn"

// randomBlocks returns a projection of matrices of some forms side by side, of random
// blocks with scales of either sign, and the floats that they stand for [N,K].
func randomBlocks(t testing.TB, r *rand.Rand, k int, letters string, outputs ...int) (*pack.Linear, []float32) {
	t.Helper()
	l, meant := &pack.Linear{K: k}, []float32(nil)
	for i, n := range outputs {
		f := pack.FormOf(letters[i])
		_, size := f.Type.Block()
		at := map[gguf.Type][]int{gguf.Q4K: {0, 2}, gguf.Q5K: {0, 2}, gguf.Q6K: {208}}[f.Type]
		if at == nil {
			at = []int{0}
		}
		b, err := pack.BlocksOf(f, k, n, func(_ int, row []byte) error {
			for i := range row {
				row[i] = byte(r.IntN(256))
			}
			for block := 0; block < len(row); block += size {
				for _, half := range at {
					binary.LittleEndian.PutUint16(row[block+half:], uint16(r.IntN(2)<<15|(5+r.IntN(6))<<10|r.IntN(1024)))
				}
			}
			values := make([]float32, k)
			f.Type.Dequantize(values, row)
			meant = append(meant, values...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		l.Blocks, l.N = append(l.Blocks, b), l.N+n
	}
	l.Bias = randomFloats(r, l.N, 1)
	if err := l.Check(); err != nil {
		t.Fatal(err)
	}
	return l, meant
}

// TestLinearBlocksIsTheProductOfTheFile compares plain Go with float64 on what the file's
// numbers stand for: the error is that of the inputs' bytes.
func TestLinearBlocksIsTheProductOfTheFile(t *testing.T) {
	for _, letter := range blockLetters {
		r := newRandom()
		w, meant := randomBlocks(t, r, 512, string(letter), 37)
		x := randomFloats(r, 3*w.K, 1)
		got := make([]float32, 3*w.N)
		if err := newKernel(t, Plain).LinearBlocks(got, x, 3, w, Columns{To: w.N}, newScratch(t)); err != nil {
			t.Fatal(err)
		}
		wrong, size := 0.0, 0.0
		for row := range 3 {
			for n := range w.N {
				want := float64(w.Bias[n])
				for i, v := range meant[n*w.K : (n+1)*w.K] {
					want += float64(v) * float64(x[row*w.K+i])
				}
				wrong += math.Pow(want-float64(got[row*w.N+n]), 2)
				size += want * want
			}
		}
		if share := math.Sqrt(wrong / size); share > 0.01 || share == 0 {
			t.Errorf("form %c is off by %.4f of the outputs", letter, share)
		}
	}
}

// TestBlocksExpandToTheNumbersOfTheFile takes the blocks' own numbers.
func TestBlocksExpandToTheNumbersOfTheFile(t *testing.T) {
	for _, letter := range blockLetters {
		w, meant := randomBlocks(t, newRandom(), 256, string(letter), 20)
		picked := w.Blocks[0].Pick([]int32{19, 3})
		got := make([]float32, w.K)
		for n := range w.N {
			w.Blocks[0].Expand(got, n)
			sameBits(t, fmt.Sprintf("form %c, output %d", letter, n), got, meant[n*w.K:(n+1)*w.K])
		}
		picked.Expand(got, 0)
		sameBits(t, fmt.Sprintf("form %c, picked", letter), got, meant[19*w.K:20*w.K])
		picked.Expand(got, 1)
		sameBits(t, fmt.Sprintf("form %c, picked second", letter), got, meant[3*w.K:4*w.K])
	}
}

// TestN1_LinearBlocksRowsDoNotDependOnBatch compares each level with plain Go, in batches and
// in shares of columns, on rows with infinities, NaNs and zeros too.
func TestN1_LinearBlocksRowsDoNotDependOnBatch(t *testing.T) {
	for _, shape := range []struct {
		letters string
		outputs []int
	}{{"4", []int{48}}, {"5", []int{17}}, {"6", []int{33}}, {"d", []int{16}}, {"e", []int{40}}, {"h", []int{18}}, {"n", []int{34}}, {"446", []int{32, 16, 20}}, {"eeh", []int{16, 16, 16}}} {
		r := newRandom()
		w, _ := randomBlocks(t, r, 512, shape.letters, shape.outputs...)
		x := append(awkwardRows(r, w.K), randomFloats(r, 9*w.K, 1)...)
		rows := len(x) / w.K
		want := make([]float32, rows*w.N)
		if err := newKernel(t, Plain).LinearBlocks(want, x, rows, w, Columns{To: w.N}, newScratch(t)); err != nil {
			t.Fatal(err)
		}
		for _, isa := range fasterISAs(t) {
			k, s := newKernel(t, isa), newScratch(t)
			for _, batch := range []int{1, 2, 7, 8, 9, rows} {
				got, intact := guarded[float32](t, len(want))
				cut := r.IntN(w.N + 1)
				for at := 0; at < rows; at += batch {
					end := min(at+batch, rows)
					for _, c := range []Columns{{0, cut}, {cut, w.N}} {
						if err := k.LinearBlocks(got[at*w.N:end*w.N], x[at*w.K:end*w.K], end-at, w, c, s); err != nil {
							t.Fatal(err)
						}
					}
				}
				intact()
				sameBits(t, fmt.Sprintf("%s, %s, in batches of %d, cut at %d", shape.letters, isa, batch, cut), got, want)
			}
		}
	}
}

// BenchmarkLinearBlocks reports the weights a second of a decoder's projections in turns with
// those of bytes, from memory.
func BenchmarkLinearBlocks(b *testing.B) {
	const inputs, outputs = 1536, 8960
	for _, rows := range []int{1, 4, 64} {
		for _, letter := range []string{"", "4", "6", "e", "h"} {
			b.Run(fmt.Sprintf("rows=%d/form=%s", rows, letter), func(b *testing.B) {
				k, s := newKernel(b, Auto), newScratch(b)
				x, dst := randomFloats(newRandom(), rows*inputs, 1), make([]float32, rows*outputs)
				if letter == "" {
					all := streamOf(b, inputs, outputs)
					reportStream(b, inputs*outputs, func(i int) error {
						return k.Linear(dst, x, rows, all[i%len(all)], None, s)
					})
					return
				}
				w, _ := randomBlocks(b, newRandom(), inputs, letter, 16)
				all := make([]*pack.Linear, streamBytes/(inputs*outputs))
				strip := w.Blocks[0].Data
				for i := range all {
					one := pack.Blocks{Form: w.Blocks[0].Form, K: inputs, N: outputs}
					for range outputs / pack.Lanes {
						one.Data = append(one.Data, strip...)
					}
					all[i] = &pack.Linear{K: inputs, N: outputs, Blocks: []pack.Blocks{one}, Bias: make([]float32, outputs)}
				}
				reportStream(b, inputs*outputs, func(i int) error {
					return k.LinearBlocks(dst, x, rows, all[i%len(all)], Columns{To: outputs}, s)
				})
			})
		}
	}
}
