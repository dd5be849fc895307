// Package local answers questions with models of this machine: a Reader, which
// marks evidence in the passages, and a Writer, which reads passages or quotation.
//
// # The flow of an answer
//
//  1. Quote: Answerer.writing (writing.go) has the Reader mark the passages and quote.
//  2. Read: Answerer.write shows the quotation, and the Writer reads windows of the
//     passages around what is marked. One that was trained to decline verifies the
//     quotation (Answerer.verify) or writes from it, unless writing.cannotAnswer.
//  3. Cite: request.cited aligns sentences with passages, as the text grows.
//  4. Judge: writing.done shows the likelier one of text and quotation; a trained
//     model's text only if it is supported and not declined (writing.rested).
//  5. Extractor.OrFromInjected: a declined answer may quote passages with injections.
//
// Where the Writer fails, the quotation stands alone, with the reason. Models are
// opened by the first question, used by one question at a time, and stay open with
// the last prompt's keys and values.
//
// # Conversations
//
// A question in a conversation reuses its keys and values (package kv/contexts): its
// prompt begins with exactly the tokens of the earlier turns, so that only new ones are
// read. Passages keep their numbers through a conversation; known ones are referred to by
// number, and citations are returned with ranks. The conversation holds what the person
// was shown. Turns that the model did not read, or whose tokens are lost, are read from
// their text. When the window is full, the oldest turns leave, and without memory the
// question is answered outside; Note says so.
//
// Keys reports the size of conversations and erases them, with a model or without.
//
// # Past answers
//
// Written answers are stored in a private folder for drafting later ones, which
// changes their speed alone. Erase erases them.
package local
