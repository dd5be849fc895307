package engine

import "errors"

// RelatedRequest asks for the passages that are most like one of a file.
type RelatedRequest struct {
	Path string `json:"path"` // absolute
	// Line is one of the passage's, from 1. 0 means the file as a whole: the best
	// over its passages, and the best passage of each other file.
	Line int `json:"line,omitempty"`
	// ChunkID is the passage where it is known. One that the file does not have
	// any more is passed over.
	ChunkID uint32 `json:"chunk_id,omitempty"`

	K      int      `json:"k"`                // passages wanted; 0 means DefaultK
	In     []string `json:"in,omitempty"`     // absolute folders to look in; empty means all
	Filter string   `json:"filter,omitempty"` // filters on files, in the syntax of Parse
	// SameFile admits the other passages of the file too.
	SameFile bool `json:"same_file,omitempty"`
	// Fold asks for passages that repeat a better one to be folded, as Request.Fold does.
	Fold bool `json:"fold,omitempty"`
	// Estimate ranks by what the index holds: nothing is embedded, but of what they are to
	// be like what it holds nothing of, as its codes are damaged.
	Estimate bool `json:"estimate,omitempty"`
}

// Related are the passages that are most like another one.
type Related struct {
	Like     Place     `json:"like"` // what they are like
	Passages []Passage `json:"results"`
	Stats    Stats     `json:"stats"`
}

// Place is a stretch of a file.
type Place struct {
	Path string `json:"path"` // absolute
	// PathBytes are as those of a Passage.
	PathBytes []byte `json:"path_bytes,omitempty"`
	LineStart int    `json:"line_start"`
	LineEnd   int    `json:"line_end"` // inclusive
	Where
	Heading string `json:"heading"` // as of a Passage; empty of a whole file
}

// ErrNotIndexed says that a file that is asked about is not in the index.
var ErrNotIndexed = errors.New("not in the index")
