// Testreport reads what go test -json writes. It prints a line for each package
// and everything that a failing test said, as go test does, and at the end which
// tests were skipped and why, so that what was not shown does not pass for shown.
//
//	go test -json ./... | go run ./internal/testreport [-skipped FILE] [-v] [-brief]
//
// Its exit status is 1 if anything failed. With -skipped the list is appended to a
// file as well; with -v what tests log is printed as they go;
// with -brief the list is not printed.
package main
