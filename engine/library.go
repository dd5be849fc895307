package engine

import (
	"context"
	"errors"
	"time"
)

// Library lists the files of the index and reads them as they were indexed.
type Library interface {
	// Files lists files of the index by path. It looks at all of them.
	Files(ctx context.Context, req FilesRequest) (*Files, error)
	// Read returns text of a file in the index, as it was taken out of it. An error
	// wraps ErrNotIndexed for any other file, whatever stands there; ErrFileGone for one that cannot be read
	// any more; ErrNoPlace for a place that it does not have.
	Read(ctx context.Context, req ReadRequest) (*FileText, error)
}

// ErrNoPlace says that a file has no such line, page or sheet.
var ErrNoPlace = errors.New("no such place in the file")

// FilesRequest asks for some of the files of the index.
type FilesRequest struct {
	In    []string `json:"in,omitempty"`    // absolute folders; empty means all
	After string   `json:"after,omitempty"` // the path behind which to begin
	Limit int      `json:"limit,omitempty"` // files wanted; 0 means all
}

// Files are files of the index, by path.
type Files struct {
	Files []IndexedFile `json:"files"`
	More  int           `json:"more,omitempty"` // how many follow
}

// IndexedFile is a file of the index.
type IndexedFile struct {
	Path      string    `json:"path"`                 // absolute
	PathBytes []byte    `json:"path_bytes,omitempty"` // as those of a Passage
	Format    string    `json:"format"`               // pdf, eml, markdown, text
	Title     string    `json:"title,omitempty"`      // as the file says
	Date      time.Time `json:"date"`                 // as the file says, or else of its last change
	TextBytes int64     `json:"text_bytes"`           // of the text that was taken out of it
	Chunks    int       `json:"chunks"`
	Lacking   string    `json:"lacking,omitempty"` // what of it is not in the index
}

// ReadRequest asks for text of a file.
type ReadRequest struct {
	Path string `json:"path"` // absolute, as results have it; a link is not followed
	// From is the line to begin with, from 1, as results count lines; 0 is the first one.
	From int `json:"from,omitempty"`
	// Lines is how many lines of the text are wanted; 0 means all to the end.
	Lines int `json:"lines,omitempty"`
	// Place is the label of a part of the file, such as "page 7": that part alone is read,
	// and From is passed over.
	Place string `json:"place,omitempty"`
	// Offset and End are a stretch of the text in bytes, as FileText has them to go on with.
	// Where one is set, From, Lines and Place are passed over.
	Offset int `json:"offset,omitempty"`
	End    int `json:"end,omitempty"`
	// Bytes is how much text is wanted at most; 0 means any number. It ends with a whole
	// line where that is not much less.
	Bytes int `json:"bytes,omitempty"`
}

// FileText is text of a file.
type FileText struct {
	Path      string `json:"path"`
	PathBytes []byte `json:"path_bytes,omitempty"` // as those of a Passage
	LineStart int    `json:"line_start"`           // as results count lines
	LineEnd   int    `json:"line_end"`             // inclusive
	Where
	About        // of the document
	Text  string `json:"text"` // valid UTF-8, but not yet safe for a terminal
	// Places are the parts of the file that begin within Text, by ascending offset.
	Places []LocatorMark `json:"places,omitempty"`
	// Secret says that the file holds private keys, passwords or access tokens.
	Secret bool `json:"secret,omitempty"`
	// Next and End are the stretch of what follows of the text that was asked for, in bytes of
	// the whole text; 0 where nothing does.
	Next int `json:"next,omitempty"`
	End  int `json:"end,omitempty"`
	Size int `json:"size"` // of the whole text of the file, in bytes
}
