// Testquick is the check between two edits: it lints what has changed since the branch
// left main, committed or not, then vets and tests that and what imports it.
//
//	go run ./internal/testquick [-base main] [-within 50s] [-lint PROGRAM] [-report PROGRAM]
//
// Packages come in the order of their distance from a change: the changed ones, then
// their importers, then the importers' importers. Tests run with -short and without the
// models that a person has installed or that the program carries. Packages that have not
// ended within the time are named and not run: make test is for them.
package main
