package leann

import (
	"bytes"
	"context"
)

// growth is the factor by which an index may outgrow the number of chunks that its codebook
// was trained for: what was added since is of other kinds.
const growth = 4

// outgrown reports whether a codebook is too old for an index of n chunks: trained for far
// fewer, or without a rotation where one pays.
func (x Index) outgrown(c *codebook, n int) bool {
	return n > growth*c.trained || c.rotation == nil && x.rotates(n)
}

// Bounds of recoding.
const (
	// recodeSample is how many vectors are recomputed to train a codebook.
	recodeSample = rotateSample
	// recodeLost: no step is taken when more than 1/recodeLost of the chunks cannot be
	// read, since their disk may just be unplugged.
	recodeLost = 8
)

// Recoder gives an index that has outgrown its codebooks new codes from recomputed vectors.
// It trains a codebook, encodes one block after the other into NextRuns, measures the new
// estimates, and replaces all old codes at once, because estimates of two codebooks do not
// compare well: with half of the codes replaced a search found .66 of the five nearest, .78
// with the old ones alone and .96 with all replaced. A step is Read, which copies what it needs of the index, Compute, which
// takes long and needs no index, and Write, which commits. The index may change between
// steps: new codes are valid while their block is unchanged. Progress follows from what is
// stored, so a killed run goes on where it was.
type Recoder struct {
	Index
	// Queries are QuantizeOptions.Queries. They may be set before the first step.
	Queries []float32
	Done    Recoded

	codeBytes int
	live      Allowed

	books library
	total int      // chunks that have a code or a vector
	next  uint32   // number of the codebook of new codes; len(books) before it is trained
	keys  []uint32 // blocks that need new codes and have none
	made  int      // blocks that have new codes
	stray bool     // some new codes are invalid

	sample   []uint32 // chunks to train with
	before   []byte   // block of the step under way, as it was read
	after    []byte   // its new codes; nil: too much of its text is unreadable
	ids      []uint32 // its chunks
	codes    map[uint32]ownCode
	fresh    *codebook // trained by the step
	probes   []probed
	graph    *Graph
	measured bool
}

// Recoded says what a Recoder did.
type Recoded struct {
	Books    int  // trained
	Blocks   int  // that got new codes
	Left     int  // blocks that get none now, since too much of their text is unreadable
	Switched bool // the new codes have replaced the old ones
	// Errors and Measured are those of Quantized, to be stored with the Write that sets
	// Switched; zero without Queries.
	Errors   ErrorModel
	Measured Measured
}

// recodeStage is the kind of a Recoder's step.
type recodeStage uint8

const (
	recodeEnds recodeStage = iota
	recodeTrains
	recodeMakes
	recodeMeasures
	recodeSwitches
)

func (c *Recoder) stage() recodeStage {
	switch {
	case len(c.keys) > 0 && int(c.next) == len(c.books):
		return recodeTrains
	case len(c.keys) > 0:
		return recodeMakes
	case c.Done.Left > 0 || c.made == 0 && !c.stray:
		return recodeEnds
	case c.made > 0 && !c.measured && len(c.Queries) > 0:
		return recodeMeasures
	}
	return recodeSwitches
}

// NewRecoder finds out what there is to do. A nil live means that all chunks are. Codes of a
// new codebook have codeBytes bytes.
func (x Index) NewRecoder(ctx context.Context, r Reader, live Allowed, codeBytes int) (*Recoder, error) {
	c := &Recoder{Index: x, codeBytes: codeBytes, live: live}
	s := quantizing{Index: x, r: r, ctx: ctx, live: live}
	var err error
	if s.books, err = readLibrary(r); err != nil {
		return nil, err
	}
	if err := s.survey(); err != nil {
		return nil, err
	}
	c.books, c.total = s.books, s.fresh+s.coded
	c.next = uint32(len(c.books))
	for i, book := range c.books {
		if !c.outgrown(book, c.total) {
			c.next = uint32(i) // the newest wins
		}
	}
	if _, err := c.plan(ctx, r); err != nil {
		return nil, err
	}
	if c.stage() == recodeTrains {
		err = c.pick(ctx, r)
	}
	return c, err
}

// plan finds the blocks that need new codes and returns the valid new ones, by key.
func (c *Recoder) plan(ctx context.Context, r Reader) (made map[uint32][]byte, err error) {
	next := map[uint32][]byte{}
	err = r.EachBlock(NextRuns, func(key uint32, value []byte) error {
		next[key] = bytes.Clone(value)
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	made, c.keys = map[uint32][]byte{}, nil
	err = r.EachBlock(CodeRuns, func(key uint32, value []byte) error {
		b, err := parseCodeBlock(key, value, c.books.width)
		if err != nil || !c.outgrown(c.books[b.book], c.total) {
			return err
		}
		codes, err := parseNext(key, next[key], c.books)
		if err != nil || codes.stamp != stampOf(value) || codes.book != c.next {
			c.keys = append(c.keys, key)
			return ctx.Err()
		}
		made[key] = next[key][stampBytes:]
		return ctx.Err()
	})
	c.made, c.stray = len(made), len(next) > len(made)
	return made, err
}

// pick chooses the chunks to train with, evenly.
func (c *Recoder) pick(ctx context.Context, r Reader) error {
	var chunks []uint32
	err := c.books.eachBlock(r, func(b codeBlock, book *codebook) error {
		b.each(book.codeBytes(), func(id uint32, _ []byte) {
			if c.live == nil || c.live.Has(id) {
				chunks = append(chunks, id)
			}
		})
		return ctx.Err()
	})
	step := max(1, (len(chunks)+recodeSample-1)/recodeSample)
	for at := step / 2; at < len(chunks); at += step {
		c.sample = append(c.sample, chunks[at])
	}
	return err
}

// Due reports whether a step is left.
func (c *Recoder) Due() bool { return c.stage() != recodeEnds }
