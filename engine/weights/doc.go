// Package weights decides where the weights of a model are while it runs, and lends them
// to the passes that need them.
//
// A [Source] lends one layer after the other and takes it back. [Resident] layers are all
// in memory. A [Streamer] reads them from the pack through two buffers, one ahead of the
// computing, and keeps as many as it is told. Package swap has the Sources of row packs.
//
//	source := weights.NewStreamer(layers, ledger)
//	err := source.Keep(12)
//	layer, err := source.Acquire(ctx, i)
//	source.Release(i)
//	err = source.Close()
//
// The type of a layer is a parameter: a pass gets those of its own architecture. A
// [RowCache] keeps embedding rows, and an [ExpertCache] the experts of a mixture, which are
// read once a router has chosen or guessed them.
//
// [MakePlan] is the one planner: from the shape of the model, the limits and the work
// alone it says whether the model is resident or streamed, how much is computed at a time,
// and what that takes at most. A decoder, whose conversations grow, asks its [Room] (of a
// row pack, its [RowRoom]) before each pass.
//
// # How a plan is made (GRATING 4.2 to 4.4; the last rule is our own)
//
//   - Weights are in memory if they fit. If not, layers come through a window of two
//     buffers: one is computed while the next is read, past the page cache.
//   - Embedding rows of a streamed model are kept for at most a tenth of the vocabulary,
//     evicting the least recently used. Rows of a tied output matrix always stay.
//   - Sequences are computed in chunks of as many tokens as the integer products need to
//     run at full speed, one chunk for each worker at a time.
//   - Hidden states of all sequences stay in memory if they fit. If not, they lie in a
//     file, except three chunks: one is computed, one is written, one is read.
//   - A decoder that does not fit brings a prompt through its layers in rounds, so that
//     each layer is read once for as many tokens as their states have room. To decode, it
//     keeps as many layers as fit, spread over the model, and reads the others in every
//     step. Layers make room for conversations that grow.
//
// # Invariants
//
//   - A plan depends on its arguments alone, its Peak is never above the budget, and more
//     memory never keeps fewer layers or embedding rows.
//   - Where weights come from changes no bit of what is computed with them.
//   - A Streamer without kept layers never holds more than two. A layer that is kept stays
//     in the buffer it was read into.
//   - A failed read is an error of the call that needs the bytes, and leaves the Source
//     usable: the next call reads again. ctx ends a wait for the disk, of which [Waits]
//     tells when it takes long; the read itself ends when the disk lets it, and Close waits
//     for that. A budget that is too small is a [BudgetError] naming one that is enough.
//
// # Caveats
//
// A Streamer is for one pass at a time; Resident layers are for any number. Layers are
// acquired in their order, each released before the next one.
package weights
