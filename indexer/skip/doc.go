// Package skip names the reasons for which a file is not indexed.
//
// The walker and the extractor both decide that a file stays out of the index,
// and the person who misses that file wants one answer: which file, and why. A
// Reason is that answer in a form that can be counted; an Error carries it
// through the ordinary error path together with the file it is about.
//
// Reasons are part of the program's output: their text never changes, new ones
// may be added.
package skip
