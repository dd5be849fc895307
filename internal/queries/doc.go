// Package queries keeps what a person has asked on the screen, and the searches
// that they have saved under a name, in one file that only they may read.
//
//	kept := queries.In(dir)
//	err := kept.Ask("dns cache")
//	all, err := kept.Load()
//
// # Invariants
//
//   - The file is replaced whole: a kill leaves the one before. What cannot be read
//     is an error, and is not written over.
//   - A query is kept once, the newest last, and at most Most of them.
//   - Processes change it one after another, under a lock file beside it, which is
//     empty and stays.
//   - Forget removes the file.
package queries
