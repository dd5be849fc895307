package lexical

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// postingsFrom makes a list out of arbitrary bytes.
func postingsFrom(data []byte) (list []posting) {
	next := uint64(0)
	for len(data) >= 3 {
		chunk := next + uint64(data[0])<<(data[1]%20)
		if chunk > 1<<32-1 {
			return list
		}
		list = append(list, posting{chunk: uint32(chunk), count: 1 + uint32(data[2])>>(data[1]%9)})
		next, data = chunk+1, data[3:]
	}
	return list
}

func FuzzPostings(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6})
	f.Add(bytes.Repeat([]byte{0, 0, 1}, 100))
	f.Add(bytes.Repeat([]byte{255, 19, 255}, 40))
	f.Fuzz(func(t *testing.T, data []byte) {
		if list := postingsFrom(data); len(list) > 1 {
			encoded := appendPostings([]byte("before"), list)
			got, err := decodePostings(nil, encoded[len("before"):], len(list))
			if err != nil || !slices.Equal(got, list) {
				t.Fatalf("%v became %v, error %v", list, got, err)
			}
		}
		for _, n := range []int{2, 10, len(data) * 8} {
			if list, err := decodePostings(nil, data, n); err == nil && len(list) != n {
				t.Fatalf("%d postings of %d without an error", len(list), n)
			}
		}
	})
}

// fillBlock writes terms into a block until it is full and returns them.
func fillBlock(random *rand.Rand) (*blockWriter, []encodedTerm) {
	b, terms := &blockWriter{}, []encodedTerm(nil)
	for i := 0; ; i++ {
		t := encodedTerm{term: fmt.Sprintf("%04d%0*d", i*(1+random.IntN(3)), random.IntN(40), 7)}
		if len(terms) > 0 && t.term <= terms[len(terms)-1].term {
			continue
		}
		if t.chunks = 1 + random.IntN(4); t.chunks == 1 {
			t.single = posting{chunk: random.Uint32N(1 << 20), count: 1 + random.Uint32N(3)}
		} else {
			list := make([]posting, t.chunks)
			for j := range list {
				list[j] = posting{chunk: uint32(j*100) + random.Uint32N(100), count: 1 + random.Uint32N(4)}
			}
			t.data = appendPostings(nil, list)
		}
		if !b.add(t) {
			return b, terms
		}
		terms = append(terms, t)
	}
}

func TestBlockRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		b, terms := fillBlock(random)
		block, dictionary := b.bytes()
		if len(block) > blockBytes+16 || dictionary > len(block) {
			t.Fatalf("a block of %d bytes, %d of them dictionary", len(block), dictionary)
		}
		r := readBlock(b.first, block)
		for _, want := range terms {
			if !r.next() {
				t.Fatalf("ended before %q: %v", want.term, r.err)
			}
			if string(r.term) != want.term || r.chunks != want.chunks || !bytes.Equal(r.data, want.data) || r.chunks == 1 && r.single != want.single {
				t.Fatalf("got %q %d %v, want %+v", r.term, r.chunks, r.single, want)
			}
			list, err := appendTerm(nil, b.first, block, want.term)
			if err != nil || len(list) != want.chunks {
				t.Fatalf("looked %q up: %v, %v", want.term, list, err)
			}
			if list, err := appendTerm(nil, b.first, block, want.term+"\x00"); err != nil || len(list) != 0 {
				t.Fatalf("a term that is not there: %v, %v", list, err)
			}
		}
		if r.next() || r.err != nil {
			t.Fatalf("goes on after the last term: %v", r.err)
		}
	}
}

func FuzzBlock(f *testing.F) {
	b, _ := fillBlock(rand.New(rand.NewPCG(3, 4)))
	block, _ := b.bytes()
	f.Add(b.first, block)
	f.Add("", []byte{})
	f.Add("word", []byte{1, 2, 1, 9})
	f.Fuzz(func(t *testing.T, first string, block []byte) {
		r := readBlock(first, block)
		n := 0
		for r.next() {
			if n++; n > blockTerms {
				t.Fatal("too many terms")
			}
			if list, err := r.appendTo(nil); err == nil && len(list) != r.chunks {
				t.Fatalf("%d postings of %d", len(list), r.chunks)
			}
		}
	})
}

func FuzzHeader(f *testing.F) {
	h := header{terms: 3, postings: 9, bytes: 100, chunks: []chunkLength{{4, 7}, {5, 0}, {90, 1 << 20}}}
	f.Add(h.encode())
	f.Add([]byte{formatVersion, 0, 0, 0, 0})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := decodeHeader(data)
		if err != nil {
			return
		}
		again, err := decodeHeader(h.encode())
		if err != nil || !slices.Equal(again.chunks, h.chunks) || again.terms != h.terms {
			t.Fatalf("%+v became %+v, error %v", h, again, err)
		}
	})
}

func TestBitsRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var w bitWriter
	type field struct {
		value uint64
		width uint // 0: unary
	}
	var fields []field
	for range 5000 {
		f := field{width: uint(random.IntN(33))}
		if f.width == 0 {
			f.value = uint64(random.IntN(150))
			w.unary(f.value)
		} else {
			f.value = random.Uint64() & (1<<f.width - 1)
			w.write(f.value, f.width)
		}
		fields = append(fields, f)
	}
	r := bitReader{data: w.close()}
	for i, f := range fields {
		got := uint64(0)
		if f.width == 0 {
			got = r.unary()
		} else {
			got = r.read(f.width)
		}
		if got != f.value || r.short {
			t.Fatalf("field %d: got %d, want %+v", i, got, f)
		}
	}
	if !r.ended() {
		t.Error("not at the end")
	}
}
