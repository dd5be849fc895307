// Package local answers questions with models of this machine: a Reader, which
// marks evidence in the passages, and a Writer, which reads the quotation.
//
// # The flow of an answer
//
//  1. Answerer.writing (writing.go): the Reader's quotation becomes the passages; without it, all.
//  2. writing.cannotAnswer: a quotation that no verdict could save is declined at once.
//  3. Answerer.verify: the Writer's probability of declining grades the quotation; or
//     Answerer.write: it writes from the quotation, checked as the text grows.
//  4. writing.done: the text stands only if it is supported and not declined.
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
