// Package app is one dowse: it reads the environment and the settings, has files read as these
// say (package reading), and joins a home's models (registry) and indexes (indexes) into an App
// that commands and measurements use.
//
// Open gives an engine.Service: a client of the process that owns the index, or the index in
// this process, so that no command knows which of the two it talks to. What needs neither index
// nor model (conversations, past answers, the choice of an embedder) is asked of the owner where
// there is one, and done on the files otherwise.
package app
