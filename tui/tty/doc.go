// Package tty reads what a person types into a terminal, whole.
//
// A terminal hands over bytes as they come, and a read may end anywhere: in a
// letter of three bytes, or between the escape and the rest of an arrow key.
// The library that decodes keys takes a read for all there is, drops half
// letters and types halves of sequences. Wrap gives it reads that end between
// keys.
//
// An escape at the end of a read may be the key or the beginning of a sequence.
// What follows within patience belongs to it.
package tty
