// Package transformer runs encoders of the BERT family and decoders of the
// families of Llama, Qwen2 and Qwen3. Text goes in; out comes a vector of unit
// length, the score of a passage for a query, or what may come next.
//
// # Basics
//
// Encoder is the forward pass over token ids to vectors, one worker at a time
// in a Workspace. Embedder puts a tokenizer before it and spreads texts over
// workers.
//
// CrossEncoder reads a query and a passage together and scores them, with an
// encoder or with a decoder that is asked by a Prompt. Its Pass brings all
// candidates of a query through the layers side by side, so that package
// rerank, for which a Pass is the Forward, can give candidates up between
// layers:
//
//	c, err := transformer.OpenCrossEncoder(path, kernels, options)
//	pass, err := c.Begin(ctx, pairs)
//	err = pass.Advance(ctx, layer, active)
//	pass.Scores(layer, active, scores)
//	err = pass.Close()
//
// Decoder appends tokens to a Context, which keeps the keys and values of a
// conversation, and makes logits where they are asked for: of the last token, to
// continue a text; of several; or of each node of a Tree of tokens that may
// follow, of which those that are wanted are kept and the others dropped:
//
//	d, err := transformer.OpenDecoder(path, kernels, options)
//	c := d.NewContext()
//	err = d.Append(ctx, c, prompt, logits) // of the last token
//	err = d.Verify(ctx, c, tree, logits)   // of each node
//	err = c.Keep(path)                     // from the root on
//
// Package generate makes texts with it.
//
// # Where a decoder's score comes from
//
// The last token alone has seen all others, so that its state is the one that
// is looked at: after any layer it is normalised as after the last one, and
// multiplied with a vector. That is the difference of two words' rows, for
// models that answer yes or no, or a head that was trained; both are linear. An
// adapter may bring heads, and adds low-rank products to the projections.
//
// # How a cross-encoder keeps to its budget
//
// MakePlan decides, from the shape of the model, the budget and the lengths of
// the candidates alone (GRATING 4.2 to 4.4 are the sources):
//
//   - Weights are in memory if they fit. If not, layers come through a window of
//     two buffers: one is computed while the next is read, past the page cache.
//   - Embedding rows of a streamed model are kept for at most a tenth of the
//     vocabulary, least recently used first out.
//   - Candidates are computed in chunks of as many tokens as the integer
//     products need to run at full speed. Only the working memory of one chunk
//     for each worker exists at a time.
//   - Hidden states of all candidates stay in memory if they fit. If not, they
//     lie in a temporary file, removed from its folder at once, but for three
//     chunks: one is computed, one is written, one is read. Beside them the
//     state of each candidate that the head looks at stays.
//   - What all candidates of a decoder begin with, instruction and query, goes
//     through each layer once. Its keys and values of that one layer are kept,
//     and all candidates attend to them.
//
// After attention the last layer is computed for one token of each candidate
// alone, since the head looks at nothing else. That is exact, and three
// quarters of that layer's products.
//
// # How a decoder keeps to its budget
//
// A decoder that does not fit beside its contexts (decoderplan.go) brings a
// prompt through its layers side by side too, so that each layer is read once for
// as many tokens as their states find room: reading is hidden behind computing.
// To decode, which takes each weight once for a token, as many layers as possible
// are kept, spread over the model; the others are read again in every step, two
// ahead, those of the next step among them. Between the two there is no switch to
// wait for: a layer that may stay does so in the buffer through which it came for
// the last tokens of the prompt, and what only the states of the prompt kept out
// comes by in the first step (spec of the idea: CoordGen 3.2, progressive graph
// scheduling, with "resident" in the place of "switched"). While contexts grow,
// layers make room for them.
//
// With SmolLM2-135M-Instruct, 30 layers and 132 MiB, a prompt of 1500 tokens and
// two threads (go test -bench Residency): in 132 MiB 20 layers are kept and 34 MiB
// are read for a token, in 79 MiB 4 layers and 88 MiB, without keeping any 103 MiB.
// Output matrix, tokenizer and tied embeddings always stay.
//
// # How few rows share the processor
//
// One token, or a draft, takes what it takes to read weights, keys and values. A
// team divides that: columns of projections, words of the vocabulary, heads of
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
// What a pass holds is charged to the ledger, in the pools named in plan.go,
// and never exceeds its Plan.Peak. What a Context holds is in ContextPool, and
// together with what its Decoder holds never exceeds DecoderOptions.Budget.
//
// # Shapes
//
// T tokens of a batch, D width of the model, F width of its feed-forward
// layer. Hidden states are [T,D]; a workspace holds what a row takes by shape.go:
// wide, which is queries, keys and values first and the feed-forward layer then
// (of a decoder gate and up, [T,2F]), and mixed, what attention brings together.
//
// # Caveats
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
