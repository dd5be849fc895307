// Package repeats finds the passages of a ranking that say what a better one says: copies of
// files, notes with a line less, other markup. Passages that only look alike, such as weekly logs
// from one template, are told apart by the numbers, names and denials in which they differ.
package repeats
