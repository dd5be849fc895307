// Package chat turns messages into the prompt that a model was trained on, with
// the chat template that comes with the model.
//
// # Basics
//
//	t, err := chat.Parse(decoder.ChatTemplate())
//	prompt, err := t.Render(messages, chat.Options{AddGenerationPrompt: true})
//	ids := prompt.Encode(decoder.Tokenizer())
//
// Templates are written in Jinja. This package has the part of that language that
// published templates run for a conversation of plain text: if, for (with loop and
// break), set (of names, of a namespace's fields, of blocks), expressions over
// integers, strings, lists and dictionaries, slices of lists, and what stands in the
// tables filters, tests, methods and functions. The parts for tools and pictures are
// read and skipped. Where a rendering reaches something unsupported, it fails with its
// name and line. Parse renders a system message and a question once, so that a
// template which fails for every conversation fails there.
//
// # Documents that say "<|im_end|>"
//
// A prompt remembers which of its bytes the template wrote and which came in
// with a message, through every operation on strings. Encode reads special
// tokens only in what the template wrote, so that no document can end its
// message or speak as somebody else. Between special tokens text is encoded as
// one piece, wherever it came from, which gives the ids of the reference for
// all messages without special tokens.
//
// # Why not a library
//
// The reference is Jinja as transformers configures it. 133 published templates
// (SmolLM2 and 3, Qwen 1.5 to 3.5, Llama 2 to 3.3, Mistral, Gemma, Phi, DeepSeek, Granite
// and others), 13 conversations each, with and without a generation prompt, went
// through the reference, through gonja v2.9.1 and through this package:
//
//	                                        gonja   this package
//	renderings equal to the byte             2583           2094
//	errors where the reference has one        184            210
//	other text than the reference              14              0
//	text where the reference has an error      26              0
//	errors where the reference has text       651           1154
//	templates without any difference           94             86
//
// gonja cannot read messages[-1] in some templates, strips other white space than Python,
// and does not know which text came in with a message. What this package refuses are
// templates that call macros or filter lists; of the architectures that dowse runs,
// only SOLAR's is among them, since it capitalizes roles.
//
// # Invariants
//
//   - A rendering is what the reference renders, or an error: testdata/golden.json.
//   - Rendering ends. Steps, bytes and nesting are bounded, whatever the template.
//   - A Template never changes; any number of goroutines may use one.
//
// # Caveats
//
// Added tokens that a tokenizer does not call special, as <think> of Qwen3, are
// tokens wherever they stand, as in the reference.
package chat
