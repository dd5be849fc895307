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
// What was written is kept in a folder that only this user may read: later answers
// are drafted from it, which makes them faster and changes nothing else. Erase
// erases it.
package local
