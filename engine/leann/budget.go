package leann

// DefaultBudget is the share of the text's bytes that the vector index takes.
const DefaultBudget = 0.05

// What a chunk takes beside its code, in bytes: its place in the table of
// chunks, measured on notes and source code, and its part of bitmaps, pages
// and codebooks.
const (
	tableBytes    = 6
	overheadBytes = 0.6
	rotationBytes = 384 * (384 + 4) // of the default model's dimension
)

// Shortest and longest codes: below, estimates are of little use; above, the
// longer code saves less than a recomputed vector in a hundred.
const (
	minCodeBytes = 20
	maxCodeBytes = 48
)

// CodeBytes returns the length of codes with which the vector index of so many
// chunks of so many bytes of text takes the given share of the text. Small
// chunks get the shortest code and exceed it.
func CodeBytes(budget float64, textBytes int64, chunks int) int {
	room := budget*float64(textBytes)/float64(max(chunks, 1)) - tableBytes - overheadBytes
	if chunks >= rotateChunks {
		room -= rotationBytes / float64(chunks)
	}
	return min(max(int(room), minCodeBytes), maxCodeBytes)
}
