// Package weights decides where the weights of a model are while it runs, and lends
// them to the passes that need them.
//
// # Basics
//
// A [Source] lends one layer after the other and takes it back. A [Resident] model
// has all of them in memory. A [Streamer] reads them from the pack through two
// buffers, one ahead of the computing, and keeps as many besides as it is told:
//
//	source := weights.NewStreamer(layers, ledger)
//	err := source.Keep(12)
//	layer, err := source.Acquire(ctx, i)
//	source.Release(i)
//	err = source.Close()
//
// What a layer is, the caller says: the type is a parameter, so that a pass gets the
// layers of its own architecture. A [RowCache] does for embedding rows what a
// Streamer does for layers.
//
// [MakePlan] is the one planner: from the shape of the model, the limits and the work
// alone it says whether the model is resident or streamed, how much is computed at a
// time, and what that takes at most. A decoder, whose conversations grow, asks its
// [Room] again before each pass.
//
// A [Swapper] runs a decoder that is larger than the memory by the rows that a token
// needs (ActiveFlow 3 and 4). A pass of one token asks for the rows of its active
// channels, a prompt for whole layers:
//
//	swapper, err := weights.NewSwapper(rows, weights.SwapOptions{Budget: bytes, Ledger: ledger})
//	swapper.BeginSequence()
//	dense, err := swapper.AcquireDense(ctx, layer) // of a prompt, then ReleaseDense
//	err = swapper.Rows(ctx, layer, pack.QKVBundle, channels, rows)
//	swapper.Hint(layer, pack.QKVBundle, channels)
//	swapper.Release(layer)
//
// An [ExpertCache] does so for a mixture of experts, whose routers say what is needed:
//
//	cache := weights.NewExpertCache(experts, ledger)
//	err := cache.SetBudget(bytes)
//	cache.Hint(layer, guessed)
//	cache.Want(layer, chosen, tokens)
//	expert, err := cache.Acquire(ctx, layer, chosen[0])
//	cache.Release(layer, chosen[0])
//
// The experts of all layers share its slots. Up to four reads are under way, those of
// experts that were chosen first. Who is to go is who was chosen by the fewest tokens of
// the text, then who was chosen the longest ago; what was guessed stays until the router
// has spoken, unless a pass waits for room. Layers come before experts where memory is
// short: every token needs them (Room.Experts).
//
// # How rows are swapped
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
// [PlanSwap] is the cost model that chooses how many layers a group has when a pack is
// written; [PredictSwap] says what a pack comes to in a budget, [PredictWhole] what reading
// whole layers does, and [SwapPays] which is less, on a disk that [MeasureDisk] measured.
// Of SmolLM2-135M a row is 576 to 3,072 bytes, fewer than a disk reads at a time, and rows
// do not pay.
//
// A block is read by one large read. Pieces of 512 KiB to 1.75 MiB, two or four at a time,
// were 10 to 40% slower where other programs worked too, and no faster where the reads
// were alone: two buffers keep a disk busy that gives one read of 3.5 MiB all it has.
//
// A contextual cache gains little over a static one: behind a prompt of 128 tokens the contextual cache holds 1 point more of
// SmolLM2's active rows than a static one, 67 against 66% with 60% of the rows cached. No
// choice by the text gains much there: which channels are active most often changes little
// from text to text, so that the best fixed choice, made with knowledge of what follows,
// gains 2 points of the rows that the residual stream feeds.
//
// # Disks that fail
//
// A read that fails, or of a file that was cut, is an error of the call that needs the
// bytes; what was read ahead in vain is read again on demand. Nothing is kept of it: the
// next call finds the Source as it was. [Waits] tells of waits that take long, during
// which the context of the call ends it; the read itself ends when the disk lets it, and
// Close waits for that. A budget that is too small is a [BudgetError], which names one
// that is enough.
//
// # How a plan is made
//
// GRATING 4.2 to 4.4 are the sources of the first four rules.
//
//   - Weights are in memory if they fit. If not, layers come through a window of
//     two buffers: one is computed while the next is read, past the page cache.
//   - Embedding rows of a streamed model are kept for at most a tenth of the
//     vocabulary, least recently used first out. Rows that are those of the output
//     matrix always stay.
//   - Sequences are computed in chunks of as many tokens as the integer products need
//     to run at full speed. Only the working memory of one chunk for each worker
//     exists at a time.
//   - Hidden states of all sequences stay in memory if they fit. If not, they lie in a
//     file, but for three chunks: one is computed, one is written, one is read.
//   - A decoder that does not fit beside its conversations brings a prompt through its
//     layers side by side, so that each layer is read once for as many tokens as their
//     states find room. To decode, as many layers as possible are kept, spread over
//     the model; the others are read again in every step. While conversations grow,
//     layers make room for them.
//
// # Invariants
//
//   - A plan depends on its arguments alone, its Peak is never above the budget, and
//     more memory never keeps fewer layers or embedding rows.
//   - Where weights come from changes no bit of what is computed with them.
//   - A Streamer without kept layers never holds more than two.
//   - A Swapper lends a row complete and as it lies on the disk, or returns an error. What
//     it was hinted, whether right or wrong, changes when rows are read and nothing else.
//   - All memory of a Swapper is within its budget at any time: buffers of its readers,
//     what it knows of channels, rows and groups. No cache exceeds its share of channels.
//   - A layer that is kept stays in the buffer through which it came, so that nothing
//     is read to keep it.
//
// # Caveats
//
// A Streamer is for one pass at a time; Resident layers are for any number. Layers
// are acquired in their order, each released before the next one.
//
// A Swapper, too, is for one pass at a time, and lends rows of one layer at a time.
// Release is due after an error of Rows as well. A SetBudget while rows are lent may be
// refused, since lent rows cannot move; one during a prompt waits for the read of a group
// that has to go. Single rows are not compared with a checksum, whole groups are. No group
// is read ahead from one prompt's last layer to the next one's first.
package weights
