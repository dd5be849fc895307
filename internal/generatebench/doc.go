// Package generatebench measures drafting: how many tokens a verification
// emits, what a verification costs on this machine, and how much faster a model
// answers for it. See package draft for what is compared.
//
// # Basics
//
// Run fills a Report of three parts, as far as there is what they need:
//
//   - Replay, from recorded answers: ReadTraces reads the prompts and greedy
//     answers of Mistral-7B-Instruct (summaries, questions about passages,
//     chats). The weights of that model are not needed. Replay goes through them
//     with one of Ways; a draft is accepted as far as the answer goes the same
//     way. Trees have the same number of rows in every way, so that the counts
//     compare; how many rows pay is a question of the machine.
//   - Machine, with a model: the time of a verification by its rows, and how
//     fast a prompt is read and an answer written without drafts.
//   - Speed, with a model and prompts: answers from end to end, greedily, in
//     every way. Ways take turns at every prompt, another one first at the next,
//     and each reads the prompt anew. Prompt lookup drafts as published; the
//     others draft what pays by the profile that was just measured.
//
// Prompts are those of the traces, of Spec-Bench, and what Options.Asked makes:
// questions over somebody's files, as a model is asked them. Options.Write keeps
// prompts and answers, so that other programs can be timed on the same work;
// testdata/llamacpp.py times llama.cpp on them.
//
// WriteTable and Report.Write show them side by side.
//
// Identity measures nothing: it counts the answers that are the same, token for
// token, with drafts and without, greedy and sampled, over the questions of
// Spec-Bench or a range of them.
//
// # Invariants
//
//   - The same traces give the same counts. Times differ, and with them how much
//     is drafted from end to end.
//   - The priors of package draft were learned on the conversations of even
//     number, and its constants chosen on them. What is reported is of the odd
//     ones: see Half.
//   - Past answers are those of the same replay, or of the same set and way,
//     that came before.
//   - Every way writes the tokens that plain decoding does, or Run ends with an
//     error: a speed with a difference is none.
//
// # Caveats
//
// Nobody recorded the 7B model's logits. In a replay calibration gets counts in
// their place: how often a token followed the last two, or the last one, in the prompt and in the
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
//
// From end to end the first turn of a conversation is answered alone. Prompts
// that leave no room for the answer in the model's window are left out and
// counted.
//
// What the drafter makes of a prompt is no part of the speed of writing; it is in
// the ratio of reading and writing together, and told by itself.
package generatebench
