package transformer

import (
	"context"
	"errors"
	"fmt"

	"dowse/engine/kernel"
	"dowse/engine/kv"
	"dowse/models/pack"
)

// Sequence is the tokens of one conversation with their keys and values in every
// layer. A Decoder appends to it; what was appended last can be cut off again.
// Only one goroutine may use it at a time.
type Sequence struct {
	*kv.Cache
	owner *Decoder // the only one that may append
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

// ConversationChunk is how many tokens of a conversation share a chunk of keys and values,
// the unit that is kept, dropped and restored (LLMS, section 3).
const ConversationChunk = 16

// ConversationShape is the shape of the keys and values of conversations.
func (d *Decoder) ConversationShape() kv.Shape {
	shape := d.room.KeyValues()
	shape.ChunkTokens = ConversationChunk
	return shape
}

// NewConversation returns an empty sequence of ConversationShape, with the bits of any
// other.
func (d *Decoder) NewConversation() *Sequence {
	return &Sequence{Cache: kv.NewCache(d.ConversationShape(), d.ledger, &d.held), owner: d}
}

// AppendSelected is Append with logits [len(ids),len(words)] of some words after every
// token, with the bits that Append gives them. The 3,000 words of a text cost a sixteenth of
// a vocabulary of 50,000.
func (d *Decoder) AppendSelected(ctx context.Context, s *Sequence, ids, words []int32, logits []float32) error {
	if len(words) == 0 || len(logits) != len(ids)*len(words) {
		return fmt.Errorf("room for %d logits, want those of %d tokens, %d each", len(logits), len(ids), len(words))
	}
	head, err := d.selected(words)
	if err != nil {
		return err
	}
	return d.appendWith(ctx, s, ids, logits, head)
}

// selected is a head of some words, copied together.
func (d *Decoder) selected(words []int32) (*kernel.Head, error) {
	for _, word := range words {
		if word < 0 || int(word) >= d.Vocabulary() {
			return nil, errors.New("a selected word is not in the vocabulary")
		}
	}
	width := d.head.Width
	if d.head.Rows != nil {
		rows := &pack.Linear{K: width, N: len(words), Bias: make([]float32, len(words))}
		rows.Blocks = []pack.Blocks{d.head.Rows.Blocks[0].Pick(words)}
		return &kernel.Head{Width: width, Rows: rows}, nil
	}
	h := &kernel.Head{Width: width, Words: make([]int8, len(words)*width), WordScale: make([]float32, len(words))}
	for i, word := range words {
		copy(h.Words[i*width:(i+1)*width], d.head.Words[int(word)*width:])
		h.WordScale[i] = d.head.WordScale[word]
	}
	return h, nil
}
