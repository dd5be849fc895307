package transformer

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/models/pack"
)

// Pass brings the candidates 0..n-1 of one query through the layers of a
// CrossEncoder, together: layer by layer, each for those that are still of
// interest. A candidate's scores do not depend, to the bit, on which others
// there are. Its methods are for one goroutine.
type Pass struct {
	encoder *CrossEncoder
	plan    Plan
	layers  layers
	states  states
	lengths []int // tokens of each candidate, after the prefix

	active []int // ascending
	next   int   // layer that Advance computes
	failed error // the pass is of no use after it
	closed bool
	stats  PassStats

	prefix  *prefix // nil if the candidates share none
	longest int     // tokens of the longest candidate, after the prefix

	// looked holds the state of each candidate that the head looks at, [n,D],
	// and scratch is as large.
	looked, scratch []float32
	buffer          *memory.Buffer
}

// PassStats counts what a pass did.
type PassStats struct {
	Plan   Plan
	Window WindowStats // zero when the model is resident
	Words  WordStats   // likewise
	// Hidden states that went to and from a file, in bytes.
	OffloadRead, OffloadWritten int64
}

// Begin starts a pass over pairs of 1 to MaxTokens tokens: it plans, starts to
// read what must be read, and embeds. It waits for the pass before it to be
// closed. The error wraps ErrBudget when the pairs need more memory than there
// is.
func (c *CrossEncoder) Begin(ctx context.Context, pairs []Pair) (*Pass, error) {
	p := &Pass{encoder: c, active: upTo(len(pairs)), lengths: make([]int, len(pairs)), longest: 1}
	for i, pair := range pairs {
		if err := checkPair(pair, &c.config); err != nil {
			return nil, fmt.Errorf("candidate %d: %w", i, err)
		}
	}
	shared := 0
	if c.family.sharesPrefix() && !c.options.SeparatePrefixes {
		shared = sharedPrefix(pairs)
	}
	for i, pair := range pairs {
		p.lengths[i] = len(pair.IDs) - shared
		p.longest = max(p.longest, p.lengths[i])
	}
	var err error
	if p.plan, err = c.plan(request{prefix: shared, lengths: p.lengths}); err != nil {
		return nil, err
	}
	select {
	case <-c.turn:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err = p.open(shared); err == nil {
		err = p.embed(ctx, pairs, shared)
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

func checkPair(pair Pair, c *pack.Config) error {
	if err := checkLength(len(pair.IDs), c.MaxTokens); err != nil {
		return err
	}
	if pair.Types != nil && len(pair.Types) != len(pair.IDs) {
		return fmt.Errorf("%d tokens with %d types", len(pair.IDs), len(pair.Types))
	}
	return nil
}

// open takes the memory of the pass and starts to read layers.
func (p *Pass) open(shared int) error {
	c := p.encoder
	var err error
	if p.layers, err = c.openLayers(); err != nil {
		return err
	}
	d := c.config.Hidden
	if shared > 0 {
		if p.prefix, err = newPrefix(&c.config, shared, c.options.Ledger); err != nil {
			return err
		}
	}
	if p.states, err = newStates(p.lengths, d, p.plan, &c.options); err != nil {
		return err
	}
	size := len(p.lengths) * d
	if p.buffer, err = memory.NewBuffer(c.options.Ledger, activationsPool, 2*4*size); err != nil {
		return err
	}
	both := p.buffer.Float32()
	p.looked, p.scratch = both[:size:size], both[size:]
	return nil
}

// openLayers returns where the weights of a pass come from.
func (c *CrossEncoder) openLayers() (layers, error) {
	if c.stream == nil {
		return mappedLayers(c.layers), nil
	}
	w, err := newWindow(c.stream, c.family, c.options.Ledger, c.options.Synchronous)
	if err != nil {
		return nil, err
	}
	return w, nil
}

// embed fills the states that the first layer starts from.
func (p *Pass) embed(ctx context.Context, pairs []Pair, shared int) error {
	words, d := p.encoder.words, p.encoder.config.Hidden
	if err := words.prepare(pairs); err != nil {
		return errors.Join(err, words.finish())
	}
	if shared > 0 {
		if err := words.embed(p.prefix.hidden, Pair{IDs: pairs[0].IDs[:shared]}); err != nil {
			return errors.Join(err, words.finish())
		}
	}
	err := p.states.each(ctx, create, func(pieces []piece) error {
		return p.share(ctx, pieces, func(piece piece, _ *Workspace) error {
			at := 0
			for i, c := range piece.candidates {
				end := at + piece.lengths[i]*d
				if err := words.embed(piece.hidden[at:end], pairs[c].from(shared)); err != nil {
					return fmt.Errorf("candidate %d: %w", c, err)
				}
				at = end
			}
			return nil
		})
	})
	p.stats.Words = words.taken()
	return errors.Join(err, words.finish())
}

// share lets the workers take pieces until none is left.
func (p *Pass) share(ctx context.Context, pieces []piece, work func(piece, *Workspace) error) error {
	var taken atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for _, w := range p.encoder.workspaces[:min(len(p.encoder.workspaces), len(pieces))] {
		group.Go(func() error {
			for {
				i := int(taken.Add(1)) - 1
				if i >= len(pieces) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := work(pieces[i], w); err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}

// Layers is the number of layers.
func (p *Pass) Layers() int { return p.encoder.Layers() }

// Advance computes one layer for the candidates in active, which ascend and
// were active before; the states of all others are given up for good. Layers
// come in their order, from 0. After an error, that of a ctx that is done
// among them, the pass is of no further use.
func (p *Pass) Advance(ctx context.Context, layer int, active []int) error {
	if p.failed == nil {
		p.failed = p.check(layer, active)
	}
	if p.failed == nil {
		p.failed = p.advance(ctx, layer, active)
	}
	return p.failed
}

func (p *Pass) check(layer int, active []int) error {
	if layer != p.next || layer >= p.Layers() {
		return fmt.Errorf("layer %d, the next one of %d is %d", layer, p.Layers(), p.next)
	}
	at := 0
	for _, c := range active {
		for at < len(p.active) && p.active[at] < c {
			at++
		}
		if at == len(p.active) || p.active[at] != c {
			return fmt.Errorf("candidate %d is not, or no longer, or twice among the active ones", c)
		}
		at++
	}
	return nil
}

func (p *Pass) advance(ctx context.Context, layer int, active []int) error {
	if len(active) < len(p.active) {
		p.states.keep(active)
		p.active = append(p.active[:0:0], active...)
	}
	weights, err := p.layers.acquire(ctx, layer)
	if err != nil {
		return err
	}
	mode, want := update, allRows
	if layer == p.Layers()-1 { // after it the head looks at one token alone
		mode, want = consume, lookedRows
	}
	var before []kernel.KeyValues
	if p.prefix != nil && len(active) > 0 {
		if before, err = p.prefix.advance(ctx, weights, want != allRows, p.longest, p.encoder.workspaces[0]); err != nil {
			return err
		}
	}
	d, looked := p.encoder.config.Hidden, p.encoder.family.looked
	err = p.states.each(ctx, mode, func(pieces []piece) error {
		return p.share(ctx, pieces, func(piece piece, w *Workspace) error {
			piece.want, piece.before = want, before
			if err := weights.forward(piece.batch, w); err != nil {
				return err
			}
			for i, row := range piece.looked(looked) {
				c := piece.candidates[i]
				copy(p.looked[c*d:(c+1)*d], piece.hidden[row*d:])
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	p.layers.release(layer)
	p.next++
	return nil
}

// Scores writes to dst[i] the margin of candidate active[i] after the layer
// that was computed last: the output of the head, before any sigmoid.
func (p *Pass) Scores(layer int, active []int, dst []float32) {
	p.encoder.head.scores(dst[:len(active)], layer, active, p.looked, p.scratch)
}

// Stats says what the pass did so far, or until it was closed.
func (p *Pass) Stats() PassStats {
	s := p.stats
	s.Plan = p.plan
	if w, ok := p.layers.(*window); ok {
		s.Window = w.stats
	}
	s.OffloadRead, s.OffloadWritten = p.states.traffic()
	return s
}

// Close gives the memory of the pass back and lets the next one begin. Closing
// again does nothing.
func (p *Pass) Close() error {
	if p.closed {
		return nil
	}
	p.closed = true
	if p.failed == nil {
		p.failed = errors.New("the pass is closed")
	}
	var err error
	if p.layers != nil {
		err = p.layers.close()
	}
	if p.states != nil {
		err = errors.Join(err, p.states.close())
	}
	if p.prefix != nil {
		err = errors.Join(err, p.prefix.free())
	}
	err = errors.Join(err, p.buffer.Free())
	for _, w := range p.encoder.workspaces {
		err = errors.Join(err, w.Free())
	}
	p.encoder.turn <- struct{}{}
	return err
}
