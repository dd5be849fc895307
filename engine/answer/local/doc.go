// Package local answers questions with models of this machine: a Reader, which
// marks evidence in the passages, and a Writer, which reads what is quoted.
//
// An Answerer quotes what the Reader marks. Its Writer says how sure the quotation
// is, or writes a few sentences from it, which are checked against it as they
// grow. Where the Writer cannot be used, the quotation stands alone, with the
// reason; where the Reader cannot, the Writer has the passages whole.
//
// Models are opened by the first question, one question has them at a time, and
// they stay open for the next, with the keys and values of the last prompt.
//
// # Conversations
//
// A question that is asked in a conversation goes on with its keys and values (package
// kv/contexts): its prompt begins with exactly the tokens that the turns before left, so
// that only what is new is read. Passages have numbers that stay through the
// conversation; one that stands there already is referred to by its number, and citations
// come back with the ranks of the search. The conversation holds what the person was
// shown: where that is a quotation, or that nothing answers, this stands in the place of
// what the model wrote. Turns that the model did not read, or whose tokens are lost, are
// read from their text. Once the window is full the oldest ones leave, and the answer
// says so (Note). Without room in memory a question is answered outside of its
// conversation, which is said too.
//
// Keys tells what conversations take, and erases it, with a model or without.
//
// # Past answers
//
// What was written is kept in a folder that only this user may read: later answers
// are drafted from it, which makes them faster and changes nothing else. Erase
// erases it.
package local
