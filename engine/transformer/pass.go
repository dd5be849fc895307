package transformer

import (
	"context"
	"fmt"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/weights"
)

// Pass brings the candidates 0..n-1 of one query through the layers of a CrossEncoder
// together, each layer for the candidates that are still active. The bits of a candidate's
// scores do not depend on the others. Its methods are for one goroutine.
type Pass struct {
	encoder *CrossEncoder
	plan    Plan
	layers  weights.Source[layer]
	window  *weights.Streamer[layer] // the same of a streamed model, or nil
	states  states
	lengths []int // tokens of each candidate, after the prefix

	active []int // ascending
	next   int   // layer that Advance computes
	failed error // ends the pass
	closed bool
	stats  PassStats

	prefix  *prefix // nil if the candidates share none
	longest int     // tokens of the longest candidate, after the prefix

	// pooled is the head's input of each candidate, [n,D]; scratch is as large.
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

// Layers is the number of layers.
func (p *Pass) Layers() int { return p.encoder.Layers() }

// Advance computes one layer for the candidates in active, which ascend and were active
// before; it drops the states of all others. Layers come in order, from 0. After an error,
// also of ctx, the pass can only be closed.
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
	if i == p.Layers()-1 {
		mode = consume
		if p.encoder.family.pools() == p.encoder.family.row() {
			outputs = headRows
		}
	}
	var before []kernel.KeyValues
	if p.prefix != nil && len(p.active) > 0 {
		var err error
		if before, err = p.prefix.advance(ctx, l, mode == consume, p.longest, p.encoder.workspaces[0]); err != nil {
			return err
		}
	}
	d := p.encoder.config.Hidden
	return p.states.each(ctx, mode, func(pieces []piece) error {
		return share(ctx, p.encoder.workspaces, len(pieces), func(n int, w *workspace) error {
			piece := pieces[n]
			piece.outputs, piece.before = outputs, before
			if err := l.forward(piece.batch, w); err != nil {
				return err
			}
			at := 0
			for i, c := range piece.candidates {
				end := at + piece.lengths[i]*d
				p.encoder.family.pool(p.pooled[c*d:(c+1)*d], piece.hidden[at:end])
				at = end
			}
			return nil
		})
	})
}

// Scores writes to dst[i] the margin of candidate active[i] after the last computed layer:
// the output of the head, before any sigmoid.
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
