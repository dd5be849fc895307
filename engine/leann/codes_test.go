package leann

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// widths are codebooks of codes of 1, 2 and 20 bytes.
func widths(book uint32) (int, error) {
	if book > 2 {
		return 0, fmt.Errorf("there is no codebook %d", book)
	}
	return widthTable[book], nil
}

var widthTable = [...]int{1, 2, 20}

// block returns a block of codes of some ids, and those codes.
func block(rng *rand.Rand, key, book uint32, n int) (value []byte, codes map[uint32][]byte) {
	w := codeWriter{book: book}
	codes = map[uint32][]byte{}
	for _, at := range slices.Sorted(slices.Values(rng.Perm(blockSize)[:n])) {
		code := make([]byte, widthTable[book])
		for i := range code {
			code[i] = byte(rng.Uint32())
		}
		id := key<<blockBits + uint32(at)
		codes[id] = code
		w.add(id, code)
	}
	return w.bytes(), codes
}

// all returns the codes of a block.
func (b codeBlock) all(width int) map[uint32][]byte {
	codes := map[uint32][]byte{}
	b.each(width, func(id uint32, code []byte) { codes[id] = bytes.Clone(code) })
	return codes
}

func TestCodeBlockRoundTrip(t *testing.T) {
	rng := seeded(t, 191)
	for _, n := range []int{0, 1, 2, 63, 500, blockSize} {
		for _, key := range []uint32{0, 1, 77, 1<<(32-blockBits) - 1} {
			for book := range uint32(3) {
				value, want := block(rng, key, book, n)
				b, err := parseCodeBlock(key, value, widths)
				if err != nil {
					t.Fatalf("%d codes of block %d: %v", n, key, err)
				}
				width := widthTable[book]
				if got := b.all(width); b.book != book || b.count() != n || !maps.EqualFunc(got, want, bytes.Equal) {
					t.Fatalf("%d codes of block %d: got %d of book %d", n, key, len(got), b.book)
				}
				if room := 3 + blockSize/8 + n*width; len(value) > room {
					t.Errorf("%d codes of %d bytes take %d", n, width, len(value))
				}
			}
		}
	}
}

func TestCodeBlockRefuses(t *testing.T) {
	rng := seeded(t, 192)
	value, _ := block(rng, 4, 1, 300)
	for i := range value {
		if _, err := parseCodeBlock(4, value[:i], widths); !errors.Is(err, errCodes) {
			t.Fatalf("%d of %d bytes: %v", i, len(value), err)
		}
	}
	if _, err := parseCodeBlock(4, append(slices.Clone(value), 0), widths); !errors.Is(err, errCodes) {
		t.Errorf("a byte too many: %v", err)
	}
	if _, err := parseCodeBlock(1<<(32-blockBits), value, widths); !errors.Is(err, errCodes) {
		t.Errorf("a block beyond all ids: %v", err)
	}
	value[1] = 3
	if _, err := parseCodeBlock(4, value, widths); err == nil || errors.Is(err, errCodes) {
		t.Errorf("an unknown codebook: %v", err)
	}
}

func FuzzParseCodeBlock(f *testing.F) {
	rng := rand.New(rand.NewPCG(193, 0))
	for _, n := range []int{0, 1, 40} {
		value, _ := block(rng, 7, uint32(n%3), n)
		f.Add(uint32(7), value)
	}
	f.Add(uint32(1<<20), []byte{codeVersion, 0, 0})
	f.Add(uint32(0), []byte{codeVersion, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1, 1})
	f.Add(uint32(0), []byte{codeVersion, 1, 65})
	f.Fuzz(func(t *testing.T, key uint32, value []byte) {
		b, err := parseCodeBlock(key, value, widths)
		if err != nil {
			return
		}
		width := widthTable[b.book]
		codes, w := b.all(width), codeWriter{book: b.book}
		for _, id := range slices.Sorted(maps.Keys(codes)) {
			if id>>blockBits != key {
				t.Fatalf("block %d holds a code of chunk %d", key, id)
			}
			w.add(id, codes[id])
		}
		again, err := parseCodeBlock(key, w.bytes(), widths)
		if err != nil || len(codes) != b.count() || again.book != b.book || !maps.EqualFunc(again.all(width), codes, bytes.Equal) {
			t.Fatalf("%d codes, counted %d, written again: %v", len(codes), b.count(), err)
		}
	})
}

// TestReadLibrary: codebooks are numbered without gaps.
func TestReadLibrary(t *testing.T) {
	_, m := twoBooks(t, 194)
	if books := m.library(); len(books) != 2 || books[0].codeBytes() != 2 || books[1].codeBytes() != 3 {
		t.Errorf("%d codebooks", len(books))
	}
	delete(m.blocks[Books], 0)
	if _, err := readLibrary(m); err == nil {
		t.Error("a library without its first codebook was taken")
	}
}

