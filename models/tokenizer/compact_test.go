package tokenizer

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"
)

func TestCompactRoundTrip(t *testing.T) {
	tok := small(t)
	data := tok.AppendCompact(nil)
	back, err := FromCompact(data)
	if err != nil {
		t.Fatal(err)
	}
	if again := back.AppendCompact(nil); !bytes.Equal(again, data) {
		t.Error("the compact form of a compact tokenizer differs")
	}
	text := "unaffable [MASK] 中 á[SEP]"
	if got, want := back.Encode(text), tok.Encode(text); !slices.Equal(got, want) {
		t.Errorf("Encode = %v, want %v", got, want)
	}
}

func TestCompactIsDeterministic(t *testing.T) {
	if !bytes.Equal(small(t).AppendCompact(nil), small(t).AppendCompact(nil)) {
		t.Error("two readings of one file give two compact forms")
	}
}

func TestCompactCutShort(t *testing.T) {
	data := small(t).AppendCompact(nil)
	for _, n := range []int{0, 7, 8, compactHeader - 1, compactHeader, len(data) / 2, len(data) - 8} {
		if _, err := FromCompact(data[:n:n]); err == nil {
			t.Errorf("the first %d of %d bytes are accepted", n, len(data))
		}
	}
	if _, err := FromCompact([]byte("something else that is long enough to hold a header")); !errors.Is(err, ErrCompact) {
		t.Errorf("a foreign file gives %v", err)
	}
}

// Whatever is wrong with the data, reading it is an error or gives a tokenizer
// that works; it never panics.
func FuzzFromCompact(f *testing.F) {
	tiny := small(f)
	// The tables are large; a fuzzer finds its way better in a few changed numbers.
	data := tiny.AppendCompact(nil)
	f.Add(uint32(0), uint32(0), uint32(40), uint32(7))
	f.Add(uint32(len(data)-60), uint32(1<<31), uint32(len(data)-4), ^uint32(0))
	f.Fuzz(func(t *testing.T, at1, to1, at2, to2 uint32) {
		broken := slices.Clone(data)
		binary.LittleEndian.PutUint32(broken[int(at1)%(len(broken)-3):], to1)
		binary.LittleEndian.PutUint32(broken[int(at2)%(len(broken)-3):], to2)
		tok, err := FromCompact(broken)
		if err != nil {
			return
		}
		ids, _ := tok.EncodePair("unaffable á 한 [MASK]", "\U0010ffff ab.", 9)
		for _, id := range ids {
			tok.Token(id)
		}
	})
}
