package tokenizer

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
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
	for _, n := range []int{0, 7, 8, len(wordPieceMagic) + 4*wordPieceSections - 1, len(wordPieceMagic) + 4*wordPieceSections, len(data) / 2, len(data) - 8} {
		if _, err := FromCompact(data[:n:n]); err == nil {
			t.Errorf("the first %d of %d bytes are accepted", n, len(data))
		}
	}
	if _, err := FromCompact([]byte("something else that is long enough to hold a header")); !errors.Is(err, errCompact) {
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

// Indexes remember which tokenizer they were made with by the hash of its
// compact form, so the form of what exists already must never change.
func TestCompactWordPieceBytesStay(t *testing.T) {
	for _, c := range []struct {
		name string
		tok  *Tokenizer
		want string
	}{
		{"small", small(t), "20b6fa02a018de38edc88afe69ffaaf50944b8d3faafdd7685701592a1e59dee"},
		{"bert", bert(t), "45dfb7d1e06c7aef1342a95fb9bbd02e2f4617a9584aab79e0f9e13a0b09a5ad"},
	} {
		if got := fmt.Sprintf("%x", sha256.Sum256(c.tok.AppendCompact(nil))); got != c.want {
			t.Errorf("the compact form of %s has the hash %s, want %s", c.name, got, c.want)
		}
	}
}

// familyNames are the small tokenizers, one of each kind of model and pipeline.
var familyNames = []string{"smollm", "qwen2", "llama3", "roberta", "modernbert", "qwen3-embedding", "gemma", "llama2", "llama2-first", "xlm-roberta", "bge-m3", "unigram-bytes"}

func TestCompactFamilies(t *testing.T) {
	for _, name := range familyNames {
		tok := importFamily(t, name)
		data := tok.AppendCompact(nil)
		if !bytes.Equal(data, importFamily(t, name).AppendCompact(nil)) {
			t.Errorf("%s: two readings of one file give two compact forms", name)
		}
		back, err := FromCompact(data)
		if err != nil {
			t.Fatal(name, err)
		}
		if !bytes.Equal(data, back.AppendCompact(nil)) {
			t.Errorf("%s: the compact form of a compact tokenizer differs", name)
		}
		text := "Hello,  <mask> wörld's 123 ﬁ\r\n🦙<|im_end|>"
		if got, want := back.Encode(text), tok.Encode(text); !slices.Equal(got, want) {
			t.Errorf("%s: Encode = %v, want %v", name, got, want)
		}
		for n := 0; n < len(data)-4; n += 1 + len(data)/50 {
			if _, err := FromCompact(data[:n:n]); err == nil {
				t.Errorf("%s: the first %d of %d bytes are accepted", name, n, len(data))
			}
		}
	}
}

func TestCompactIDAndTokenAreInverse(t *testing.T) {
	for _, name := range familyNames {
		tok := family(t, name)
		for id := range int32(tok.Size()) {
			if token := tok.Token(id); token != "" {
				isAdded := func(a addedToken) bool { return a.ID != id && a.Content == token }
				if back, ok := tok.ID(token); !ok || back != id && !slices.ContainsFunc(tok.settings.Added, isAdded) {
					t.Errorf("%s: ID(%q) = %d, %v, want %d", name, token, back, ok, id)
				}
			}
		}
		if _, ok := tok.ID("no such token"); ok || tok.Token(-1) != "" || tok.Token(1<<30) != "" {
			t.Errorf("%s: an entry that does not exist is found", name)
		}
	}
}

func FuzzFromCompactFamilies(f *testing.F) {
	var forms [][]byte
	for _, name := range familyNames {
		forms = append(forms, family(f, name).AppendCompact(nil))
	}
	f.Add(uint8(0), uint32(0), uint32(40), uint32(44), uint32(7))
	f.Add(uint8(6), uint32(8), uint32(1<<31), uint32(700), ^uint32(0))
	f.Fuzz(func(t *testing.T, which uint8, at1, to1, at2, to2 uint32) {
		broken := slices.Clone(forms[int(which)%len(forms)])
		binary.LittleEndian.PutUint32(broken[int(at1)%(len(broken)-3):], to1)
		binary.LittleEndian.PutUint32(broken[int(at2)%(len(broken)-3):], to2)
		tok, err := FromCompact(broken)
		if err != nil {
			return
		}
		ids, _ := tok.EncodePair("unaffable á 한 <mask>", "\U0010ffff  ab12.\r\n", 9)
		tok.Decode(append(ids, 3, 5, 1000))
	})
}
