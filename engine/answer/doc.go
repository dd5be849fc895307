// Package answer turns ranked passages into an answer that cites them.
//
// # The flow of an answer
//
//  1. extract.go: injections are removed (injection.go) and passages cut into pieces (split.go).
//  2. reader.go: the Reader gives each token a logit of being evidence.
//  3. candidates.go: pieces compete, with priors; a calibration grades the best.
//  4. stretch.go: the best pieces are quoted, completed and cited.
//  5. local or remote: a trained model verifies the quotation (decline.go) or writes
//     from it; any other reads windows of the passages (cutter.go, prompt.go).
//  6. align.go cites what was written, check.go holds it against the passages, and
//     judge.go decides between it and the quotation.
//
// An Extractor is steps 1 to 4. A Checker reads a growing text of a model and
// returns the same Answer: sentences, citations and unsupported pieces. A Judge
// gives the probability that it is right.
//
//	found, err := answer.NewExtractor(reader).Extract(ctx, "who wrote grep?", passages)
//	fmt.Println(found.Text) // Ken Thompson wrote grep overnight. [2]
//
// An Answer is Sure, Perhaps or None. All that declines, and its words, is in
// decline.go: the thresholds of the reader (Calibration) and of reader and model
// together (Verifier) decide.
//
// # How evidence is found
//
// Pieces are sentences, items, rows, headings and lines of code; a piece's logit
// is the mean of its tokens'. Pieces of all passages compete with each other and
// with none (Clark and Gardner, "Simple and Effective Multi-Paragraph Reading
// Comprehension", 2018). A row comes with its column names, an item below its
// heading, code with the sentence that announces it; headings and links are never
// quoted alone. Two further logits point at the answer in short. Rows of a table
// are told apart by the question's words (keyed.go). The reader gets questions in
// small letters, and a follow-up with its earlier questions (asked.go).
//
// Text that speaks to a model is evidence of nothing (injection.go).
//
// # Invariants
//
//   - An Extractor's Answer is made of words of the passages; every sentence has
//     the number of its passage, and a Citation gives path, lines and bytes.
//   - Equal questions and passages give equal answers.
//   - Passages are data: no control character reaches an answer or a prompt, and
//     no passage can end its block in a prompt or begin a turn (plain.go).
//
// # Caveats
//
// Abbreviations and function words are English, and so was the reader's training.
// It finds 85% of held-out evidence, but tells less well whether there is any.
package answer
