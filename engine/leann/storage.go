package leann

// Part is a kind of stored block.
type Part uint8

// The parts of a stored index.
const (
	Books       Part = iota // codebooks, by number
	CodeRuns                // codes of 4096 consecutive chunk ids, by id/4096
	Links                   // graph links owned by 4096 consecutive chunk ids, by id/4096
	UpperLinks              // links of upper levels, by level and id/2^17; key 0: the graph's head
	NextRuns                // codes waiting to replace those of CodeRuns, by id/4096
	KeptVectors             // vectors that outlive a search, by chunk
)

// Reader is a stored index at one moment. Callbacks must not change the index.
type Reader interface {
	// Block returns a block, nil when there is none.
	Block(part Part, key uint32) ([]byte, error)
	// EachBlock calls f for the blocks of a part by ascending key.
	EachBlock(part Part, f func(key uint32, value []byte) error) error
	// Vectors calls f with runs of stored vectors: those of fresh chunks, which have no code.
	Vectors(f func(first uint32, raw []byte) error) error
	// Run returns the run of stored vectors that includes a chunk's, valid until the next
	// write, and its first chunk; nil if the chunk has none.
	Run(chunk uint32) (first uint32, raw []byte, err error)
}

// Writer changes a stored index. All changes of one transaction become visible together
// or not at all.
type Writer interface {
	Reader
	PutBlock(part Part, key uint32, value []byte) error
	DeleteBlock(part Part, key uint32) error
	// DeleteVectors removes the run that begins with a chunk.
	DeleteVectors(first uint32) error
}
