// Package answerbench measures answers: how much of the right words they
// hold, whether what they cite holds them, and whether they decline when
// there is nothing to find. Passages are given or found by BM25, or a search over a
// person's notes finds them.
//
// # Basics
//
// Load reads a collection in BEIR layout whose queries carry answers. Cases
// draws questions from it: some with their passages, some whose article was
// taken away, so that nothing answers them. Run asks any answer.Answerer and
// counts.
//
// Passages come in two ways: Given, three for each question, the right one
// among them (the best of BM25, with the right one in place of the last where
// it is missing), in the order of BM25; or whatever a retrieval function
// finds.
//
// # What the figures mean
//
//   - F1 and Exact compare words as SQuAD does, with the best of the right
//     answers: Answer.Short where there is one, all of the text without
//     citations otherwise. A declined question counts as 0. Means are over the
//     answerable questions.
//   - Holds is the share of answerable questions whose text has a right
//     answer in it as a run of words, CitationHolds the share with a cited
//     passage that has one.
//   - CitationsRight is the share of all citations given, of answerable
//     questions, that name the passage judged right, CitationsHold the share
//     that name one with a right answer in it.
//   - DeclinedAnswerable and DeclinedUnanswerable are shares of these
//     questions; DeclinePrecision and DeclineRecall are of declining as a
//     detector of unanswerable questions.
//
// # Questions about notes
//
// The other half measures what a person gets: ReadNoteQuestions reads questions
// about a folder of notes, AskNotes puts each to a NoteAsker, which searches and
// answers, and counts by kind in NoteCounts; a NoteReport holds a NoteRow for each
// answerer. An answer has one of the verdicts of Verdict: right, wrong or declined
// of a question that the notes answer, rightly declined or invented of another, and
// those said to be uncertain (Perhaps) apart.
//
// A right answer is one that all patterns of the question match. They are written
// for Python. What means another thing to RE2 is translated: classes of characters
// are of Unicode, {,n} is a repetition, \Z is the end. \b stays the end of a word in
// ASCII. Lookaround and references back cannot be read: what is answered to such a
// question is Unjudged, and an answer among its passages is not counted, while
// declining it is. Without patterns an answer is right that has the answer in short
// word for word, or one of the quotes where there is no such, white space and
// Markdown's marks aside; the same goes for an answer among the passages, and for a
// quote in what is shown.
//
// WriteLists writes the passages that a search finds for such questions, cut into
// pieces, as examples to train an answerer on.
package answerbench
