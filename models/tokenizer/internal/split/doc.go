// Package split cuts text into the pieces within which a BPE model merges.
//
// # Basics
//
// Byte-level models describe the pieces by a regular expression with a
// look-ahead. There are few such expressions in use; each is a Pattern here,
// scanned by hand-written code that was derived from the expression and takes
// time linear in the text. Recognise finds the Pattern of an expression, which
// has to agree letter by letter: an expression that is not known is refused
// rather than approximated.
//
//	for len(text) > 0 {
//		n := split.GPT2.Next(text)
//		use(text[:n])
//		text = text[n:]
//	}
//
// # Invariants
//
//   - 0 < Next(text) <= len(text) for any text that is not empty.
//   - The pieces are those of the reference implementation: which characters
//     are letters, numbers and spaces is written down in tables.go, taken from
//     it, and does not depend on the Unicode version of the Go release.
//
// # Caveats
//
// A byte that is not UTF-8 counts as a symbol, neither letter nor number.
package split