// plainScan scores every code by itself and sorts them all.
func plainScan(m *memory, q []float32, n int, allowed Allowed) []scored {
	var all []scored
	books := m.library()
	tables := make([]scoreTable, len(books))
	for i, book := range books {
		tables[i] = book.table(q)
	}
	for id, own := range m.codes() {
		if allowed == nil || allowed.Has(id) {
			all = append(all, scored{id, tables[own.book].score(own.code)})
		}
	}
	slices.SortFunc(all, compareScored)
	return all[:min(n, len(all))]
}

func TestScan(t *testing.T) {
	rng := seeded(t, 195)
	c, m := twoBooks(t, 196)
	books := m.library()
	for _, q := range c.queries(rng, 3) {
		for _, n := range []int{0, 1, 30, 100_000} {
			for _, allowed := range []Allowed{nil, evens{}, share(50), below(blockSize), below(0)} {
				near, codes, err := scan(t.Context(), m, books, q, n, allowed)
				want := plainScan(m, q, n, allowed)
				if err != nil || !slices.Equal(near, want) || codes != len(plainScan(m, q, math.MaxInt, allowed)) {
					t.Fatalf("best %d: %v of %d, %v; want %v", n, near, codes, err, want)
				}
			}
		}
	}
}

// plainEncode chooses each number by decoding the whole vector with it.
func plainEncode(c *codebook, code []byte, vector []float32) {
	copy(code, nearest(c, vector))
	for range encodeRounds {
		for part := range c.parts {
			best, least := 0, math.Inf(1)
			for number := range centroids {
				code[part/2] = code[part/2]&^(15<<(4*(part&1))) | byte(number)<<(4*(part&1))
				if cost := encodingError(c, vector, code); cost < least {
					best, least = number, cost
				}
			}
			code[part/2] = code[part/2]&^(15<<(4*(part&1))) | byte(best)<<(4*(part&1))
		}
	}
}

// TestEncodeAgainstPlain: but for ties within rounding the codes are the same.
func TestEncodeAgainstPlain(t *testing.T) {
	c := newCloud(seeded(t, 197), 400, 24)
	book := trained(t, c.of, 24, 9)
	same, code, plain := 0, make([]byte, 5), make([]byte, 5)
	for _, node := range c.nodes() {
		v := c.Vector(node)
		book.encode(code, v)
		plainEncode(book, plain, v)
		got, want := encodingError(book, v, code), encodingError(book, v, plain)
		if bytes.Equal(code, plain) {
			same++
		} else if math.Abs(got-want) > 0.05 {
			t.Fatalf("node %d: code %x of error %v, plainly %x of %v", node, code, got, plain, want)
		}
	}
	if same < 396 {
		t.Errorf("%d of 400 codes are the plain ones", same)
	}
}

// benchIndex returns an index of n codes of 20 bytes of vectors of 384 numbers.
func benchIndex(b *testing.B, n int) (m *memory, query []float32) {
	rng := seeded(b, 198)
	m = newMemory(b, 384)
	c := newCloud(rng, 400, 384)
	m.blocks[Books][0] = trained(b, c.of, 384, 40).append(nil)
	for key := range uint32(n / blockSize) {
		w := codeWriter{}
		code := make([]byte, 20)
		for at := range uint32(blockSize) {
			for i := range code {
				code[i] = byte(rng.Uint32())
			}
			w.add(key<<blockBits+at, code)
		}
		m.blocks[CodeRuns][key] = w.bytes()
	}
	return m, c.queries(rng, 1)[0]
}

func BenchmarkScan(b *testing.B) {
	const n = 16 * blockSize
	m, query := benchIndex(b, n)
	books := m.library()
	perCode := func(b *testing.B) { b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/code") }
	for name, allowed := range map[string]Allowed{"tables": nil, "masked": full(n)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := scan(b.Context(), m, books, query, 180, allowed); err != nil {
					b.Fatal(err)
				}
			}
			perCode(b)
		})
	}
	b.Run("decoding", func(b *testing.B) { // the plain twin
		vector, sum := make([]float32, 384), float32(0)
		for b.Loop() {
			err := books.eachBlock(m, func(block codeBlock, book *codebook) error {
				block.each(20, func(_ uint32, code []byte) {
					book.decode(vector, code)
					sum += plainDot{}.Dot(query, vector)
				})
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		perCode(b)
	})
}

// bitmap allows the chunks whose bits are set, as an engine's set does.
type bitmap []uint64

func full(n int) bitmap {
	set := make(bitmap, (n+63)/64)
	for i := range set {
		set[i] = ^uint64(0)
	}
	return set
}

func (b bitmap) Has(chunk uint32) bool {
	word := int(chunk / 64)
	return word < len(b) && b[word]&(1<<(chunk%64)) != 0
}

func BenchmarkEncodePlain(b *testing.B) {
	c := newCloud(seeded(b, 199), 500, 384)
	book := trained(b, c.of, 384, 32)
	code := make([]byte, book.codeBytes())
	for b.Loop() {
		plainEncode(book, code, c.Vector(3))
	}
}
