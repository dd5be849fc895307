// Package swap runs a decoder that is larger than the memory by the rows of weights that a
// token needs (ActiveFlow 3 and 4). [Layers] is its seam to decoders: it lends the layers
// of a row pack as weights.Source, so that passes do not know where weights come from.
//
//	layers, err := swap.NewLayers(rows, bound, options) // of a *pack.Rows
//	source := layers.Prompt()                           // whole layers; keeps the rows that were active
//	source, done := layers.Token()                      // layers by active rows, or whole ones
//
// # Where it wins
//
// Rows pay on a disk that reads a row at nearly the rate of a whole layer. On the disks
// measured, of 1.0 and 1.1 GB/s, they do not: SmolLM2-135M, whose rows are 576 to 3,072
// bytes, writes 3.5 to 5.4 tokens/s by rows and 10 to 28 by whole layers; random weights
// in the shape of Llama-2-7B, in 2 GiB, .18 and .27. [MeasureDisk] measures the disk once
// for each folder of models; [Predict] and [PredictWhole] say what a token takes by rows
// and by whole layers, and [Pays] which is less. If rows do not pay, weights streams the
// ordinary pack; a decoder with a row pack alone reads whole layers of it. While a decoder
// writes, the time of its passes corrects the prediction ([Passes]).
//
// # How rows come
//
//   - A [Swapper] caches the same share of the channels of each bundle and layer, those
//     active most often in the text at hand. Counts start anew with each text; rows stay
//     until others replace them. A contextual cache gains one point of hits over a static
//     one behind a prompt of 128 tokens (67 to 66% with 60% of the rows of SmolLM2).
//   - While a group of layers is computed, rows of the next one are read ahead: where the
//     residual stream feeds a bundle, those of the channels active in the group's first
//     layer; elsewhere, and for the next token's first group, those active in half of the
//     tokens. Missing rows are read on demand, before those.
//   - Records close together come by one read, across gaps that cost less than another
//     read ([DiskProfile]).
//   - Rows lie in slots of blocks of at most 1 MiB. When the budget shrinks, rows of the
//     emptiest blocks move to others, and the blocks go back to the system.
//   - A prompt reads its groups through two buffers, or one where two would take more than
//     half of the memory. Memory without rows keeps groups for the next such pass, and from
//     the second in a row on the cache makes room for more. A prompt's last pass warms the
//     caches from there ([Swapper.Warm]).
//   - In a budget that holds all groups each is read once, and rows lie in them.
//
// [MakePlan] chooses how many layers a group has when a pack is written.
//
// # Invariants
//
//   - A row is lent complete and as it lies on the disk, or an error is returned. Hints
//     change when rows are read and nothing else; so tokens have the same bits in any
//     budget, by rows or by whole layers, with drafts or without.
//   - All memory is within the budget at any time: readers' buffers, tables, rows, groups.
//
// # Caveats
//
// A Swapper is for one pass at a time, and lends rows of one layer at a time. Release is
// due after an error of Rows as well. SetBudget while rows are lent may be refused, since
// lent rows cannot move. Single rows are not compared with a checksum, whole groups are.
package swap
