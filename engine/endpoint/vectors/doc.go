// Package vectors lets a server embed: one that speaks the embeddings of the OpenAI API,
// as Ollama, llama.cpp, vLLM and text-embeddings-inference do.
//
// # Basics
//
//	e, err := vectors.Open(ctx, vectors.Options{Server: server, Folder: folder})
//	vectors, err := e.EmbedDocuments(ctx, texts)     // waits for a server that is not there
//	vector, tokens, err := e.SearchEmbedder().EmbedQuery(ctx, "who wrote grep") // does not
//
// An Embedder builds an index and waits; its SearchEmbedder serves searches.
//
// # Invariants
//
//   - Vectors of another model are refused. At first use, a model's vectors of some
//     sentences are stored in Options.Folder (the probe). Each request repeats one of
//     these sentences, and its reply counts only if that vector equals the stored one by
//     a cosine of .999: numeric noise differs less, another model or quantisation more.
//   - The fingerprint covers the model's name, prompts, dimensions and probe, but not the
//     address: a server may move.
//   - Vectors have length 1.
//   - While the server is away, a local model of the same name embeds queries and
//     recomputed passages, if its vectors of the probe's sentences agree by a cosine of
//     .99. It never builds an index.
//   - Only texts with their prompts and the probe's sentences are sent.
//
// # Caveats
//
// The server's tokenizer is not known. Room and Count are those of endpoint.TokenEstimate,
// so that passages are some fifth shorter than with a model of this machine, and fit
// servers that read 256 tokens. A text that a server refuses nevertheless is cut in half,
// three times at most.
package vectors
