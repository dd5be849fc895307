// Package generate continues a prompt, token by token, with a language model,
// and streams the text.
//
// # Basics
//
//	g, err := generate.New(generate.Model{Vocabulary: n, Window: w, Stop: ids, Tokenizer: t})
//	result, err := g.Run(ctx, sequence, prompt, generate.Options{MaxTokens: 200}, func(text string) error {
//		_, err := fmt.Print(text)
//		return err
//	})
//
// A Sequence, as transformer.Sequence is one, computes logits and keeps the keys
// and values of the tokens that were settled. Package chat makes the prompt from
// messages.
//
// A Refusal ends the text of a model that is trained to decline, before it begins.
// Profile measures what a pass over a number of nodes costs on this machine.
//
// # Speculation
//
// A Drafter may guess what comes next, as a tree of tokens. One pass of the
// model computes all of it. Then the walk begins at the root: the token that the
// model wants there is drawn and emitted, and if the root has a child with that token,
// the walk goes on from the child. A step therefore emits one token more than it
// accepts of the draft. For small trees it takes about as long as one token, since
// most of its time goes into reading weights. Where a draft would not pay, the Drafter
// proposes the root alone.
//
// # Invariants
//
//   - The tokens are the same whatever is drafted, and however the prompt was
//     cut. The Sequence gives each row the bits that it has alone, and the noise
//     of sampling is a function of seed, position and token.
//   - A Refusal costs no pass: it is decided by the logits that the first token
//     is drawn from.
//   - Only whole characters are emitted. Invalid UTF-8 becomes U+FFFD.
//   - Nothing of a stop string is ever emitted, and nothing after it. The stop string
//     that is complete first ends the text; of two that end together, the longer one.
//   - After a run, however it ended, the Sequence holds a start of prompt and
//     answer; a later prompt that begins with it is not computed again.
//   - A ctx that is done ends a run within one layer of the model.
//
// # Caveats
//
// A Generator runs one request at a time. The noise of sampling goes through
// math.Log and math.Exp, which may differ in the last bit between processor
// architectures; greedy decoding does not.
package generate
