// Package testshapes makes files that are as their formats allow and hold far more than their size tells: a cell that
// is repeated a billion times, a chapter that a book names again and again, parts within parts.
//
//	for _, s := range testshapes.All() {
//		data := s.Make(s.Small) // for every change; s.Make(s.Full) for the long runs
//	}
//
// The same numbers give the same files.
package testshapes
