// Package swap runs a decoder that is larger than the memory by the rows of weights that
// a token needs (ActiveFlow 3 and 4).
//
// Rows pay on a disk that reads a row at nearly the rate of a whole layer. On the disks
// measured, of 1.0 and 1.1 GB/s, they do not: SmolLM2-135M writes 3.5 to 5.4 tokens/s by
// rows of .5 to 3 kB and 10 to 28 by whole layers, and random weights in the shape of
// Llama-2-7B, in 2 GiB, .18 and .27. [MeasureDisk] measures the disk once for each folder
// of models, and [Pays] says which is less; otherwise package weights streams layers.
//
// A pass of one token asks for the rows of its active channels, a prompt for whole layers:
//
//	swapper, err := swap.New(rows, swap.Options{Budget: bytes, Ledger: ledger})
//	swapper.BeginSequence()
//	dense, err := swapper.AcquireDense(ctx, layer) // of a prompt, then ReleaseDense
//	err = swapper.Rows(ctx, layer, pack.QKVBundle, channels, rows)
//	swapper.Hint(layer, pack.QKVBundle, channels)
//	swapper.Release(layer)
//
// # How rows come
//
//   - Each bundle of each layer caches the same share of its channels, those that were
//     active most often in the text at hand. Counts start anew with each text; the rows
//     stay until others have earned their place.
//   - While a group is computed, the next one's rows are read ahead: where the residual
//     stream feeds a bundle, those of the channels that are active in the group's first
//     layer; elsewhere, and for the next token's first group, those that were active in
//     half of the tokens. The rest is read on demand, and first.
//   - Records that lie close together come by one read, across gaps that cost less than
//     a read more; and where many are wanted, all between the first and the last. A
//     [DiskProfile] says what costs less. A row on demand comes alone or with those of
//     the group's later layers, whichever is cheaper.
//   - Rows lie in slots of blocks of at most 1 MiB. What is read is copied from the
//     reader's buffer, so that no gap takes memory. When the budget shrinks, the rows of
//     the emptiest blocks move to others, and the blocks go back to the system.
//   - A prompt takes its groups through two buffers, or one where two would take more
//     than half of the memory; meanwhile the cache is smaller by them. Memory that no row
//     takes keeps groups for the next pass through whole layers, and from the second such
//     pass in a row on the cache makes room for more of them. A prompt's last pass may
//     [Swapper.Warm] the caches from there.
//   - In a budget that holds all groups each is read once, and rows lie in them.
//
// [MakePlan] is the cost model that chooses how many layers a group has when a pack is
// written; [Predict] says what a pack comes to in a budget, [PredictWhole] what reading
// whole layers does, and [Pays] which is less, on a disk that [MeasureDisk] measured.
// Of SmolLM2-135M a row is 576 to 3,072 bytes, fewer than a disk reads at a time, and rows
// do not pay.
//
// A contextual cache gains little over a static one: behind a prompt of 128 tokens it holds
// 1 point more of SmolLM2's active rows than a static one, 67 against 66% with 60% of the rows cached. No
// choice by the text gains much there: which channels are active most often changes little
// from text to text, so that the best fixed choice, made with knowledge of what follows,
// gains 2 points of the rows that the residual stream feeds.
//
// # Invariants
//
//   - A Swapper lends a row complete and as it lies on the disk, or returns an error. What
//     it was hinted, whether right or wrong, changes when rows are read and nothing else.
//   - All memory of a Swapper is within its budget at any time: buffers of its readers,
//     what it knows of channels, rows and groups. No cache exceeds its share of channels.
//
// # Caveats
//
// A Swapper is for one pass at a time, and lends rows of one layer at a time.
// Release is due after an error of Rows as well. A SetBudget while rows are lent may be
// refused, since lent rows cannot move; one during a prompt waits for the read of a group
// that has to go. Single rows are not compared with a checksum, whole groups are. No group
// is read ahead from one prompt's last layer to the next one's first.
package swap
