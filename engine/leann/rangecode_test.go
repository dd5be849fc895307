package leann

import (
	"bytes"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// exactWriter is the slow twin of rangeWriter: the low end of the interval is
// one integer of any length, so that carries need no care.
type exactWriter struct {
	low    big.Int
	width  uint32
	shifts int
}

func (w *exactWriter) code(p *chance, bit int) int {
	bound := w.width >> chanceBits * uint32(*p)
	if bit == 1 {
		w.low.Add(&w.low, big.NewInt(int64(bound)))
		bound = w.width - bound
	}
	w.width = bound
	p.learn(bit)
	w.grow()
	return bit
}

func (w *exactWriter) plain(value uint32, n int) uint32 {
	for n > 0 {
		step := min(n, 16)
		n -= step
		w.width >>= step
		part := uint64(value >> n & (1<<step - 1))
		w.low.Add(&w.low, new(big.Int).SetUint64(uint64(w.width)*part))
		w.grow()
	}
	return value
}

func (w *exactWriter) grow() {
	for ; w.width < 1<<24; w.width <<= 8 {
		w.low.Lsh(&w.low, 8)
		w.shifts++
	}
}

func (w *exactWriter) finish() []byte { return w.low.FillBytes(make([]byte, w.shifts+4)) }

// passAll passes bits of learned chances, plain bits and numbers through c.
func passAll(c coder, values []uint64) []uint64 {
	var m numbers
	m.renew()
	chances := make([]chance, 1)
	renew(chances)
	out := make([]uint64, len(values))
	for i, v := range values {
		switch i % 4 {
		case 0, 2:
			out[i] = uint64(c.code(&chances[0], int(v&1)))
		case 1:
			out[i] = uint64(c.plain(uint32(v), 32))
		default:
			out[i] = m.code(c, v)
		}
	}
	return out
}

// passedValues draws what passAll takes: few zeros make the low end of the
// interval full of ones, where carries run far.
func passedValues(rng *rand.Rand) []uint64 {
	values := make([]uint64, rng.IntN(400))
	zeros := rng.IntN(100)
	for i := range values {
		values[i] = rng.Uint64() >> (32 + rng.IntN(33))
		if rng.IntN(100) >= zeros {
			values[i] = 1<<32 - 1
		}
		if i%2 == 0 {
			values[i] &= 1
		}
	}
	return values
}

func TestRangeCode(t *testing.T) {
	rng := seeded(t, 21)
	for range 400 {
		values := passedValues(rng)
		w, exact := newRangeWriter(nil), &exactWriter{width: 1<<32 - 1}
		passAll(w, values)
		passAll(exact, values)
		b := w.finish()
		if !bytes.Equal(b, exact.finish()) {
			t.Fatalf("%v: %x, want %x", values, b, exact.finish())
		}
		r := newRangeReader(b)
		if got := passAll(r, make([]uint64, len(values))); !slices.Equal(got, values) {
			t.Fatalf("wrote %v, read %v", values, got)
		}
		if err := r.finish(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRangeCodeLength: the bytes are near the entropy of the bits.
func TestRangeCodeLength(t *testing.T) {
	rng := seeded(t, 22)
	for _, p := range []float64{0.5, 0.2, 0.05, 0.01} {
		const n = 40000
		chances := make([]chance, 1)
		renew(chances)
		w := newRangeWriter(nil)
		for range n {
			w.code(&chances[0], flag(rng.Float64() < p))
		}
		got := float64(8*len(w.finish())) / n
		entropy := -p*math.Log2(p) - (1-p)*math.Log2(1-p)
		t.Logf("chance %.2f: %.4f bits, entropy %.4f", p, got, entropy)
		if got > 1.2*entropy || got < 0.97*entropy {
			t.Errorf("chance %.2f takes %.4f bits, entropy %.4f", p, got, entropy)
		}
	}
}
