package leann

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// memory is a stored index in memory. It fails the test where the store would
// go wrong: writing while reading, changing bytes that were read, removing
// what is not there. Bytes that are not valid any more it overwrites.
type memory struct {
	t       testing.TB
	dim     int
	blocks  map[Part]map[uint32][]byte
	runs    map[uint32][]byte
	reading int      // callbacks under way
	lent    [][]byte // by Block, valid until the next write
}

var _ Writer = (*memory)(nil)

func newMemory(t testing.TB, dim int) *memory {
	return &memory{t: t, dim: dim, blocks: map[Part]map[uint32][]byte{Books: {}, CodeRuns: {}, Links: {}, UpperLinks: {}, NextRuns: {}, KeptVectors: {}}, runs: map[uint32][]byte{}}
}

func (m *memory) Block(part Part, key uint32) ([]byte, error) {
	value, ok := m.blocks[part][key]
	if !ok {
		return nil, nil
	}
	value = bytes.Clone(value)
	m.lent = append(m.lent, value)
	return value, nil
}

func (m *memory) EachBlock(part Part, f func(key uint32, value []byte) error) error {
	return m.each(m.blocks[part], f)
}

func (m *memory) Vectors(f func(first uint32, raw []byte) error) error { return m.each(m.runs, f) }

func (m *memory) Run(chunk uint32) (first uint32, raw []byte, err error) {
	for back := range uint32(maxRun) { // no run is longer
		if raw, ok := m.runs[chunk-back]; ok && int(back) < len(raw)/4/m.dim {
			raw = bytes.Clone(raw)
			m.lent = append(m.lent, raw)
			return chunk - back, raw, nil
		}
	}
	return 0, nil, nil
}

func (m *memory) each(values map[uint32][]byte, f func(key uint32, value []byte) error) error {
	m.reading++
	defer func() { m.reading-- }()
	for _, key := range slices.Sorted(maps.Keys(values)) {
		value := bytes.Clone(values[key])
		if err := f(key, value); err != nil {
			return err
		}
		if !bytes.Equal(value, values[key]) {
			m.t.Errorf("the bytes of %d were changed by their reader", key)
		}
		overwrite(value)
	}
	return nil
}

func overwrite(b []byte) {
	for i := range b {
		b[i] = 0xdd
	}
}

// write is called at the start of every change.
func (m *memory) write() {
	if m.reading > 0 {
		m.t.Error("the index was changed while it was read")
	}
	for _, b := range m.lent {
		overwrite(b)
	}
	m.lent = nil
}

func (m *memory) PutBlock(part Part, key uint32, value []byte) error {
	value = bytes.Clone(value)
	m.write()
	m.blocks[part][key] = value
	return nil
}

func (m *memory) DeleteBlock(part Part, key uint32) error {
	m.write()
	if _, ok := m.blocks[part][key]; !ok {
		m.t.Errorf("block %d of part %d is not there", key, part)
	}
	delete(m.blocks[part], key)
	return nil
}

func (m *memory) DeleteVectors(first uint32) error {
	m.write()
	if _, ok := m.runs[first]; !ok {
		m.t.Errorf("no run of vectors begins with chunk %d", first)
	}
	delete(m.runs, first)
	return nil
}

