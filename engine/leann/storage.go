package leann

// Part is a kind of stored block.
type Part uint8

// The parts of a stored index.
const (
	Books      Part = iota // codebooks, by number
	CodeRuns               // codes of 4096 consecutive chunk ids, by id/4096
	Links                  // links of the graph that 4096 consecutive chunk ids own, by id/4096
	UpperLinks             // those on the levels above, by level and id/2^17; 0: the head of the graph
	NextRuns               // codes that are to take the place of others, by id/4096
)

// Reader is a stored index at one moment. The functions that it calls must
// not change the index.
type Reader interface {
	// Block returns a block, nil when there is none.
	Block(part Part, key uint32) ([]byte, error)
	// EachBlock calls f for the blocks of a part by ascending key.
	EachBlock(part Part, f func(key uint32, value []byte) error) error
	// Vectors calls f with runs of the vectors that are stored: those of the
	// fresh chunks, which have no code yet.
	Vectors(f func(first uint32, raw []byte) error) error
	// Run returns the run of stored vectors that holds that of a chunk, valid until
	// the index is written, and its first chunk; nil where the chunk has none.
	Run(chunk uint32) (first uint32, raw []byte, err error)
}

// Writer changes a stored index. All changes of a call become visible
// together or not at all.
type Writer interface {
	Reader
	PutBlock(part Part, key uint32, value []byte) error
	DeleteBlock(part Part, key uint32) error
	// DeleteVectors removes the run that begins with a chunk.
	DeleteVectors(first uint32) error
}
