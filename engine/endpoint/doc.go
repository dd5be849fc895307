// Package endpoint asks a server, on this machine or on another one: for text, one that
// speaks the chat completions of the OpenAI API, as Ollama, llama.cpp and vLLM do; for
// vectors, one that speaks its embeddings (package vectors makes an embedder of it); for
// scores of passages, one with the rerank call of Jina, Cohere, llama.cpp and vLLM, or that
// of text-embeddings-inference (package scores makes a reranker of it).
//
// # Basics
//
//	client, err := endpoint.New(endpoint.Options{URL: "http://localhost:11434/v1", Model: "qwen2.5:1.5b"})
//	reply, err := client.Chat(ctx, endpoint.Request{Messages: messages, MaxTokens: 256}, func(more string) error {
//		_, err := os.Stdout.WriteString(more)
//		return err
//	})
//
//	vectors, err := client.Embed(ctx, texts, 0)
//	scores, err := client.Rerank(ctx, "who wrote grep", passages)
//
// A written reply comes as server-sent events (the event stream of the HTML standard,
// section 9.2.6) or, from servers that do not stream, as one JSON object.
//
// # Invariants
//
//   - What is sent goes to the host of Options.URL and nowhere else: no redirect
//     is followed and no proxy used. With Options.Local, and for a host that is called localhost, no
//     connection is made to an address that is not this machine's, whatever the
//     name resolves to.
//   - Vectors and scores are of the texts that were asked for, one each, finite, and in
//     their order, or the reply is an error.
//   - Whatever the server does, every call returns: silence, an endless reply and one
//     too large each have their limit. A cancelled ctx ends it at once and closes
//     the connection.
//   - Memory is bounded by Options.MaxEvent, however long a line is.
//   - The key reaches nobody but the server: where that repeats it, whole or eight
//     letters of it in a row, escaped as in addresses or not, in a reply or an error,
//     [key] stands instead.
//   - Text that is handed on is valid UTF-8. It is what a stranger wrote: not
//     safe for a terminal.
//
// # Caveats
//
// What a model thinks before it answers, between <think> and </think> or apart
// from the content, is left out. The key is sent in clear text where the URL
// begins with http:.
package endpoint
