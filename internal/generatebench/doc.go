// Package generatebench measures drafting by replay: how many tokens a
// verification emits where the answers are recorded ones of a large model, whose
// weights are not needed for that. See package draft for what is compared.
//
// # Basics
//
// ReadTraces reads the recorded prompts and greedy answers of Mistral-7B-Instruct
// (summaries, questions about passages, chats). Replay goes through them with one
// of Ways; a draft is accepted as far as the answer goes the same way. WriteTable
// shows results side by side. Trees have the same number of rows in every way, so
// that the counts compare; how many rows pay is a question of the machine, not of
// the replay.
//
// # Invariants
//
//   - The same traces give the same counts. Times differ.
//   - The priors of package draft were learned on the conversations of even
//     number, and its constants chosen on them. What is reported is of the odd
//     ones: see Half.
//   - Past answers are those of the same replay that came before.
//
// # Caveats
//
// Nobody recorded the model's logits. Calibration gets counts in their place: how
// often a token followed the last two, or the last one, in the prompt and in the
// answers before, as shares. It is a weaker source than the model: that figure is
// for the arrangement, not for calibration by logits, which only an end-to-end
// run tells.
//
// Nor did anybody record what the model put after a wrong token. The runs that
// draft reuse keeps need that; in a replay nothing is kept, and what counts as
// reuse is going on with the text from where the answer left it.
//
// The answers are tokenised anew, by the tokenizer of the model's family
// (Llama 2), whose vocabulary is not quite the model's.
//
// Prompt lookup proposes at most 10 tokens, as published, and unlike the
// published code also where fewer than 10 follow.
package generatebench
