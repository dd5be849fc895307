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
// A Sequence, such as transformer.Sequence, computes logits and keeps the keys
// and values of settled tokens. Package chat makes prompts from messages. A
// Refusal ends the text of a model that declines before it begins. Profile
// measures passes by their nodes.
//
// # Speculation
//
// A Drafter guesses the next tokens as a tree, which one pass computes. The walk
// begins at the root: the model's token there is emitted, and if a child has that
// token, the walk goes on from the child. A step emits one token more than it
// accepts of the draft. Small trees take about as long as one token, since most
// time goes into reading weights.
//
// # Invariants
//
//   - The tokens are the same whatever is drafted and however the prompt is cut:
//     each row has the bits that it has alone, and the noise of sampling is a
//     function of seed, position and token.
//   - A Refusal costs no pass: the first token's logits decide.
//   - Only whole characters are emitted. Invalid UTF-8 becomes U+FFFD.
//   - After a run, however it ended, the Sequence holds a start of prompt and
//     answer; a later prompt that begins with it is not computed again.
//   - A ctx that is done ends a run within one layer of the model.
//
// # Caveats
//
// A Generator runs one request at a time. The noise of sampling uses math.Log and
// math.Exp, whose last bit may differ between architectures; greedy decoding is
// the same on all.
package generate
