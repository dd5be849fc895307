package leann

import (
	"bytes"
	"context"
)

// growth is how many times the chunks that a codebook was trained for an index may have
// before it has outgrown the codebook: what was added since is of other kinds.
const growth = 4

// outgrown reports whether an index of n chunks has outgrown a codebook: it was trained for
// few of them, or has no rotation where one pays.
func (x Index) outgrown(c *codebook, n int) bool {
	return n > growth*c.trained || c.rotation == nil && x.rotates(n)
}

// Bounds of recoding.
const (
	// recodeSample is how many vectors are recomputed to train a codebook: as many as a
	// rotation is learned from.
	recodeSample = rotateSample
	// recodeLost is the share of chunks, as 1/recodeLost, without whose text no step is
	// taken: a disk may just not be there.
	recodeLost = 8
)

// Recoder gives an index that has outgrown its codebooks new codes, from vectors that it
// recomputes: it trains a codebook, makes codes of one block after the other, which lie
// beside the old ones (NextRuns), measures what they are worth, and puts all of them in
// their place at once, because estimates of two codebooks do not compare well. A step is
// Read, in which it copies what it needs of the index, Compute, which takes long and needs
// no index, and Write, which commits. Between two steps the index may change: new codes are
// of use as long as the block that they were made of is as it was. What there is to do
// follows from what is stored, so that a run that was ended goes on where it was.
type Recoder struct {
	Index
	// Queries are what QuantizeOptions.Queries are. They may be set before the first step.
	Queries []float32
	Done    Recoded

	codeBytes int
	live      Allowed

	books library
	total int      // chunks that have a code or a vector
	next  uint32   // the codebook of new codes; len(books) before it is trained
	keys  []uint32 // blocks that need new codes and have none
	made  int      // blocks that have new codes
	stray bool     // there are new codes that are of no use

	sample   []uint32 // chunks to train with
	before   []byte   // the block of the step under way, as it was read
	after    []byte   // its new codes; nil: they cannot be made now
	ids      []uint32 // its chunks
	codes    map[uint32]ownCode
	fresh    *codebook // that the step trained
	probes   []probed
	graph    *Graph
	measured bool
}

// Recoded says what a Recoder did.
type Recoded struct {
	Books    int  // trained
	Blocks   int  // that got new codes
	Left     int  // blocks that get none now, since too much of their text cannot be read
	Switched bool // the new codes have taken the place of the old ones
	// Errors and Measured are what Quantized has of them, to be stored with the Write
	// after which Switched is set; zero where there were no queries.
	Errors   ErrorModel
	Measured Measured
}

// recodeStage is what a step of a Recoder does.
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

// NewRecoder finds out what there is to do. live are the chunks that are not gone; nil means
// all. Codes of a new codebook get the given length.
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
			c.next = uint32(i) // the newest of them
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

// plan finds out which blocks need new codes, and returns those that there are, by block.
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
		b.each(book.CodeBytes(), func(id uint32, _ []byte) {
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

// Blocks returns how many blocks have new codes and how many need them.
func (c *Recoder) Blocks() (made, all int) { return c.made, c.made + len(c.keys) }
