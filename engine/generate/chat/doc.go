// Package chat turns messages into the prompt that a model was trained on, by
// the chat template that comes with it.
//
// # Basics
//
//	t, err := chat.Parse(decoder.ChatTemplate())
//	prompt, err := t.Render(messages, chat.Options{AddGenerationPrompt: true})
//	ids := prompt.Encode(decoder.Tokenizer())
//
// Templates are written in Jinja. Of that language this package has what the
// templates of SmolLM2, Qwen2.5, Qwen3 and Llama 3 and their likes use: if, for
// (with loop, break, continue and a filter), set (of names, of a namespace's
// fields, of blocks), expressions, slices, tests, and the filters, methods and
// functions in the tables of this package. Everything else is refused by name
// and line when the template is parsed, be it reached or not.
//
// # Documents that say "<|im_end|>"
//
// A prompt remembers which of its bytes the template wrote and which came in
// with a message, through every operation on strings. Encode reads special
// tokens in what the template wrote alone, so that no document can end its
// message or speak as somebody else. Between special tokens text is encoded as
// one piece, wherever it came from, which gives the ids of the reference for
// all messages that hold no special token.
//
// # Invariants
//
//   - What comes out is what the reference, Jinja as transformers configures it
//     (trim_blocks, lstrip_blocks), renders: testdata/golden.json.
//   - Rendering ends: steps, bytes and nesting are bounded, whatever the
//     template.
//   - A Template never changes; any number of goroutines may use one.
//
// # Caveats
//
// Added tokens that a tokenizer does not call special, as <think> of Qwen3, are
// tokens wherever they stand, as in the reference.
package chat
