package leann

import "math/bits"

// space gives the vectors by which links are chosen: stored vectors exactly, others as
// decoded from their codes. It caches what it reads and is valid as long as its Reader.
type space struct {
	Index
	r      Reader
	books  library
	stored map[uint32][]byte     // vectors by chunk, nil for a chunk without one; a nil map ignores vectors
	blocks map[uint32]*codeRanks // blocks of codes by key; nil for a block that does not exist
	err    error                 // the first one met
}

// codeRanks is a block of codes with the number of codes before each bitmap word.
type codeRanks struct {
	codeBlock
	before [blockSize/64 + 1]uint16
	width  int
}

func newSpace(x Index, r Reader) (*space, error) {
	books, err := readLibrary(r)
	return &space{Index: x, r: r, books: books, stored: map[uint32][]byte{}, blocks: map[uint32]*codeRanks{}}, err
}

// vector returns the stored vector of a chunk, nil if it has none.
func (s *space) vector(chunk uint32) []byte {
	if raw, known := s.stored[chunk]; known || s.err != nil || s.stored == nil {
		return raw
	}
	first, raw, err := s.r.Run(chunk)
	if err != nil {
		s.err = err
	}
	for i := 0; len(raw) >= 4*s.Dim; i++ {
		s.stored[first+uint32(i)], raw = raw[:4*s.Dim:4*s.Dim], raw[4*s.Dim:]
	}
	if _, known := s.stored[chunk]; !known {
		s.stored[chunk] = nil
	}
	return s.stored[chunk]
}

// code returns the code of a chunk and the number of its codebook, nil if it has none.
func (s *space) code(chunk uint32) (code []byte, book uint32) {
	key := chunk >> blockBits
	b, known := s.blocks[key]
	if !known {
		b = s.block(key)
		s.blocks[key] = b
	}
	if b == nil {
		return nil, 0
	}
	word := int(chunk&(blockSize-1)) / 64
	if 8*word >= len(b.bitmap) {
		return nil, 0
	}
	w, bit := b.word(word), uint64(1)<<(chunk%64)
	if w&bit == 0 {
		return nil, 0
	}
	at := (int(b.before[word]) + bits.OnesCount64(w&(bit-1))) * b.width
	return b.codes[at : at+b.width], b.book
}

// block reads a block of codes; nil if there is none.
func (s *space) block(key uint32) *codeRanks {
	value, err := s.r.Block(CodeRuns, key)
	if err != nil || value == nil || s.err != nil {
		s.fail(err)
		return nil
	}
	b, err := parseCodeBlock(key, value, s.books.width)
	if err != nil {
		s.fail(err)
		return nil
	}
	ranks := &codeRanks{codeBlock: b, width: s.books[b.book].codeBytes()}
	for word := range len(b.bitmap) / 8 {
		ranks.before[word+1] = ranks.before[word] + uint16(bits.OnesCount64(b.word(word)))
	}
	return ranks
}

func (s *space) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// floats writes the stored or decoded vector of a chunk to dst and reports whether it has one.
func (s *space) floats(dst []float32, chunk uint32) bool {
	if raw := s.vector(chunk); raw != nil {
		appendFloats(dst[:0], raw)
		return true
	}
	code, book := s.code(chunk)
	if code == nil {
		return false
	}
	s.books[book].decode(dst, code)
	return true
}

// probe scores chunks against one vector.
type probe struct {
	*space
	query  []float32
	tables []*scoreTable // by codebook, made on first use
	score1 [1]float32
}

func (s *space) probe(query []float32) *probe {
	return &probe{space: s, query: query, tables: make([]*scoreTable, len(s.books))}
}

// score returns the inner product with a chunk; false if it has neither vector nor code.
func (p *probe) score(chunk uint32) (float32, bool) {
	if raw := p.vector(chunk); raw != nil {
		p.Dot.DotMany(p.score1[:], p.query, raw)
		return p.score1[0], true
	}
	return p.estimate(chunk)
}

// estimate is score by the code alone.
func (p *probe) estimate(chunk uint32) (float32, bool) {
	code, book := p.code(chunk)
	if code == nil {
		return 0, false
	}
	if p.tables[book] == nil {
		t := p.books[book].table(p.query)
		p.tables[book] = &t
	}
	return p.tables[book].score(code), true
}
