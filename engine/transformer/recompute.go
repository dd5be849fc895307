package transformer

import (
	"context"
	"errors"
	"time"

	"dowse/engine/kernel"
	"dowse/engine/weights"
)

// computed brings the tokens of the chunks in compute through the layers side by side,
// whatever lies between them (after LLMS, interleaved recompute). Each attends to all
// positions up to its own: in memory, read, or computed beside it, and so exact by induction
// over the layers. A layer waits for its group of the chunks that are read. The error is
// errUnread if one of them cannot be read.
func (r *restore) computed(ctx context.Context) error {
	d, s := r.decoder, r.sequence
	if err := d.enter(ctx); err != nil {
		return err
	}
	defer d.leave()
	begin, stalled := time.Now(), r.stats.Stalled
	defer func() { r.stats.Computing += time.Since(begin) - (r.stats.Stalled - stalled) }()
	ids, places := r.tokens()
	held := s.HeldWith(s.Len())
	if err := d.follow(held, 0); err != nil {
		return err
	}
	rows := d.room.RecomputeRows(held, len(ids))
	if err := d.makeRoom(held, rows); err != nil {
		return err
	}
	hidden, free, err := d.statesOf(rows)
	if err != nil {
		return err
	}
	for at := 0; at < len(ids) && err == nil; at += rows {
		end := min(len(ids), at+rows)
		err = r.round(ctx, ids[at:end], places[at:end], hidden[:(end-at)*d.config.Hidden])
	}
	return errors.Join(err, free())
}

// tokens returns the tokens to compute and their positions, ascending.
func (r *restore) tokens() (ids, places []int32) {
	shape := r.sequence.Shape()
	for _, i := range r.compute {
		for j, id := range r.sequence.ChunkTokens(i) {
			ids, places = append(ids, id), append(places, int32(i*shape.ChunkTokens+j))
		}
	}
	r.stats.Tokens += len(ids)
	for _, place := range places {
		r.stats.Positions += int64(place) + 1
	}
	return ids, places
}

// round brings tokens, whose states are hidden [len(ids),D], through the layers. The last
// computes keys and values alone.
func (r *restore) round(ctx context.Context, ids, places []int32, hidden []float32) error {
	d := r.decoder
	if err := d.embed(hidden, ids); err != nil {
		return err
	}
	return run(ctx, d.source, 0, d.config.Layers, func(l int, layer *llamaLayer) error {
		needed := hidden
		if l == d.config.Layers-1 {
			needed = nil
		}
		if err := d.foresee(layer, needed); err != nil {
			return err
		}
		if err := r.await(ctx, l); err != nil {
			return err
		}
		for from := 0; from < len(ids); from += weights.BlockRows {
			if err := ctx.Err(); err != nil {
				return err
			}
			to := min(len(ids), from+weights.BlockRows)
			if err := d.advance(layer, r.batches(l, hidden[from*d.config.Hidden:], places[from:to])); err != nil {
				return err
			}
		}
		return d.mix(ctx, layer, needed)
	})
}

// await waits for the reads of a layer.
func (r *restore) await(ctx context.Context, layer int) error {
	begin := time.Now()
	waited, err := r.reader.wait(ctx, r.sequence.Shape(), layer)
	if waited {
		r.stats.Stalls++
		r.stats.Stalled += time.Since(begin)
	}
	return err
}

// batches shares rows out among the workers.
func (r *restore) batches(layer int, hidden []float32, places []int32) []batch {
	d, rows := r.decoder, len(places)
	width, batches := d.config.Hidden, make([]batch, d.team.parts(rows))
	for i := range batches {
		from, to := rows*i/len(batches), rows*(i+1)/len(batches)
		own := places[from:to]
		batches[i] = batch{
			hidden: hidden[from*width : to*width], lengths: []int{to - from}, places: own,
			before: r.sequence.Spans(layer, 0, int(own[len(own)-1])+1), keep: r.spansAt(layer, own),
		}
		if layer == d.config.Layers-1 {
			batches[i].outputs = noRows
		}
	}
	return batches
}

// spansAt returns the keys and values of the tokens at some places, which ascend.
func (r *restore) spansAt(layer int, places []int32) []kernel.KeyValues {
	var spans []kernel.KeyValues
	for from, to := 0, 0; from < len(places); from = to {
		for to = from + 1; to < len(places) && places[to] == places[to-1]+1; to++ {
		}
		spans = append(spans, r.sequence.Spans(layer, int(places[from]), int(places[to-1])+1)...)
	}
	return spans
}
