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
// What answers and indexes is a Stack: a search.Engine with its models, the store
// and the indexer. Package measure opens one for measurements.
package app
