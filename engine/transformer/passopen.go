package transformer

import (
	"context"
	"errors"
	"fmt"

	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// Begin starts a pass over pairs of 1 to MaxTokens tokens: it plans, starts reading layers,
// and embeds. It waits until the pass before is closed. The error wraps ErrBudget if the
// pairs need more memory than there is.
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

// openLayers chooses the Source of the pass, and starts to read layers of a streamed model.
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

// embed fills the states of the first layer.
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

// Close frees the memory of the pass and lets the next one begin. Closing again does
// nothing.
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
