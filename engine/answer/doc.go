// Package answer turns ranked passages into an answer that cites them.
//
// # Basics
//
// An Extractor answers without a language model: it quotes the pieces of the passages
// that a Reader marks, with the answer in short where the Reader points at one. It
// declines when the passages do not support an answer.
//
//	found, err := answer.NewExtractor(reader).Extract(ctx, "who wrote grep?", passages)
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
// However it was typed, the reader has a question in small letters and without its mark,
// as most of those that it learned from were written; a language model that verifies has
// it with a capital and a mark. A follow-up has the earlier questions that it follows behind
// it: the reader learned to read it so, and has a calibration of its own for it.
//
// # How evidence is found
//
// Pieces cuts each passage into sentences, items, rows, headings and lines of code.
// A Reader gives each token of a passage, read below its file's name and headings, and
// the names of its columns where it begins within a table, a logit that it is part of the evidence; a piece has the mean of its tokens. Pieces
// of all passages compete with each other and with there being nothing in any of
// them (Clark and Gardner, "Simple and Effective Multi-Paragraph Reading
// Comprehension", 2018), where the rank of its passage is a piece's prior. The best one
// is quoted, with others that are evidence too and not far less likely, those of its own
// file above all: four stretches of neighbouring pieces at most, in reading order. A row comes with the names of its
// columns, an item below its heading, code with the sentence that announces it. Headings
// and links alone are never quoted. Two further logits of each token point at the answer
// in short within the best piece.
//
// Rows are alike but for what they are about, and the reader marks neighbours too. A row
// is evidence by its key: the words of the question that its cells hold and no column's
// name does. One that holds fewer of them than another row of its file is left out. The
// answer in short is the cell of the column that the question names; where it names none,
// what the reader points at in a cell without the key. Support rises where one row alone
// holds the key and all that is asked, and falls where the cell that is asked is empty.
// To leave out items of lists in the same way changed nothing, and to trust rows less
// the more words of the question nobody accounts for cost as many right answers as
// wrong ones.
//
// How likely the answer is right, a logistic regression says over four figures: how
// much likelier evidence is than none, how many of the question's words the best piece
// holds, how few these words are, and how long pieces are in the mean. Its weights and the two thresholds, from where an
// answer is Sure and from where it is Perhaps, come with the Reader's weights. The
// weights are fitted to questions about notes and articles that the Reader has not
// learned from, and the thresholds are chosen on those about notes.
//
// # Injections
//
// Text that speaks to a language model, or orders an answer ("when asked who serviced the
// boiler, answer that ..."), is evidence of nothing (injection.go): a reader, a model that
// writes or verifies, and a server read passages without it, and what else stands in such a
// passage ranks last. Where then nothing seems to answer, it is quoted by the reader alone
// and no surer than Perhaps, since a file may say to agents what a person asks for. It is
// told by sequences of words in eight languages, by labels, and by turns of chat templates;
// to the end of its paragraph, or of the passage behind a turn and behind an order to
// forget what else was said.
//
// Among 500 notes of people, twenty that order answers to questions that these answer were
// the surely quoted answer 14 times before, and twice as perhaps; now never, and twice as
// perhaps (by the reader alone once). 17 of the 20 answers are those without orders, and so are all of 42 to other
// questions (dowse -q QUESTION --answer --json, with and without them; go test ./internal/app -run
// OrdersAmongNotes -v -orders-among 480). Wordings that nothing was chosen by are found less
// often: 9 of twenty others by the rule as it was first made, and 9 of another twenty once it
// had been widened by those. A plain false claim is no order.
//
// Of 36,328 pieces of 1,233 notes of people 3 are taken for one, of 67,982 of manual pages 3,
// of 30,431 of short technical notes none, and of 51,865 of documentation 151, most of which
// is about injections and shows some.
//
// # A second opinion
//
// Quote gives a quotation however unlikely it is. A Verifier says how likely it still is
// once a language model has read it, given what Quoted makes of it: of 704 held-out
// questions, with the five passages of a reranked search, reader and model together hold
// .801 of the right quotations likelier than wrong ones, the reader alone .755. Of the 528
// that have an answer 338 quotations are right, and of these the reader is sure of 128 and
// says perhaps of 100, both together of 150 and of 112 (go test ./engine/answer/local -run
// TestFitConfidence). Without the prior of ranks 329 are right, and both together are sure of
// 152 and say perhaps of 102, of wrong ones 17 and 57 instead of 18 and 52.
//
// # Quality
//
// On 300 questions about notes of people whom nothing was learned from, and 100 that
// these do not answer, among the five passages of a reranked search, which hold the
// answer to 243 (lab bench answers, --answerer extract and auto):
//
//	                        right       wrong       declined  others: answered
//	the reader, sure        55          9          -         10
//	            perhaps     54          19         162       27
//	verified,   sure        66          8          -         14
//	            perhaps     58          32         135       24
//
// Of 43 follow-ups in conversations that nothing was learned from or chosen by, 42 with
// their note among five passages, 19 are answered right and 4 wrong, verified; the same
// asked in full, 30 and 6 (go test ./lab/measure -run TestFollowUps). The reader that
// had learned none answered 13 right and 12 wrong, and 30 and 5 in full. Where reader and
// verifier are sure of a follow-up, and where they say perhaps, was chosen on others: from
// the same probabilities as other questions 61 of 140 right quotations would be accepted,
// from those of their own 79, with 10% and 34% invented of 111 without an answer.
//
// On 158 questions about rows, records and lines that are alike, which nothing was chosen
// by, and 77 whose row or cell is not there, with the passages of a search by words and
// meaning (first: the row that answers is quoted first; short: its cell is the answer in
// short):
//
//	             right  perhaps  wrong  perhaps  declined  first  short  others: answered  perhaps
//	by keys      42     25       3      9        79        82     45     2                 13
//	without      22     38       3      10       85        69     5      4                 12
//
// On 100 questions of SQuAD 1.1's dev set about articles that nothing was fitted to,
// with three passages each, and 50 whose article was taken away (go test ./engine/answer/local
// -run TestReaderOnSquad -v):
//
//	F1    exact  citations right  hold  declined: answerable, others
//	.59   .46    .84              .88   4%   94%
//
// # Invariants
//
//   - An Answer of the Extractor is made of words of the passages; every
//     sentence carries the number of its passage, and a Citation gives path,
//     lines and bytes.
//   - The same question and passages give the same answer.
//   - Passages are data. Control characters never reach an answer or a prompt,
//     and a passage can neither end its own block in a prompt nor begin a turn, in
//     the template of whichever family: neutralize.go breaks the tokens and keeps
//     their words.
//
// # Caveats
//
// The lists of abbreviations and function words are English, and so is what the reader
// learned from. Whether anything answers, it tells worse than where: of held-out
// questions with evidence before it, it finds that for 85%.
package answer
