package view

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

// Aligned bytes are shared and misaligned ones decoded: both must read alike.
func TestAlignedAndMisalignedReadAlike(t *testing.T) {
	want := []uint32{0, 1, 0x80000000, math.Float32bits(1.5), math.MaxUint32}
	var raw []byte
	for _, v := range want {
		raw = binary.LittleEndian.AppendUint32(raw, v)
	}
	for shift := range 4 {
		b := make([]byte, shift+len(raw))[shift:]
		copy(b, raw)
		if got := Uint32s(b); !slices.Equal(got, want) {
			t.Errorf("shift %d: Uint32s = %v, want %v", shift, got, want)
		}
		if got := Float32s(b)[3]; got != 1.5 {
			t.Errorf("shift %d: Float32s[3] = %v, want 1.5", shift, got)
		}
		if got := Int32s(b)[4]; got != -1 {
			t.Errorf("shift %d: Int32s[4] = %d, want -1", shift, got)
		}
		if got := Uint16s(b)[5]; got != 0x8000 {
			t.Errorf("shift %d: Uint16s[5] = %#x, want 0x8000", shift, got)
		}
	}
	if got := Int8s([]byte{0xff, 1}); got[0] != -1 || got[1] != 1 {
		t.Errorf("Int8s = %v", got)
	}
}

func TestShortBytesGiveNothing(t *testing.T) {
	b := []byte{1}
	if len(Uint16s(b))+len(Uint32s(b))+len(Int32s(b))+len(Float32s(b))+len(Int8s(nil)) != 0 {
		t.Error("a view of too few bytes is not empty")
	}
}
