// Package transformer runs encoders of the families of BERT and ModernBERT and decoders of those of
// Llama, Qwen2 and Qwen3, Mixtral and Qwen3 with experts. Text goes in; out comes a vector of unit
// length, the score of a passage for a query, or what may come next.
//
// # Basics
//
// A model is opened once, resident or streamed, and used through one of four heads.
// All of them bring their tokens through its layers with run (run.go), which borrows
// each layer from a weights.Source.
//
// Embedder turns texts into vectors; SpanReader marks the answer to a question in
// passages. Both spread texts over workers:
//
//	e, err := transformer.OpenEmbedder(ctx, path, kernels, options)
//	vectors, err := e.EmbedDocuments(ctx, texts)
//
// CrossEncoder reads a query and a passage together and scores them, with an
// encoder or with a decoder that is asked by a Prompt. Its Pass brings all
// candidates of a query through the layers side by side, so that package
// rerank, for which a Pass is the Forward, can give candidates up between
// layers:
//
//	c, err := transformer.OpenCrossEncoder(ctx, path, kernels, options)
//	pass, err := c.Begin(ctx, pairs)
//	err = pass.Advance(ctx, layer, active)
//	pass.Scores(layer, active, scores)
//	err = pass.Close()
//
// Decoder appends tokens to a Sequence, which keeps their keys and values (package
// kv), and computes logits where they are asked for: of the last token, to continue a
// text; of several; or of each node of a tree of tokens that may follow, of which some
// are kept and the others dropped:
//
//	d, err := transformer.OpenDecoder(ctx, path, kernels, options)
//	s := d.NewSequence()
//	err = d.Append(ctx, s, prompt, logits) // of the last token
//	err = d.Verify(ctx, s, tree, logits)   // of each node
//	err = s.Keep(path)                     // from the root on
//
// Package generate makes texts with it.
//
// A Sequence whose keys and values are not all in memory gets them back with Restore:
// some are read while the others are computed again, with the bits that they had
// (restore.go, recompute.go, chunkreader.go):
//
//	_, compute := kv.PlanRestore(missing, d.Meter().Profile())
//	stats, err := d.Restore(ctx, s, compute, readGroup)
//
// # Where to read the models
//
// embedder.go, spanreader.go, crossencoder.go with pass.go, and decoder.go with
// verify.go are the heads; how each is opened stands in a file of its own. bert.go is
// one block of BERT, modernblock.go one of ModernBERT, llamablock.go one of Llama, with the
// shape beside every value. A body (body.go) is what Embedder and CrossEncoder need of any
// of them; static.go is the one without layers.
//
// # Which models make vectors
//
// An Embedder takes the states behind the last norm. BERT has none there, and ModernBERT one
// more after its layers. A decoder's tokens see those before them alone, so that the last
// one stands for the text, which the tokenizer ends with a token of its own, or the mean of
// all. Only rows that are pooled are computed in the last layer. In a layer with a window a
// token of an encoder attends to as many on either side; the sums of its weights run over
// the same lanes as without one. A static model is the mean of rows that lie in the pack,
// and nothing else. T is the tokens of a batch, R the rows that are needed after a layer, D
// the width of the model, F that of its feed-forward part, H and G its heads of
// queries and of keys and values, d the numbers of a head.
//
// # Where a decoder's score comes from
//
// The last token alone has seen all others, so the head takes its state. After any
// layer that is normalised as after the last one, and multiplied with a vector. The vector is the difference of two tokens' rows, for
// models that answer yes or no, or a head that was trained; both are linear. An
// adapter may bring heads, and adds low-rank products to the projections.
//
// # How a model keeps to its budget
//
// Package weights plans, from the shape of the model, the budget and the work alone.
// Beside that:
//
//   - What all candidates of a decoder begin with, instruction and query, goes
//     through each layer once. Its keys and values of that one layer are kept,
//     and all candidates attend to them.
//   - After attention the last layer is computed for one token of each candidate
//     alone, since the head takes nothing else. That is exact, and saves three
//     quarters of that layer's products.
//   - A streamed decoder switches from a prompt to decoding without a wait: a layer
//     that may stay does so in the buffer through which it came for the last tokens of
//     the prompt, and what only the states of the prompt kept out comes by in the first
//     step (after CoordGen 3.2, progressive graph scheduling, with "resident" in the
//     place of "switched").
//
// With SmolLM2-135M-Instruct, 30 layers and 132 MiB, a prompt of 1500 tokens and
// two threads (go test -bench Residency): in 132 MiB 20 layers are kept and 34 MiB
// are read for a token, in 79 MiB 4 layers and 88 MiB, without keeping any 103 MiB.
// Output matrix, tokenizer and tied embeddings always stay.
//
// # How a model answers in less memory than it has weights
//
// OpenDecoder opens a row pack, too: a model whose weights lie input channel by input
// channel, so that those that the next token needs can be read alone (ActiveFlow 4;
// swap.Swapper says where they are then). Norms, scales and biases are in memory.
//
// Where all rows fit, the decoder is dense and exact, whatever DecoderOptions.Sparsity
// says. Where they do not and Sparsity is given, small inputs of the projections are left out
// while a text is continued:
//
//   - Append is a prompt. It is dense and leaves nothing out; layers come group by group
//     (denseRows).
//   - Verify decodes. Of each row, in each projection, an input counts if its magnitude
//     times the scale of its channel exceeds the threshold of that layer and projection
//     (Kernel.Mask). A tree of one node reads the rows of these channels alone
//     (sparseRows, llamaLayer.masked); one of several nodes, which together need nearly
//     all, is dense and masked.
//   - A token may go through whole layers, masked, instead of active rows alone, which
//     gives the same bits: small reads may cost more than they spare. The model of costs
//     chooses first, then what passes took (cheaper.go).
//   - As a prompt goes through the layers it counts what would be active, and the rows
//     that were so most often stay in memory for the tokens behind it (switch.go).
//   - Thresholds come from Decoder.Calibrate: quantiles of magnitudes over a text, taken
//     again with those before in force, because what is left out in a layer changes what
//     the next ones get.
//
// The magnitude alone is the criterion: times the norm of the channel's weights it does
// worse. With SmolLM2-135M, eight texts and 4,088 tokens, the dense perplexity of 24.0
// grows by 12.3% at a sparsity of .4 and by 46% at .5, by the norm 13.8% and 51%; at
// .7 the model falls apart (thresholds of one round, half of each text a prompt).
//
// # How a mixture of experts runs
//
// A layer with experts ends each worker's share behind attention. What follows is done for
// the rows of all of them together (mixture.go): the router's logits in float32, the
// largest of which win, of equal ones the lower number (router.go); then expert by expert
// all rows that go through it. What experts make of a row is added to it in the order of
// their numbers. That order depends on nothing but the row, so that a batch gives the bits
// of a token alone, and it lets all rows share one pass over an expert.
//
// Where the model does not fit, attention and routers are kept or streamed as the layers of
// other models, and experts are read once they are chosen (weights.ExpertCache). The router
// stands behind attention in all models that packs hold, so what it will choose is guessed
// before: the layer's router is applied to the states as they come into the layer, and what
// that names is read while attention is computed. The guess changes no bit. An expert that
// a prompt needs is read once for all tokens of a round.
//
// With random weights in the shape of Qwen3-30B-A3B, 29,424 MiB, a budget of 4 GiB and random
// tokens, 73% of the experts that a token needs are in memory, and 677 MiB are read for it; in
// 2 GiB 34% and 1,408 MiB. The guess names .80 of what is chosen then, and 30% of the reads in
// 4 GiB are in vain. A trained model was not measured (go test -run TestMixtureCosts -mixture).
//
// Such models score nothing, take no adapter, and are not calibrated: what a token leaves
// out is what its routers do.
//
// # How keys and values are computed again
//
// The tokens of all chunks that are to be computed go through a layer side by side,
// whatever lies between them (after LLMS, interleaved recompute). Each attends to all
// positions up to its own: to those that were in memory or read, which are what they
// were, and to those that are computed beside it, which are so by induction over the
// layers. After the last layer's keys and values nothing is computed. A layer waits for
// the group of layers of all chunks that are read in which it is. A chunk that cannot be
// read is computed once everything else was read, and with it whatever was computed
// before, which may have stood on it.
//
// # How few rows share the processor
//
// One token, or a draft, takes what it takes to read weights, keys and values. A
// team divides that: columns of projections, rows of the output matrix, heads of
// attention. A share lasts 5 to 100 microseconds, less than waking a goroutine up
// may take, so helpers look for the next one for a while before they sleep. A
// token of SmolLM2-135M behind 512 others took one thread 6.7 ms and two, woken up
// for each share, 7.8; two that look for it take 4.7 (go test -bench Verify).
//
// # Invariants
//
// The vector of a text is the same to the bit alone, in any batch, at any
// place in it, and on any number of threads. So are the scores of a candidate,
// whichever others there are or were given up, and in whatever way the model
// runs; and so are logits, however a text is cut into calls, and whichever
// branches are computed beside it. It rests on these
// rules:
//
//   - Batches are ragged: the tokens of all texts lie one after the other,
//     [sum of lengths, width], with offsets. There is no padding and no mask.
//   - Activations are quantised per row; products of bytes are summed as
//     integers, which has no order; scales and biases are applied once.
//   - Attention runs sequence by sequence, over its own keys in their order.
//   - Keys and values of a decoder are bytes with a scale for each token and
//     head, and are that before anybody attends to them, the token itself too.
//   - Everything else works on one row at a time, in an order that depends on
//     the width alone.
//
// Tokens of a row pack are the same with drafts and without, in any budget, on any number
// of threads: a row that is masked on its own has the bits of one whose active channels
// alone are multiplied. Fingerprint tells models apart that leave other inputs out.
//
// What is held is charged to the ledger, in the pools that package weights names, and
// never exceeds Plan.Peak. What a Sequence holds is in kv.Pool, and together with what
// its Decoder holds never exceeds DecoderOptions.Budget. That may change between any two
// layers ([Decoder.SetBudget]), which changes no bit. A call is cancelled by its
// argument; no context is kept.
//
// # Caveats
//
// Restore computes keys and values as those of a prompt. Of a model that leaves inputs
// out, tokens that it had decoded get those of the full model, and what follows may
// differ from what would have followed without the restore.
//
// A CrossEncoder computes one pass at a time; the next Begin waits for Close,
// and Close for reads under way. A Decoder computes one Append at a time. Inputs
// of a decoder that reranks are cut at 1024 tokens unless
// CrossEncoderOptions.MaxTokens says otherwise.
//
// A pack that is cut short or damaged while it is streamed is an error of the call
// that reads it. Of a resident model nothing is read after it was opened, and its
// checksums were compared then. Weights are read into memory for that, and not
// mapped: it costs their size once more until the system drops the file from its
// cache, and 40 to 100 ms for the 132 MiB of SmolLM2-135M, against 20 ms to
// compare the checksums of a mapping; 15 ms for a vector model of 23 MiB.
package transformer
