// Package vectors lets a server embed: one that speaks the embeddings of the OpenAI API,
// as Ollama, llama.cpp, vLLM and text-embeddings-inference do.
//
// # Basics
//
//	e, err := vectors.Open(ctx, vectors.Options{Server: server, Folder: folder})
//	vectors, err := e.EmbedDocuments(ctx, texts)     // waits for a server that is not there
//	vector, tokens, err := e.Asking().EmbedQuery(ctx, "who wrote grep") // does not
//
// An Embedder is what an index is built with. Asking is what it is searched with: somebody
// waits.
//
// # Invariants
//
//   - A vector of another model is never handed on. The first time that a model of a server
//     is used, its vectors of some sentences are kept in Options.Folder (the probe). Each
//     request has one of these sentences besides its own texts, and its reply counts only if
//     the vector of that is the kept one, by a cosine of .999 at least: numeric noise is
//     less, and another model, or another quantisation of the same, more.
//   - The fingerprint is of the server's name of the model, prompts, dimensions and probe,
//     and not of the address: a server may move.
//   - Vectors have length 1.
//   - A model of this machine that goes by the same name takes over, for questions and
//     passages that are compared again while the server is away, if its vectors of the
//     probe's sentences are those of the server, by a cosine of .99 at least. It never
//     builds an index.
//   - Nothing is sent but the texts, behind their prompts, and sentences that do not come
//     from anybody's files. What is sent where, package endpoint sees to.
//
// # Caveats
//
// The server's tokenizer is not known. Room and Count are those of endpoint.TokenEstimate,
// so that passages are some fifth shorter than with a model of this machine, and fit
// servers that read 256 tokens. A text that a server refuses nevertheless is cut in half,
// three times at most.
package vectors
