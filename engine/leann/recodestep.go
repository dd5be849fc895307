package leann

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"dowse/engine/internal/topk"
)

// Read copies what the next step needs of the present index and its live chunks.
func (c *Recoder) Read(ctx context.Context, r Reader, live Allowed) (err error) {
	stage := c.stage()
	if c.books, err = readLibrary(r); err != nil {
		return err
	}
	if int(c.next) > len(c.books) || stage == recodeTrains && int(c.next) != len(c.books) {
		return ErrOvertaken
	}
	c.live, c.before, c.after, c.ids, c.codes, c.fresh, c.probes, c.graph = live, nil, nil, nil, nil, nil, nil, nil
	switch stage {
	case recodeTrains:
		c.ids = c.sample
	case recodeMakes:
		return c.readBlock(r)
	case recodeMeasures:
		return c.readProbes(ctx, r)
	}
	return nil
}

// readBlock copies the next block.
func (c *Recoder) readBlock(r Reader) error {
	value, err := r.Block(CodeRuns, c.keys[0])
	if err != nil || value == nil {
		return err
	}
	b, err := parseCodeBlock(c.keys[0], value, c.books.width)
	if err != nil {
		return err
	}
	c.before, c.codes = bytes.Clone(value), map[uint32]ownCode{}
	b.each(c.books[b.book].codeBytes(), func(id uint32, code []byte) {
		if c.live == nil || c.live.Has(id) {
			c.ids = append(c.ids, id)
			c.codes[id] = ownCode{b.book, bytes.Clone(code)}
		}
	})
	return nil
}

// readProbes ranks the new codes for the queries.
func (c *Recoder) readProbes(ctx context.Context, r Reader) (err error) {
	if c.graph, err = ReadGraph(r); err != nil {
		return err
	}
	made, err := c.plan(ctx, r)
	if err != nil || len(c.keys) > 0 {
		return err // changed blocks come first
	}
	for q := c.Queries; len(q) > 0; q = q[c.Dim:] {
		near, _, err := scan(ctx, codedReader{r, made}, c.books, q[:c.Dim], MaxRecompute, c.live)
		if err != nil {
			return err
		}
		fresh, _, err := c.Flat().Search(ctx, q[:c.Dim], Wanted, c.live, r.Vectors)
		if err != nil {
			return err
		}
		p := probed{near: near, exact: make([]float32, len(near)), best: topk.New(Wanted, Better)}
		for _, h := range fresh {
			p.best.Offer(h)
		}
		c.probes = append(c.probes, p)
	}
	return nil
}

// Chunks returns the chunks whose vectors Compute asks for.
func (c *Recoder) Chunks() []uint32 {
	chunks := slices.Clone(c.ids)
	for _, p := range c.probes {
		for _, s := range p.near {
			chunks = append(chunks, s.node)
		}
	}
	slices.Sort(chunks)
	return slices.Compact(chunks)
}

// Compute does the work of a step.
func (c *Recoder) Compute(ctx context.Context, exact Exact) error {
	chunks := c.Chunks()
	if len(chunks) == 0 {
		return ctx.Err()
	}
	vectors, ok := make([]float32, len(chunks)*c.Dim), make([]bool, len(chunks))
	if err := exact.Vectors(ctx, chunks, vectors, ok); err != nil {
		return fmt.Errorf("recompute vectors: %w", err)
	}
	if len(c.probes) > 0 {
		c.measure(chunks, vectors, ok)
		return nil
	}
	lost := 0
	for _, has := range ok {
		lost += bitOf(!has)
	}
	switch {
	case lost*recodeLost > len(chunks):
		return nil
	case c.stage() == recodeTrains:
		return c.train(ctx, vectors, ok)
	}
	c.encode(vectors, ok)
	return nil
}

func (c *Recoder) train(ctx context.Context, vectors []float32, ok []bool) (err error) {
	sample := vectors[:0]
	for i, has := range ok {
		if has {
			sample = append(sample, vectors[i*c.Dim:(i+1)*c.Dim]...)
		}
	}
	c.fresh, err = c.Index.train(ctx, sample, c.codeBytes, c.total)
	return err
}

