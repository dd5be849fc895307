package transformer

import (
	"context"
	"errors"
	"fmt"

	"dowse/engine/kernel"
	"dowse/engine/kv"
)

// Verify computes the logits after each node of a tree in one pass: those of node i go to
// logits[i*Vocabulary:]. A node attends to the sequence and its ancestors alone. The sequence
// stays as it is until Keep; any other call drops the tree.
//
// Logits, keys and values have the bits of appending the same tokens one by one: rows are
// independent, and attention takes keys in the order of their positions.
func (d *Decoder) Verify(ctx context.Context, s *Sequence, t kv.Tree, logits []float32) error {
	if s.owner != d {
		return errors.New("the sequence is that of another decoder")
	}
	if err := t.Check(); err != nil {
		return err
	}
	if want := len(t.Tokens) * d.Vocabulary(); len(logits) != want {
		return fmt.Errorf("room for %d logits, a tree of %d nodes has %d", len(logits), len(t.Tokens), want)
	}
	paths := t.Paths()
	deepest := 0
	for _, path := range paths {
		deepest = max(deepest, len(path))
	}
	if total := s.Len() + deepest; total > d.config.MaxTokens {
		return fmt.Errorf("%d tokens, the context has room for %d", total, d.config.MaxTokens)
	}
	if err := complete(s); err != nil {
		return err
	}
	if err := d.enter(ctx); err != nil {
		return err
	}
	defer d.leave()
	if err := d.prepareVerify(s, deepest); err != nil {
		return errors.Join(err, s.Shrink())
	}
	root, err := d.verify(ctx, s, t.Tokens, paths, logits)
	if err != nil {
		return errors.Join(err, s.Shrink())
	}
	s.SetTree(t)
	s.ObserveRoot(root)
	return nil
}

// prepareVerify takes the memory of a tree and of its longest path.
func (d *Decoder) prepareVerify(s *Sequence, deepest int) error {
	held := s.HeldWith(s.Len() + deepest)
	if err := errors.Join(d.follow(held, 0), d.makeRoom(held, 0)); err != nil {
		return err
	}
	if err := s.ReserveTree(); err != nil {
		return err
	}
	return s.Reserve(s.Len() + deepest)
}

// verify is round for the nodes of a tree, whose keys and values go to the draft's own
// memory. It returns the attention of the root, if it is counted.
func (d *Decoder) verify(ctx context.Context, s *Sequence, ids []int32, paths [][]int32, logits []float32) ([]uint64, error) {
	width, rows := d.config.Hidden, len(ids)
	hidden := d.states.Float32()[:rows*width]
	if err := d.embed(hidden, ids); err != nil {
		return nil, err
	}
	positions := make([]int32, rows)
	for i, path := range paths {
		positions[i] = int32(s.Len() + len(path) - 1)
	}
	source, done := d.decoding(rows)
	batches, tally := make([]batch, d.team.parts(rows)), d.tally(s, s.Len())
	err := run(ctx, source, 0, d.config.Layers, func(l int, layer *llamaLayer) error {
		if err := d.foresee(layer, hidden); err != nil {
			return err
		}
		before := s.Spans(l, 0, s.Len())
		for i := range batches {
			from, to := rows*i/len(batches), rows*(i+1)/len(batches)
			batches[i] = batch{
				hidden: hidden[from*width : to*width], lengths: []int{to - from},
				before: before, keep: []kernel.KeyValues{s.Draft(l, from, to)},
				branches: &branches{positions: positions[from:to], ancestors: paths[from:to], draft: s.Draft(l, 0, rows)},
			}
		}
		tally.watchRoot(batches, l, d)
		if err := d.advance(layer, batches); err != nil {
			return err
		}
		return d.mix(ctx, layer, hidden)
	})
	if err != nil {
		return nil, err
	}
	done()
	return tally.total(), d.logits(logits, hidden, &d.head)
}
