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

// Every number converts to the nearest half-precision number, and of two that are as
// near to the one that ends in 0.
func TestToHalfAgainstDefinition(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		f := FromHalf(h)
		if math.IsNaN(float64(f)) {
			if got := ToHalf(f); got&0x7c00 != 0x7c00 || got&0x3ff == 0 {
				t.Fatalf("half %#04x becomes %#04x", h, got)
			}
			continue
		}
		if got := ToHalf(f); got != h {
			t.Fatalf("half %#04x becomes %#04x", h, got)
		}
		next := FromHalf(h + 1)
		if h&0x7fff >= 0x7bff {
			continue // the next one is infinite, or not a number
		}
		middle := float32((float64(f) + float64(next)) / 2)
		for _, c := range []struct {
			f    float32
			want uint16
		}{
			{middle, h + h&1},
			{math.Nextafter32(middle, f), h},
			{math.Nextafter32(middle, next), h + 1},
		} {
			if got := ToHalf(c.f); got != c.want {
				t.Fatalf("%v becomes %#04x, want %#04x", c.f, got, c.want)
			}
		}
	}
	for f, want := range map[float32]uint16{65504: 0x7bff, 65519.996: 0x7bff, 65520: 0x7c00, 1e30: 0x7c00, -1e30: 0xfc00, 1e-30: 0, -1e-30: 0x8000} {
		if got := ToHalf(f); got != want {
			t.Errorf("%v becomes %#04x, want %#04x", f, got, want)
		}
	}
}
