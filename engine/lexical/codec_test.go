package lexical

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/internal/rangecode"
)

// postingsFrom makes a list out of arbitrary bytes, and the number of chunks.
func postingsFrom(data []byte) (list []posting, chunks int) {
	next := uint64(0)
	for len(data) >= 3 {
		chunk := next + uint64(data[0])<<(data[1]%16)
		if chunk > 1<<31 {
			break
		}
		list = append(list, posting{chunk: uint32(chunk), count: 1 + uint32(data[2])>>(data[1]%9)})
		next, data = chunk+1, data[3:]
	}
	return list, int(next) + len(data)
}

func FuzzShortList(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6})
	f.Add(bytes.Repeat([]byte{0, 0, 1}, 100))
	f.Add(bytes.Repeat([]byte{255, 19, 255}, 40))
	f.Fuzz(func(t *testing.T, data []byte) {
		if list, chunks := postingsFrom(data); len(list) > 0 {
			e := modelEncoder{Encoder: rangecode.NewEncoder([]byte("before"))}
			e.shortList(list, chunks)
			size := e.Size()
			code := e.Close()
			if len(code) > size {
				t.Fatalf("%d bytes, bounded by %d", len(code), size)
			}
			d := newModelDecoder(code[len("before"):])
			got, ok := d.shortList(nil, len(list), chunks)
			if !ok || !slices.Equal(got, list) || !d.Ended() {
				t.Fatalf("%v became %v, %v", list, got, ok)
			}
		}
		d := newModelDecoder(data)
		if got, ok := d.shortList(nil, 10, 1000); ok && len(got) != 10 {
			t.Fatalf("%d postings of 10 without an error", len(got))
		}
	})
}

func FuzzLongList(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6})
	f.Add(bytes.Repeat([]byte{0, 0, 1}, 100))
	f.Add(bytes.Repeat([]byte{255, 19, 255}, 40))
	f.Fuzz(func(t *testing.T, data []byte) {
		if list, chunks := postingsFrom(data); len(list) > 0 {
			code := appendLong([]byte("before"), list, chunks)
			got, err := decodeLong(nil, code[len("before"):], len(list), chunks)
			if err != nil || !slices.Equal(got, list) {
				t.Fatalf("%v became %v, error %v", list, got, err)
			}
		}
		for _, n := range []int{2, 300, 1000} {
			list, err := decodeLong(nil, data, n, 1000)
			if err == nil && (len(list) != n || list[n-1].chunk >= 1000) {
				t.Fatalf("%d postings of %d without an error", len(list), n)
			}
		}
	})
}

// blocks keeps what a blockWriter writes, in order.
type blocks struct {
	keys []string
	data map[string][]byte
}

func (b *blocks) put(first string, block []byte, words int) error {
	if _, known := b.data[first]; known || words > len(block) || len(b.keys) > 0 && first <= b.keys[len(b.keys)-1] {
		return fmt.Errorf("block %q of %d bytes, %d of them dictionary, after %q", first, len(block), words, b.keys)
	}
	b.keys, b.data[first] = append(b.keys, first), bytes.Clone(block)
	return nil
}

func (b *blocks) Segments() ([]uint32, error)           { return []uint32{1}, nil }
func (b *blocks) Header(segment uint32) ([]byte, error) { return nil, errDamaged }

func (b *blocks) Seek(_ uint32, term string) (string, []byte, error) {
	at, found := slices.BinarySearch(b.keys, term)
	if !found {
		at--
	}
	if at < 0 {
		return "", nil, nil
	}
	return b.keys[at], b.data[b.keys[at]], nil
}

func (b *blocks) Next(_ uint32, after string) (string, []byte, error) {
	at, found := slices.BinarySearch(b.keys, after)
	if found {
		at++
	}
	if at == len(b.keys) {
		return "", nil, nil
	}
	return b.keys[at], b.data[b.keys[at]], nil
}

// randomTerms are sorted terms with lists of all lengths.
func randomTerms(random *rand.Rand, n, chunks int) (terms []string, lists [][]posting) {
	const alphabet = "0123456789_abcdefghijklmnopqrstuvwxyz\u00e9\u4e2d"
	for range n {
		var term []rune
		for range 1 + random.IntN(1+random.IntN(30)) {
			runes := []rune(alphabet)
			term = append(term, runes[random.IntN(1+random.IntN(len(runes)))])
		}
		terms = append(terms, string(term))
	}
	slices.Sort(terms)
	terms = slices.Compact(terms)
	for range terms {
		share := random.Float64()
		if random.IntN(10) > 0 {
			share /= float64(chunks)
		}
		var list []posting
		for chunk := range chunks {
			if random.Float64() < share {
				list = append(list, posting{chunk: uint32(chunk), count: 1 + uint32(random.ExpFloat64())})
			}
		}
		if len(list) == 0 {
			list = []posting{{chunk: random.Uint32N(uint32(chunks)), count: 1 + random.Uint32N(1<<random.IntN(31))}}
		}
		lists = append(lists, list)
	}
	return terms, lists
}

func TestBlockRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, chunks := range []int{1, 2, 300, 5000} {
		terms, lists := randomTerms(random, 400, chunks)
		store := &blocks{data: map[string][]byte{}}
		w := newBlockWriter(chunks, store.put)
		for i, term := range terms {
			if err := w.add(term, lists[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.flush(); err != nil {
			t.Fatal(err)
		}
		bytes := 0
		for _, key := range store.keys {
			bytes += len(key) + len(store.data[key])
			if size := len(key) + len(store.data[key]); size > blockBytes {
				t.Errorf("block %q has %d bytes", key, size)
			}
		}
		t.Logf("%d chunks: %d blocks of %d bytes on average", chunks, len(store.keys), bytes/len(store.keys))
		walk := newCursor(store, 1, chunks)
		look := newCursor(store, 1, chunks)
		for i, term := range terms {
			if more, err := walk.next(); err != nil || !more || string(walk.name) != term {
				t.Fatalf("got %q, %v, error %v; want %q", walk.name, more, err, term)
			}
			if random.IntN(3) > 0 { // or else step over it
				if list, err := walk.postings(); err != nil || !slices.Equal(list, lists[i]) {
					t.Fatalf("term %q: got %v, error %v; want %v", term, list, err, lists[i])
				}
			}
			if found, err := look.find(term); err != nil || !found {
				t.Fatalf("term %q: found %v, error %v", term, found, err)
			}
			if list, err := look.postings(); err != nil || !slices.Equal(list, lists[i]) {
				t.Fatalf("term %q: got %v, error %v; want %v", term, list, err, lists[i])
			}
			if found, err := look.find(term + "\x00"); err != nil || found {
				t.Fatalf("a term that is not there: %v, %v", found, err)
			}
		}
		if more, err := walk.next(); err != nil || more {
			t.Fatalf("goes on after the last term: %v, %v", more, err)
		}
	}
}

func FuzzBlock(f *testing.F) {
	terms, lists := randomTerms(rand.New(rand.NewPCG(3, 4)), 60, 300)
	store := &blocks{data: map[string][]byte{}}
	w := newBlockWriter(300, store.put)
	for i, term := range terms {
		if err := w.add(term, lists[i]); err != nil {
			f.Fatal(err)
		}
	}
	if err := w.flush(); err != nil {
		f.Fatal(err)
	}
	for _, key := range store.keys {
		f.Add(key, store.data[key])
	}
	f.Add("", []byte{})
	f.Fuzz(func(t *testing.T, first string, block []byte) {
		store := &blocks{keys: []string{first}, data: map[string][]byte{first: block}}
		c := newCursor(store, 1, 300)
		for n := 0; ; n++ {
			more, err := c.next()
			if err != nil || !more {
				return
			}
			df := c.block.df
			list, err := c.postings()
			if err == nil && (len(list) != df || list[len(list)-1].chunk >= 300) {
				t.Fatalf("%d postings of %d", len(list), df)
			}
			if n > 1<<20 {
				t.Fatal("too many terms")
			}
		}
	})
}

func FuzzHeader(f *testing.F) {
	h := header{terms: 3, postings: 9, bytes: 100, chunks: []chunkLength{{4, 7}, {5, 0}, {90, 1 << 20}, {1<<32 - 1, 1<<32 - 1}}}
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
		width uint
	}
	var fields []field
	for range 5000 {
		f := field{width: uint(random.IntN(33))}
		f.value = random.Uint64() & (1<<f.width - 1)
		w.write(f.value, f.width)
		fields = append(fields, f)
	}
	r := bitReader{data: binary.AppendUvarint(w.close(), 99)}
	for i, f := range fields {
		if got := r.read(f.width); got != f.value || r.short {
			t.Fatalf("field %d: got %d, want %+v", i, got, f)
		}
	}
	if rest := r.rest(); len(rest) != 1 || rest[0] != 99 {
		t.Errorf("what follows is %v", rest)
	}
}

func FuzzRangeDecoder(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{255, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		d := newModelDecoder(data)
		term, shared := []byte(nil), 0
		for range 1000 {
			var ok bool
			if term, shared, ok = d.term(term, shared); !ok {
				return
			}
			if len(term) > 64*(len(data)+8) {
				t.Fatalf("a term of %d bytes out of %d", len(term), len(data))
			}
			d.number(dfContext, dfTopContext)
		}
	})
}
