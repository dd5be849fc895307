// Package contexts keeps conversations with a language model: their keys and values stay in
// memory while there is room, are stored on the disk, and are read back for the next question
// instead of being computed again.
//
// # Flow
//
// A [Manager] keeps all conversations of one model. A caller opens one, continues its Sequence
// and closes it; Commit sets tokens that are not the Sequence's:
//
//	s, err := m.Open(ctx, id)      // a new one, or what there is of it, whole
//	err = s.Reserve(tokens)        // of the coming turn
//	err = decoder.Append(ctx, s.Sequence(), ids, logits)
//	err = s.Close()                // sealed, lowered, written in the background
//
// A new conversation may share the beginning of others, once room is reserved:
//
//	shared, err := s.Share(ctx, prompt[:len(prompt)-1])
//
// Focus loads a conversation in the background before its question is typed; Delete erases it.
//
// After each call chunks before the last few are lowered where their information is thin
// (package kv), new tokens and chunks are written in the background, tokens first, and the
// conversation stays in memory. When memory is needed, written chunks are dropped, those of the
// least recently used conversation first ([kv.Queue]). Open reads missing chunks, or computes
// them where that is faster or the disk lacks them (transformer.Decoder.Restore).
//
// # Memory
//
// Conversations hold a lease of the arbiter's budget, which grows while there are free bytes.
// For the called conversation idle ones are evicted first, then idle models. For another
// holder idle conversations go before their model, which was used later.
//
// # Invariants
//
//   - With lowering off a conversation continues with the bits of one that never left memory,
//     whatever was dropped, read, computed or killed meanwhile.
//   - With lowering on that holds except for chunks that the disk lost and whose predecessors
//     were lowered since: they are computed behind these and counted (Stats.Inexact).
//   - Levels are named all at once: a kill leaves those from before an answer, chosen again
//     once its tokens are computed, or those from behind it. Named chunks without bytes count
//     as lost.
//   - Shared chunks have the bits that would have been computed: 8 bits, behind the same tokens
//     at 8 bits.
//   - Dropping chunks never writes.
//   - The disk never has chunks of tokens that it does not have.
//
// # Caveats
//
// After a kill an answer's levels may be chosen otherwise if fewer tokens than a chunk's are
// left of it, which wait for the next question, or if it was drafted: a draft counts its first
// token alone, a recomputation every one. A shared chunk has the density that its first owner
// measured, so other chunks may be lowered later than if it had been computed.
//
// A Sequence belongs to its Session until Close. One process keeps a folder; in others
// conversations are in memory only.
package contexts
