package transformer

import (
	"context"
	"dowse/engine/weights"
	"errors"
	"fmt"
)

// MaxTree is the most nodes that Verify computes at once.
const MaxTree = weights.MaxTree

// Verify computes what may come after each node of a tree in one pass: the
// logits of node i go to logits[i*Vocabulary:]. A node attends to the context
// and to its ancestors alone. The context stays as it is until Keep; whatever
// else is done with it drops the tree.
//
// Logits and kept keys and values are the bits that appending the same tokens
// one by one gives: rows do not depend on each other, and attention takes its
// keys in the order of their positions wherever they lie.
func (d *Decoder) Verify(ctx context.Context, c *Context, t Tree, logits []float32) error {
	if c.owner != d {
		return errors.New("the context is that of another decoder")
	}
	if err := t.check(MaxTree); err != nil {
		return err
	}
	if want := len(t.Tokens) * d.Vocabulary(); len(logits) != want {
		return fmt.Errorf("room for %d logits, a tree of %d nodes has %d", len(logits), len(t.Tokens), want)
	}
	paths := t.paths()
	deepest := 0
	for _, path := range paths {
		deepest = max(deepest, len(path))
	}
	if total := c.Len() + deepest; total > d.config.MaxTokens {
		return fmt.Errorf("%d tokens, the context has room for %d", total, d.config.MaxTokens)
	}
	select {
	case <-d.semaphore:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { d.semaphore <- struct{}{} }()
	c.draft.tree = Tree{}
	if err := d.prepareVerify(c, deepest); err != nil {
		return errors.Join(err, c.shrink())
	}
	if err := d.verify(ctx, c, t.Tokens, paths, logits); err != nil {
		return errors.Join(err, c.shrink())
	}
	c.draft.tree = Tree{Tokens: append([]int32(nil), t.Tokens...), Parents: append([]int32(nil), t.Parents...)}
	return nil
}

// prepareVerify takes the memory of a tree and of what Keep may keep of it.
func (d *Decoder) prepareVerify(c *Context, deepest int) error {
	if err := d.makeRoom(c.bytesWith(c.Len()+deepest), 0); err != nil {
		return err
	}
	if err := c.reserveDraft(); err != nil {
		return err
	}
	return c.reserve(c.Len() + deepest)
}

// verify is round for the nodes of a tree, whose keys and values go to the
// draft's own memory.
func (d *Decoder) verify(ctx context.Context, c *Context, ids []int32, paths [][]int32, logits []float32) error {
	width, rows := d.config.Hidden, len(ids)
	hidden := d.states.Float32()[:rows*width]
	if err := d.embed(hidden, ids); err != nil {
		return err
	}
	positions := make([]int32, rows)
	for i, path := range paths {
		positions[i] = int32(c.Len() + len(path) - 1)
	}
	batches := make([]batch, d.team.parts(rows))
	err := run(ctx, d.source, 0, d.config.Layers, func(l int, layer *llamaLayer) error {
		stored, before := &c.draft.memory.layers[l], c.before(l, c.Len())
		for i := range batches {
			from, to := rows*i/len(batches), rows*(i+1)/len(batches)
			batches[i] = batch{
				hidden: hidden[from*width : to*width], lengths: []int{to - from},
				before: before, keep: stored.span(from, to),
				branches: &branches{positions: positions[from:to], ancestors: paths[from:to], draft: stored.span(0, rows)},
			}
		}
		return d.advance(layer, batches)
	})
	if err != nil {
		return err
	}
	return d.logits(logits, hidden, &d.vocabulary)
}

// Append is Decoder.Append.
func (c *Context) Append(ctx context.Context, ids []int32, logits []float32) error {
	return c.owner.Append(ctx, c, ids, logits)
}

// Verify is Decoder.Verify for a tree of these tokens and parents.
func (c *Context) Verify(ctx context.Context, tokens, parents []int32, logits []float32) error {
	return c.owner.Verify(ctx, c, Tree{Tokens: tokens, Parents: parents}, logits)
}