// encode makes the codes of a block. A chunk whose text has changed gets its old code
// recoded until its file is indexed again.
func (c *Recoder) encode(vectors []float32, ok []bool) {
	book, out := c.books[c.next], codeWriter{book: c.next}
	codes := make([][]byte, len(c.ids))
	inParallel(len(c.ids), func(i int) {
		if !ok[i] {
			codes[i] = c.books.recode(c.codes[c.ids[i]], c.next)
			return
		}
		codes[i] = make([]byte, book.codeBytes())
		book.encode(codes[i], vectors[i*c.Dim:(i+1)*c.Dim])
	})
	for i, id := range c.ids {
		out.add(id, codes[i])
	}
	c.after = out.bytes()
}

// measure learns the errors of new estimates and the cost of searches. The truly best are
// taken among the chunks that a search may recompute; all vectors would take too long.
func (c *Recoder) measure(chunks []uint32, vectors []float32, ok []bool) {
	for i, p := range c.probes {
		query := c.Queries[i*c.Dim : (i+1)*c.Dim]
		for j, s := range p.near {
			p.exact[j] = float32(math.NaN())
			if at, _ := slices.BinarySearch(chunks, s.node); ok[at] {
				p.exact[j] = c.Dot.Dot(query, vectors[at*c.Dim:(at+1)*c.Dim])
				p.best.Offer(Hit{s.node, float64(p.exact[j])})
			}
		}
	}
	c.Done.Errors, c.Done.Measured = calibrate(c.probes, c.graph)
}

// ErrOvertaken says that the index got another codebook while a Recoder trained one, so that a new
// Recoder has to be made.
var ErrOvertaken = errors.New("the index got another codebook meanwhile")

// Write commits what Compute made. Where too much text is unreadable, the new codes wait
// beside the old ones. After an error the Recoder is unusable.
func (c *Recoder) Write(ctx context.Context, w Writer) error {
	switch c.stage() {
	case recodeTrains:
		return c.writeBook(w)
	case recodeMakes:
		return c.writeBlock(w)
	case recodeMeasures:
		c.measured = true
	case recodeSwitches:
		return c.switchCodes(ctx, w)
	}
	return nil
}

func (c *Recoder) writeBook(w Writer) error {
	if c.fresh == nil {
		c.Done.Left += len(c.keys)
		c.keys = nil
		return nil
	}
	if there, err := w.Block(Books, c.next); err != nil || there != nil {
		return errors.Join(err, ErrOvertaken)
	}
	if err := w.PutBlock(Books, c.next, c.fresh.append(nil)); err != nil {
		return err
	}
	c.books, c.sample = append(c.books, c.fresh), nil
	c.Done.Books++
	return nil
}

// writeBlock commits the new codes of a block, unless it has changed.
func (c *Recoder) writeBlock(w Writer) error {
	key := c.keys[0]
	now, err := w.Block(CodeRuns, key)
	if err != nil {
		return err
	}
	c.keys = c.keys[1:]
	switch {
	case now == nil:
		return nil
	case !bytes.Equal(now, c.before):
		c.keys = append(c.keys, key)
		return nil
	case len(c.ids) == 0: // all its chunks are gone
		return putCodes(w, key, nil)
	case c.after == nil:
		c.Done.Left++
		return nil
	}
	c.Done.Blocks++
	c.made++
	return w.PutBlock(NextRuns, key, append(stampOf(now).bytes(), c.after...))
}

// switchCodes replaces the old codes by the new ones, if all blocks have some.
func (c *Recoder) switchCodes(ctx context.Context, w Writer) error {
	made, err := c.plan(ctx, w)
	if err != nil || len(c.keys) > 0 {
		c.measured = false
		return err
	}
	var all []uint32
	err = w.EachBlock(NextRuns, func(key uint32, _ []byte) error {
		all = append(all, key)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	for _, key := range all {
		if codes := made[key]; codes != nil {
			err = putCodes(w, key, codes)
		} else {
			err = w.DeleteBlock(NextRuns, key)
		}
		if err != nil {
			return err
		}
	}
	c.Done.Switched = c.made > 0
	c.made, c.stray = 0, false
	return nil
}
