// Package app puts the parts together: it finds the folders and settings,
// opens the model, the store, the engine and the indexer, and decides whether
// this process owns the store or asks the one that does.
//
// Open is the door. With Read it answers from the owner if there is one, and
// otherwise from the store, opened for reading. With Own it becomes the owner,
// which also serves others over a unix socket, unless there is one already.
// Everything behind the door is an engine.Service, so that no command knows
// which of the two it talks to.
//
// Questions are answered by the sentences of the passages that were found, or,
// where the settings name one, by a language model that reads these passages.
// It is opened by the first question. What it writes is checked as it grows;
// where it cannot be used, the sentences answer and say why. What it wrote is
// kept in the data folder, for this user alone: later answers are guessed from
// it, which makes them faster and changes nothing else.
package app
