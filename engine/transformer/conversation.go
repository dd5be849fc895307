package transformer

import "dowse/engine/kv"

// ConversationChunk is how many tokens of a conversation share a chunk of keys and
// values: what is kept, dropped and brought back at a time (LLMS, section 3).
const ConversationChunk = 16

// ConversationShape is how large the keys and values of conversations are.
func (d *Decoder) ConversationShape() kv.Shape {
	shape := d.room.KeyValues()
	shape.ChunkTokens = ConversationChunk
	return shape
}

// NewConversation returns an empty sequence whose chunks are those of conversations.
// It gives the bits of any other sequence.
func (d *Decoder) NewConversation() *Sequence {
	return &Sequence{Cache: kv.NewCache(d.ConversationShape(), d.ledger, &d.held), owner: d}
}
