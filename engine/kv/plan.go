package kv

// MissingChunk is what a plan knows of a chunk that is to come back.
type MissingChunk struct {
	Chunk  int // its number in the Cache
	First  int // the position of its first token
	Tokens int
	Bytes  int  // to be read
	Kept   bool // its bytes are somewhere to be read; otherwise it has to be computed
}

// Profile is what this machine takes to bring chunks back, in seconds.
type Profile struct {
	Pass     float64 // of a recompute, however few tokens it has
	Token    float64 // of each token in it
	Position float64 // of each position that a token attends to

	Operation float64 // of a read, however short it is
	Byte      float64 // of each byte read
}

// PlanRestore chooses which of the missing chunks to read and which to compute while
// those are read. It returns numbers of chunks, ascending.
func PlanRestore(missing []MissingChunk, _ Profile) (read, compute []int) {
	for _, m := range missing {
		if m.Kept {
			read = append(read, m.Chunk)
			continue
		}
		compute = append(compute, m.Chunk)
	}
	return read, compute
}
