package rangecode

import (
	"math"
	"math/rand/v2"
	"testing"
)

// decision is one thing for a range coder to code: raw bits, one of equally likely
// numbers, or a bit by its chance.
type decision struct {
	chance Chance
	value  uint64
	width  uint   // of raw bits; 0 for anything else
	of     uint32 // how many numbers there are; 0 for anything else
}

func bitOf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// code writes decisions and reads them back.
func code(t *testing.T, decisions []decision) (bytes int, ideal float64) {
	t.Helper()
	e := NewEncoder([]byte("x"))
	for _, d := range decisions {
		if d.width > 0 {
			e.Raw(d.value, d.width)
			ideal += float64(d.width)
			continue
		}
		if d.of > 0 {
			e.Uniform(uint32(d.value), d.of)
			ideal += math.Log2(float64(d.of))
			continue
		}
		e.Bit(d.chance, d.value == 1)
		share := float64(d.chance) / One
		if d.value == 1 {
			share = 1 - share
		}
		ideal -= math.Log2(share)
	}
	bound := e.Size()
	data := e.Close()
	if len(data) > bound {
		t.Fatalf("%d bytes, bounded by %d", len(data), bound)
	}
	r := NewDecoder(data[1:])
	for i, d := range decisions {
		var got uint64
		switch {
		case d.width > 0:
			got = r.Raw(d.width)
		case d.of > 0:
			got = uint64(r.Uniform(d.of))
		default:
			got = uint64(bitOf(r.Bit(d.chance)))
		}
		if got != d.value {
			t.Fatalf("decision %d of %d: got %d, want %+v", i, len(decisions), got, d)
		}
	}
	if !r.Ended() {
		t.Fatalf("read %d of %d bytes for %d decisions", r.next, len(data)-1, len(decisions))
	}
	return len(data) - 1, ideal / 8
}

// TestRangeCoder codes many short runs of decisions: they end in every state,
// with carries through long rows of 0xFF too, which likely bits make.
func TestRangeCoder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		decisions := make([]decision, random.IntN(60))
		likely := random.IntN(2) == 0
		for i := range decisions {
			d := &decisions[i]
			switch {
			case likely:
				d.chance, d.value = Chance(1+random.IntN(40)), 1
				if random.IntN(30) == 0 {
					d.value = 0
				}
			case random.IntN(4) == 0:
				d.width = 1 + uint(random.IntN(32))
				d.value = random.Uint64() >> (64 - d.width)
			case random.IntN(3) == 0:
				d.of = 1 + random.Uint32()>>random.IntN(32)
				if d.of == 0 { // 1<<32 numbers are one too many
					d.of = 1
				}
				d.value = uint64(random.Uint32N(d.of))
			default:
				d.chance = Chance(1 + random.IntN(One-1))
				d.value = uint64(bitOf(random.IntN(One) >= int(d.chance)))
			}
		}
		code(t, decisions)
	}
}

// TestRangeCoderCarry has a carry come after rows of 0xFF of all lengths up
// to the end of the code.
func TestRangeCoderCarry(t *testing.T) {
	for row := range 40 {
		for after := range 12 {
			decisions := []decision{{chance: One / 2, value: 0}}
			for range row {
				decisions = append(decisions, decision{width: 8, value: 255})
			}
			decisions = append(decisions, decision{chance: One - 1, value: 1})
			for i := range after {
				decisions = append(decisions, decision{chance: One - 1, value: uint64(i & 1)})
			}
			code(t, decisions)
		}
	}
}

func TestRangeCoderIsShort(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	decisions := make([]decision, 100000)
	for i := range decisions {
		c := Chance(One * (1 + i%9) / 10)
		decisions[i] = decision{chance: c, value: uint64(bitOf(random.IntN(One) >= int(c)))}
	}
	if size, ideal := code(t, decisions); float64(size) > 1.002*ideal+2 {
		t.Errorf("%d bytes, %.0f would do", size, ideal)
	}
}

// TestUniform: as many numbers as there are take what their logarithm says.
func TestUniform(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for _, n := range []uint32{1, 2, 3, 1000, 1 << 16, 1<<16 + 1, 179000, 1<<32 - 1} {
		decisions := make([]decision, 20000)
		for i := range decisions {
			decisions[i] = decision{of: n, value: uint64(random.Uint32N(n))}
		}
		if size, ideal := code(t, decisions); float64(size) > 1.001*ideal+4 {
			t.Errorf("%d of %d numbers: %d bytes, %.0f would do", len(decisions), n, size, ideal)
		}
	}
}
