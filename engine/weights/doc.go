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
// A decoder that is larger than the memory may have its rows swapped instead (package
// swap); its [RowRoom] says how much there is for them.
//
// An [ExpertCache] reads the experts of a mixture, whose routers say what is needed:
//
//	cache := weights.NewExpertCache(experts, ledger)
//	err := cache.SetBudget(bytes)
//	cache.Hint(layer, guessed)
//	cache.Want(layer, chosen, tokens)
//	expert, err := cache.Acquire(ctx, layer, chosen[0])
//	cache.Release(layer, chosen[0])
//
// The experts of all layers share its slots. Up to four reads are under way, those of
// experts that were chosen first. The cache evicts the expert chosen by the fewest tokens
// of the text, then the least recently chosen; what was guessed stays until the router
// has spoken, unless a pass waits for room. Layers come before experts where memory is
// short: every token needs them (Room.Experts).
//
// # Reading layers
//
// A block is read by one large read. Pieces of 512 KiB to 1.75 MiB, two or four at a time,
// were 10 to 40% slower where other programs worked too, and no faster where the reads
// were alone: two buffers keep a disk busy that gives one read of 3.5 MiB all it has.
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
//   - A layer that is kept stays in the buffer through which it came, so that nothing
//     is read to keep it.
//
// # Caveats
//
// A Streamer is for one pass at a time; Resident layers are for any number. Layers
// are acquired in their order, each released before the next one.
package weights
