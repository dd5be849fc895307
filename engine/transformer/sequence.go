package transformer

import (
	"context"

	"dowse/engine/kv"
)

// Sequence is the tokens of one conversation with their keys and values in every
// layer. A Decoder appends to it; what was appended last can be cut off again.
// Only one goroutine may use it at a time.
type Sequence struct {
	*kv.Cache
	owner *Decoder // which alone may append
}

// NewSequence returns an empty conversation.
func (d *Decoder) NewSequence() *Sequence {
	return &Sequence{Cache: kv.NewCache(d.room.KeyValues(), d.ledger, &d.held), owner: d}
}

// Append is Decoder.Append.
func (s *Sequence) Append(ctx context.Context, ids []int32, logits []float32) error {
	return s.owner.Append(ctx, s, ids, logits)
}

// AppendSelected is Decoder.AppendSelected.
func (s *Sequence) AppendSelected(ctx context.Context, ids, words []int32, logits []float32) error {
	return s.owner.AppendSelected(ctx, s, ids, words, logits)
}

// Verify is Decoder.Verify for a tree of these tokens and parents.
func (s *Sequence) Verify(ctx context.Context, tokens, parents []int32, logits []float32) error {
	return s.owner.Verify(ctx, s, kv.Tree{Tokens: tokens, Parents: parents}, logits)
}
