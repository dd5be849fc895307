package transformer

import (
	"context"
	"errors"
	"fmt"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// Pass brings the candidates 0..n-1 of one query through the layers of a
// CrossEncoder, together: layer by layer, each for those that are still of
// interest. A candidate's scores do not depend, to the bit, on which others
// there are. Its methods are for one goroutine.
type Pass struct {
	encoder *CrossEncoder
	plan    Plan
	layers  weights.Source[layer]
	window  *weights.Streamer[layer] // the same of a streamed model, or nil
	states  states
	lengths []int // tokens of each candidate, after the prefix

	active []int // ascending
	next   int   // layer that Advance computes
	failed error // the pass is of no use after it
	closed bool
	stats  PassStats

	prefix  *prefix // nil if the candidates share none
	longest int     // tokens of the longest candidate, after the prefix

	// pooled holds the state of each candidate that the head takes, [n,D], and
	// scratch is as large.
	pooled, scratch []float32
	buffer          *memory.Buffer
}

// PassStats counts what a pass did.
type PassStats struct {
	Plan   Plan
	Window weights.Stats    // zero when the model is resident
	Rows   weights.RowStats // likewise
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
	if c.family.sharesPrefix() {
		shared = sharedPrefix(pairs)
	}
	for i, pair := range pairs {
		p.lengths[i] = len(pair.IDs) - shared
		p.longest = max(p.longest, p.lengths[i])
	}
	var err error
	if p.plan, err = c.plan(weights.Work{Prefix: shared, Lengths: p.lengths}); err != nil {
		return nil, err
	}
	select {
	case <-c.semaphore:
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
	if err = p.openLayers(); err != nil {
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
	if p.buffer, err = memory.NewBuffer(c.options.Ledger, weights.ActivationsPool, 2*4*size); err != nil {
		return err
	}
	both := p.buffer.Float32()
	p.pooled, p.scratch = both[:size:size], both[size:]
	return nil
}

// openLayers chooses where the weights of the pass come from, and starts to read
// those of a streamed model.
func (p *Pass) openLayers() (err error) {
	c := p.encoder
	if !c.streamed() {
		p.layers = c.resident
		return nil
	}
	if p.window, err = weights.NewWindow(c.layers, c.ledger); err == nil {
		p.layers = p.window
	}
	return err
}

// embed fills the states that the first layer starts from.
func (p *Pass) embed(ctx context.Context, pairs []Pair, shared int) error {
	in, d := p.encoder.inputs, p.encoder.config.Hidden
	if err := in.prepare(idsOf(pairs)); err != nil {
		return errors.Join(err, in.finish())
	}
	if shared > 0 {
		if err := in.embed(p.prefix.hidden, Pair{IDs: pairs[0].IDs[:shared]}); err != nil {
			return errors.Join(err, in.finish())
		}
	}
	err := p.states.each(ctx, create, func(pieces []piece) error {
		return share(ctx, p.encoder.workspaces, len(pieces), func(n int, _ *workspace) error {
			piece, at := pieces[n], 0
			for i, c := range piece.candidates {
				end := at + piece.lengths[i]*d
				if err := in.embed(piece.hidden[at:end], pairs[c].from(shared)); err != nil {
					return fmt.Errorf("candidate %d: %w", c, err)
				}
				at = end
			}
			return nil
		})
	})
	p.stats.Rows = in.stats()
	return errors.Join(err, in.finish())
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

func (p *Pass) advance(ctx context.Context, i int, active []int) error {
	if len(active) < len(p.active) {
		p.states.keep(active)
		p.active = append(p.active[:0:0], active...)
	}
	err := run(ctx, p.layers, i, i+1, func(i int, l layer) error { return p.compute(ctx, i, l) })
	if err == nil {
		p.next++
	}
	return err
}

// compute brings prefix and candidates through a layer.
func (p *Pass) compute(ctx context.Context, i int, l layer) error {
	mode, outputs := update, allRows
	if i == p.Layers()-1 { // after it the head takes one token alone
		mode, outputs = consume, headRows
	}
	var before []kernel.KeyValues
	if p.prefix != nil && len(p.active) > 0 {
		var err error
		if before, err = p.prefix.advance(ctx, l, outputs != allRows, p.longest, p.encoder.workspaces[0]); err != nil {
			return err
		}
	}
	d, rowsOf := p.encoder.config.Hidden, p.encoder.family.headRows
	return p.states.each(ctx, mode, func(pieces []piece) error {
		return share(ctx, p.encoder.workspaces, len(pieces), func(n int, w *workspace) error {
			piece := pieces[n]
			piece.outputs, piece.before = outputs, before
			if err := l.forward(piece.batch, w); err != nil {
				return err
			}
			for i, row := range rowsOf(&piece.batch) {
				c := piece.candidates[i]
				copy(p.pooled[c*d:(c+1)*d], piece.hidden[row*d:])
			}
			return nil
		})
	})
}

// Scores writes to dst[i] the margin of candidate active[i] after the layer
// that was computed last: the output of the head, before any sigmoid.
func (p *Pass) Scores(layer int, active []int, dst []float32) {
	p.encoder.scorer.scores(dst[:len(active)], layer, active, p.pooled, p.scratch)
}

// Stats returns what the pass did so far, or until it was closed.
func (p *Pass) Stats() PassStats {
	s := p.stats
	s.Plan = p.plan
	if p.window != nil {
		s.Window = p.window.Stats()
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
		err = p.layers.Close()
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
	p.encoder.semaphore <- struct{}{}
	return err
}
