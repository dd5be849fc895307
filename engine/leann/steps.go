package leann

import (
	"context"
	"maps"
	"slices"
)

// Quantizing is Quantize in steps: Prepare and Encode read the index and compute, Put
// writes the codes of one Encode. After each Put every chunk has a code or a vector, so a
// later Prepare goes on from there. Nobody else may write between Prepare and the last Put.
type Quantizing struct {
	Quantized // totals of all steps

	index Index
	live  Allowed
	books library
	next  uint32 // number of the codebook for new blocks
	left  int    // chunks with a vector
	step  step
}

// step is the result of one Encode.
type step struct {
	blocks map[uint32][]byte
	runs   []uint32 // runs of vectors whose chunks have codes in blocks
	chunks int
}

// stepChunks is how many chunks a step encodes; writing them takes a fraction of a second.
const stepChunks = 2 * blockSize

// Left reports whether another step is due.
func (p *Quantizing) Left() bool { return p.left > 0 }

// Prepare is the part of Quantize before the first write: it chooses or trains the
// codebook and measures the errors of estimates.
func (x Index) Prepare(ctx context.Context, r Reader, opts QuantizeOptions) (*Quantizing, error) {
	s := quantizing{Index: x, r: r, ctx: ctx, live: opts.Live}
	var err error
	if s.books, err = readLibrary(r); err != nil {
		return nil, err
	}
	if err := s.survey(); err != nil {
		return nil, err
	}
	if s.fresh == 0 || s.fresh+s.coded < MinChunks {
		return &Quantizing{}, nil
	}
	p := &Quantizing{index: x, live: opts.Live, left: s.fresh}
	if err := s.chooseBook(opts); err != nil {
		return nil, err
	}
	// The truth is known only while most vectors are still stored.
	if len(opts.Queries) > 0 && s.done.Books > 0 && s.fresh > s.coded {
		if err := s.measure(opts.Queries); err != nil {
			return nil, err
		}
	}
	s.done.Chunks = s.fresh
	p.Quantized, p.books, p.next = s.done, s.books, s.next
	return p, nil
}

// Encode makes the codes of the next step.
func (p *Quantizing) Encode(ctx context.Context, r Reader) (err error) {
	s := quantizing{Index: p.index, r: r, ctx: ctx, live: p.live, books: p.books, next: p.next}
	p.step, err = s.encode(stepChunks)
	return err
}

// Put writes a new codebook, the codes of Encode, and the removal of their vectors.
func (p *Quantizing) Put(w Writer) error {
	if book, err := w.Block(Books, p.next); err != nil {
		return err
	} else if book == nil {
		if err := w.PutBlock(Books, p.next, p.books[p.next].append(nil)); err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(p.step.blocks)) {
		if err := putCodes(w, key, p.step.blocks[key]); err != nil {
			return err
		}
	}
	for _, first := range p.step.runs {
		if err := w.DeleteVectors(first); err != nil {
			return err
		}
	}
	if p.left -= p.step.chunks; p.step.chunks == 0 {
		p.left = 0
	}
	p.step = step{}
	return nil
}
