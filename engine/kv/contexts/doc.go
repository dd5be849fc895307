// Package contexts keeps conversations with a language model: their keys and values
// stay in memory while there is room, lie on the disk, and come back for the next
// question instead of being computed again.
//
// # Basics
//
// A [Manager] keeps all conversations of one model. Who asks opens one, continues its
// Sequence, and closes it; Commit says which tokens it has from now on, where these are
// not the Sequence's:
//
//	s, err := m.Open(ctx, id)      // a new one, or what there is of it, whole
//	err = s.Reserve(tokens)        // of the turn that comes
//	err = decoder.Append(ctx, s.Sequence(), ids, logits)
//	err = s.Close()                // sealed, lowered, written in the background
//
// A conversation that begins may begin as others do. Share reads what these have of its
// first tokens, once room is reserved, and leaves the rest to be computed:
//
//	shared, err := s.Share(ctx, prompt[:len(prompt)-1])
//
// Focus loads a conversation in the background, before its question is typed; Delete
// erases it.
//
// # A conversation's life
//
// Tokens are what a conversation is; its keys and values follow from them, sixteen
// tokens a chunk. After each call chunks before the last few are lowered to
// fewer bits where their information is thin (package kv), all that is not on the disk
// yet is written in the background, tokens first, and the conversation waits in memory.
// When memory is wanted, chunks that were written are dropped, those of the conversation
// that was used longest ago first ([kv.Queue]): nothing is written then. Open reads what is missing, or computes it where
// that is faster or where the disk does not have it (transformer.Decoder.Restore).
//
// # Memory
//
// What conversations hold is a lease of the arbiter's budget, which grows while there
// are free bytes. For the conversation that is called idle ones leave first, then
// models that nobody uses. Another holder that needs room has idle conversations
// dropped before the model that they belong to, since that was used later.
//
// # Invariants
//
//   - With lowering off a conversation continues with the bits of one that never left
//     memory, whatever was dropped, read, computed or killed meanwhile.
//   - With lowering on that holds as well, but for chunks that the disk lost and whose
//     predecessors were lowered since: they are computed from what there is now, and
//     counted (Stats.Inexact).
//   - Levels are named all at once: a kill leaves those from before an answer, which are
//     then chosen again once its tokens are computed, or those from behind it. Bytes that
//     were named and not written are chunks that the disk lost.
//   - What a conversation shares has the bits that it would have computed: chunks are
//     taken at 8 bits alone, computed behind the same tokens at 8 bits.
//   - Dropping chunks never writes.
//   - The disk never has chunks of tokens that it does not have.
//
// # Caveats
//
// After a kill the levels of an answer that was not named are chosen as they were, unless
// fewer tokens than a chunk has are left of it, which wait for the next question, or the
// answer was drafted: of a draft the first token alone is counted, and of what is computed
// again every one.
//
// How dense a chunk is that came from another conversation, that one has measured. So with
// lowering on, other chunks may be lowered later than if it had been computed.
//
// A Sequence belongs to its Session until Close. One process keeps a folder; in others
// conversations live in memory alone.
package contexts
