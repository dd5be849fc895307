package transformer

import (
	"context"
	"errors"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/weights"
)

// append brings tokens through the layers, some at a time.
func (d *Decoder) append(ctx context.Context, s *Sequence, ids []int32, logits []float32, head *kernel.Head) error {
	tokens, after := max(1, head.Size()), s.HeldWith(s.Len()+len(ids))
	rows := weights.BlockRows
	if err := d.follow(after, 0); err != nil {
		return err
	}
	if !d.Resident() {
		rows = max(rows, d.room.RoundRows(after, len(ids)))
	}
	if err := d.makeRoom(after, rows); err != nil {
		return err
	}
	if err := s.Reserve(s.Len() + len(ids)); err != nil {
		return err
	}
	hidden, free, err := d.statesOf(min(rows, len(ids)))
	if err != nil {
		return err
	}
	for len(ids) > 0 && err == nil {
		n := min(len(ids), rows)
		own := logits[:max(0, len(logits)/tokens-(len(ids)-n))*tokens]
		err = d.round(ctx, s, ids[:n], hidden[:n*d.config.Hidden], own, head)
		ids, logits = ids[n:], logits[len(own):]
	}
	return errors.Join(err, free())
}

// statesOf returns memory for the hidden states of rows, until free.
func (d *Decoder) statesOf(rows int) (hidden []float32, free func() error, err error) {
	if rows <= weights.BlockRows {
		return d.states.Float32(), func() error { return nil }, nil
	}
	buffer, err := memory.NewBuffer(d.options.Ledger, weights.HiddenPool, 4*rows*d.config.Hidden)
	if err != nil {
		return nil, nil, err
	}
	return buffer.Float32(), buffer.Free, nil
}

// embed makes the first states of tokens.
func (d *Decoder) embed(hidden []float32, ids []int32) error {
	err := d.inputs.prepare([][]int32{ids})
	if err == nil {
		err = d.inputs.embed(hidden, Pair{IDs: ids})
	}
	return errors.Join(err, d.inputs.finish())
}

// round appends tokens, whose states are hidden [len(ids),D]: layer by layer, so that each
// is read once, and in it block by block, each after the keys and values before it.
func (d *Decoder) round(ctx context.Context, s *Sequence, ids []int32, hidden, logits []float32, head *kernel.Head) error {
	if err := d.embed(hidden, ids); err != nil {
		return err
	}
	rows, last := len(ids), len(logits)/max(1, head.Size())
	tally := d.tally(s, s.Len()+rows)
	err := run(ctx, d.prompting(), 0, d.config.Layers, func(l int, layer *llamaLayer) error {
		needed := hidden // rows that are still needed after attention
		if l == d.config.Layers-1 {
			needed = hidden[(rows-last)*d.config.Hidden:]
		}
		if err := d.foresee(layer, needed); err != nil {
			return err
		}
		for from, to := 0, 0; from < rows; from = to {
			if err := ctx.Err(); err != nil {
				return err
			}
			to = min(rows, from+weights.BlockRows)
			batches := d.batches(s, l, hidden, from, to)
			if l == d.config.Layers-1 {
				end := from
				for i := range batches {
					n := batches[i].lengths[0]
					end += n
					batches[i].outputs = tailOutputs(last-(rows-end), n)
				}
			}
			tally.watch(batches, l, d)
			if err := d.advance(layer, batches); err != nil {
				return err
			}
		}
		return d.mix(ctx, layer, needed)
	})
	if err != nil {
		return err
	}
	if err := d.logits(logits, hidden[(rows-last)*d.config.Hidden:], head); err != nil {
		return err
	}
	s.Extend(ids)
	s.Observe(tally.total(), rows)
	return nil
}

// batches shares the rows from, ... to-1 of states out among the workers.
func (d *Decoder) batches(s *Sequence, layer int, hidden []float32, from, to int) []batch {
	width, first := d.config.Hidden, s.Len()
	batches := make([]batch, d.team.parts(to-from))
	for i := range batches {
		start, end := from+(to-from)*i/len(batches), from+(to-from)*(i+1)/len(batches)
		batches[i] = batch{
			hidden: hidden[start*width : end*width], lengths: []int{end - start},
			before: s.Spans(layer, 0, first+start), keep: s.Spans(layer, first+start, first+end),
		}
	}
	return batches
}

// tailOutputs returns which rows to compute when only the last ones are needed.
func tailOutputs(last, rows int) outputs {
	switch {
	case last <= 0:
		return noRows
	case last == 1 && rows > 1:
		return headRows
	}
	return allRows
}

// advance brings the parts of a sequence, one for each worker, through a layer. Keys and
// values of all parts are computed before any of them attends.
func (d *Decoder) advance(layer *llamaLayer, parts []batch) error {
	own := make([][]kernel.KeyValues, len(parts))
	err := d.team.each(len(parts), func(i int) (err error) {
		own[i], err = layer.project(&parts[i], d.team.workers[i])
		return err
	})
	if err != nil {
		return err
	}
	return d.team.each(len(parts), func(i int) error { return layer.attend(&parts[i], own[i], d.team.workers[i]) })
}

// logits computes the logits of rows of hidden, which it overwrites.
func (d *Decoder) logits(dst, hidden []float32, head *kernel.Head) error {
	width, tokens, k := d.config.Hidden, head.Size(), d.network.kernel
	for len(hidden) > 0 {
		rows := min(len(hidden)/width, weights.BlockRows)
		part := hidden[:rows*width]
		k.RMSNorm(part, part, d.output.Norm, d.config.Epsilon, rows, width)
		if err := d.team.logits(k, dst[:rows*tokens], part, rows, head); err != nil {
			return err
		}
		dst, hidden = dst[rows*tokens:], hidden[rows*width:]
	}
	return nil
}
