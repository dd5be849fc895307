package float

import (
	"math"
	"testing"
)

// Every half-precision number converts to the number its bits stand for.
func TestHalfAgainstDefinition(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		exponent, fraction := int(h>>10&0x1f), float64(h&0x3ff)
		want := math.Ldexp(1+fraction/1024, exponent-15)
		switch {
		case exponent == 0:
			want = math.Ldexp(fraction, -24)
		case exponent == 0x1f && fraction == 0:
			want = math.Inf(1)
		case exponent == 0x1f:
			want = math.NaN()
		}
		if h>>15 == 1 {
			want = -want
		}
		got := float64(FromHalf(h))
		if got != want && (!math.IsNaN(got) || !math.IsNaN(want)) || math.Signbit(got) != (h>>15 == 1) && !math.IsNaN(got) {
			t.Fatalf("half %#04x = %v, want %v", h, got, want)
		}
	}
}

// Every bfloat16 number has sign and exponent of a float32 and seven bits of
// its fraction.
func TestBrainAgainstDefinition(t *testing.T) {
	for i := range 1 << 16 {
		b := uint16(i)
		exponent, fraction := int(b>>7&0xff), float64(b&0x7f)
		want := math.Ldexp(1+fraction/128, exponent-127)
		switch {
		case exponent == 0:
			want = math.Ldexp(fraction, -133)
		case exponent == 0xff && fraction == 0:
			want = math.Inf(1)
		case exponent == 0xff:
			want = math.NaN()
		}
		if b>>15 == 1 {
			want = -want
		}
		if got := float64(FromBrain(b)); got != want && (!math.IsNaN(got) || !math.IsNaN(want)) {
			t.Fatalf("bfloat16 %#04x = %v, want %v", b, got, want)
		}
	}
}
