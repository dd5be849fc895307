// Package testsquad measures an answerer on questions about articles: how much of the
// right words its answers hold, whether what they cite holds them, and whether it
// declines when there is nothing to find. Tests hold the reader and the model that writes
// to their figures with it.
//
// # Basics
//
// Load reads a collection in BEIR layout whose queries carry answers. Cases draws
// questions from it: some with their passages, some whose article was taken away, so
// that nothing answers them. Run asks any Extractor and counts.
//
// Passages come in two ways: given, three for each question, the right one among
// them (the best of BM25, with the right one in place of the last where it is
// missing), in the order of BM25; or whatever a retrieval function finds.
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
package testsquad