// put stores a run of vectors.
func (m *memory) put(first uint32, vectors []float32) {
	var raw []byte
	for _, v := range vectors {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	m.runs[first] = raw
}

// maxRun is how many vectors add puts into a run at most.
const maxRun = 20

// add stores the vectors of nodes from to to-1 of a cloud, in runs of random
// length.
func (m *memory) add(rng *rand.Rand, c *cloud, from, to int) {
	for from < to {
		n := min(1+rng.IntN(maxRun), to-from)
		m.put(uint32(from), c.of[from*c.dim:(from+n)*c.dim])
		from += n
	}
}

// clone returns a copy that changes do not reach.
func (m *memory) clone() *memory {
	c := newMemory(m.t, m.dim)
	copyAll := func(dst, src map[uint32][]byte) {
		for key, value := range src {
			dst[key] = bytes.Clone(value)
		}
	}
	copyAll(c.runs, m.runs)
	for part, blocks := range m.blocks {
		copyAll(c.blocks[part], blocks)
	}
	return c
}

// equal reports whether two indexes hold the same bytes.
func (m *memory) equal(other *memory) bool {
	return maps.EqualFunc(m.runs, other.runs, bytes.Equal) &&
		maps.EqualFunc(m.blocks[Books], other.blocks[Books], bytes.Equal) &&
		maps.EqualFunc(m.blocks[CodeRuns], other.blocks[CodeRuns], bytes.Equal) &&
		maps.EqualFunc(m.blocks[Links], other.blocks[Links], bytes.Equal) &&
		maps.EqualFunc(m.blocks[UpperLinks], other.blocks[UpperLinks], bytes.Equal) &&
		maps.EqualFunc(m.blocks[NextRuns], other.blocks[NextRuns], bytes.Equal)
}

// size returns the number of bytes in blocks.
func (m *memory) size() int {
	n := 0
	for _, blocks := range m.blocks {
		for _, value := range blocks {
			n += len(value)
		}
	}
	return n
}

// codes returns all codes and the codebooks that made them.
func (m *memory) codes() map[uint32]ownCode {
	m.t.Helper()
	books := m.library()
	all := map[uint32]ownCode{}
	err := books.eachBlock(m, func(b codeBlock, book *codebook) error {
		b.each(book.codeBytes(), func(id uint32, code []byte) {
			if _, ok := all[id]; ok {
				m.t.Errorf("chunk %d has two codes", id)
			}
			all[id] = ownCode{b.book, bytes.Clone(code)}
		})
		return nil
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return all
}

func (m *memory) library() library {
	m.t.Helper()
	books, err := readLibrary(m)
	if err != nil {
		m.t.Fatal(err)
	}
	return books
}

// quantize is Index.Quantize, which must succeed.
func (m *memory) quantize(opts QuantizeOptions) Quantized {
	m.t.Helper()
	done, err := m.index().Quantize(m.t.Context(), m, opts)
	if err != nil {
		m.t.Fatal(err)
	}
	return done
}

// link runs a Linker to its end.
func (m *memory) link(opts LinkOptions) linked {
	m.t.Helper()
	l := m.linker(opts)
	for l.Due() {
		m.step(l)
	}
	return l.done
}

func (m *memory) linker(opts LinkOptions) *Linker {
	m.t.Helper()
	l, err := m.index().NewLinker(m.t.Context(), m, opts)
	if err != nil {
		m.t.Fatal(err)
	}
	return l
}

// step computes a step and commits it.
func (m *memory) step(l *Linker) {
	m.t.Helper()
	if err := l.Step(m.t.Context(), m); err != nil {
		m.t.Fatal(err)
	}
	if err := l.Write(m); err != nil {
		m.t.Fatal(err)
	}
}

// graph reads the graph.
func (m *memory) graph() *Graph {
	m.t.Helper()
	g, err := ReadGraph(m)
	if err != nil {
		m.t.Fatal(err)
	}
	return g
}

func (m *memory) index() Index { return Index{Dim: m.dim, Dot: plainDot{}} }

// problems returns what Check reports.
func (m *memory) problems(live Allowed, end uint32) []string {
	m.t.Helper()
	var found []string
	report := func(what string) { found = append(found, what) }
	lacks := func(chunk uint32) { report(fmt.Sprintf("chunk %d has neither a code nor a vector", chunk)) }
	if _, err := m.index().Check(m.t.Context(), m, live, end, report, lacks); err != nil {
		m.t.Fatal(err)
	}
	return found
}

// sound fails the test unless Check finds nothing wrong.
func (m *memory) sound(live Allowed, end uint32) {
	m.t.Helper()
	if found := m.problems(live, end); len(found) > 0 {
		m.t.Errorf("%d problems, the first: %s", len(found), found[0])
	}
}

// below allows the nodes below a number.
type below uint32

func (b below) Has(node uint32) bool { return node < uint32(b) }

// without allows all nodes but some.
type without map[uint32]bool

func (w without) Has(node uint32) bool { return !w[node] }
