// Package answer turns ranked passages into an answer that cites them.
//
// # Basics
//
// An Extractor answers without a language model: it chooses one to three
// sentences of the passages and, where the question asks for a thing that has
// a short name (who, when, how many), the few words that say it. It declines
// when the passages do not support an answer.
//
//	extractor, err := answer.NewExtractor(answer.Options{Analyzer: analyzer})
//	found, err := extractor.Answer(ctx, "who wrote grep?", passages)
//	fmt.Println(found.Text) // Ken Thompson wrote grep overnight. [2]
//
// For a language model, Assemble makes the messages, passages numbered and
// trimmed to a budget of tokens; a Checker reads what the model says, as it
// grows, and returns the same Answer: sentences, citations, and the pieces
// that no passage supports. Of a model that is trained to begin with the answer
// in short, Checker.Short reads that.
//
// An Answer is Sure, Perhaps or None. The Checker says Perhaps of a text with a piece
// that no passage supports; None is said in DeclinedText, the words that models are
// trained to use, and whoever shows answers may say it in others.
//
// # How evidence is found
//
// Pieces cuts each passage into sentences, items, rows, headings and lines of code.
// A Reader gives each token of a passage, read below its file's name and headings, a
// logit that it is part of the evidence; a piece has the mean of its tokens. Pieces
// of all passages compete with each other and with there being nothing in any of
// them (Clark and Gardner, "Simple and Effective Multi-Paragraph Reading
// Comprehension", 2018). The best one is quoted, with others that are evidence too
// and hardly less likely: four stretches of neighbouring pieces at most, in reading
// order. A row comes with the names of its columns, an item below its heading, code
// with the sentence that announces it. Headings and links alone are never quoted. Two
// further logits of each token point at the answer in short within the best piece.
//
// How likely the answer is right, a logistic regression says over four figures: how
// much likelier evidence is than none, how many of the question's words the best piece
// holds, how few these words are, and how long pieces are in the mean. Its weights and the two thresholds, from where an
// answer is Sure and from where it is Perhaps, come with the Reader's weights. The
// weights are fitted to questions about notes and articles that the Reader has not
// learned from, and the thresholds are chosen on those about notes.
//
// # A second opinion
//
// Quote gives a quotation however unlikely it is. A Verifier says how likely it still is
// once a language model has read it, given what Quoted makes of it: of 704 held-out
// questions reader and model together hold .818 of the right quotations likelier than
// wrong ones, the reader alone .780.
//
// # Without a reader
//
// A sentence is described by features: how much of the question it,
// its neighbours, its passage and its heading hold, weighted by how rare the
// words are; whether it holds what the kind of question asks for. Runs of a
// few words within the best sentences are described by their form, their
// neighbours, and how far the question's words are. Two log-linear models
// over these (after Rajpurkar and others, "SQuAD: 100,000+ Questions for
// Machine Comprehension of Text", 2016, section 5) give each sentence and
// each run a probability: of the runs the one is taken that shares most with all
// others, weighted so (minimum Bayes risk), and a logistic regression on how good
// the best ones are says how likely it is that the passages answer at all. This
// answers where the Reader cannot be opened.
//
// What the weights, fitted to articles, do not know is added by hand (score.go):
// headings and tables of contents name answers and are none; who asks how to do
// something, or for a command, wants code; and of passages that a search found, the
// n-th holds the answer 1/n as often as the first, or 1/n^2 where it is how to do
// something.
//
// # Weights
//
// model.bin (149 KB) holds the weights of both models and of the regression,
// and how rare 6,000 terms are. Fit makes it, a test runs Fit:
//
//	go test ./engine/answer -run TestFit -fit -timeout 20m
//
// The weights are fitted to the answerable questions of SQuAD 2.0's dev set
// (5,928 of 35 articles, CC BY-SA 4.0), half of them once more without their
// article. The rarity of terms is counted in that text and in MedQuAD (CC BY
// 4.0), QED (CC BY-SA 3.0), PubMedQA (MIT), COVID-QA (Apache-2.0), tldr-pages
// (CC BY 4.0) and manuals (MIT, Apache-2.0, CC BY-SA 4.0). The threshold is
// where cross-validation over articles declines nine of ten unanswerable
// questions; it declines 8% of the answerable ones there.
//
// # Quality
//
// On 300 questions about notes of people whom nothing was learned from, and 100 that
// these do not answer, among the five passages of a reranked search, which hold the
// answer to 239 (dowse bench answers, --answerer extract and auto):
//
//	                        right       wrong       declined  others: answered
//	the reader, sure        53          10         -         11
//	            perhaps     39          12         185       23
//	verified,   sure        69          12         -         16
//	            perhaps     51          32         135       25
//
// On 100 questions of SQuAD 1.1's dev set about articles that nothing was fitted to,
// with three passages each, and 50 whose article was taken away (go test ./internal/app
// -run TestReaderOnSquad -v); without a reader, on 500 and 250 (go test
// ./engine/answer -run Squad -v):
//
//	                  F1    exact  citations right  hold  declined: answerable, others
//	with the reader   .54   .44    .79              .83   10%  98%
//	without           .46   .35    .80              .84   5%   94%
//
// # Invariants
//
//   - An Answer of the Extractor is made of words of the passages; every
//     sentence carries the number of its passage, and a Citation gives path,
//     lines and bytes.
//   - The same question and passages give the same answer. Scores are sums of
//     integers.
//   - Passages are data. Control characters never reach an answer or a prompt,
//     and a passage can neither end its own block in a prompt nor begin a turn, in
//     the template of whichever family: neutralize.go breaks the tokens and keeps
//     their words.
//
// # Caveats
//
// The lists of abbreviations, function words and kinds of questions are
// English. Questions in other languages still find sentences by shared words
// and, with an Embedder, by meaning. Whether anything answers, the reader tells worse
// than where: of held-out questions with evidence before it, it finds that for 85%.
package answer
