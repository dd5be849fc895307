package engine

import (
	"context"
	"errors"
)

// ErrNoVectors says that texts cannot be embedded for now, so that words alone are left to
// search by.
var ErrNoVectors = errors.New("texts cannot be embedded for now")

// Embedder turns texts into vectors of unit length.
type Embedder interface {
	// EmbedQuery returns the vector and the number of tokens that went in.
	EmbedQuery(ctx context.Context, text string) (vector []float32, tokens int, err error)
	// EmbedDocuments returns one vector a text, one after the other, the same
	// bits as when the texts were indexed. It uses all cores.
	EmbedDocuments(ctx context.Context, texts []string) ([]float32, error)
}

// Texts reads the text of a file again, exactly as it was when it was
// indexed. The index keeps that of files that are slow to read, and no other.
type Texts interface {
	Text(path string) (*Text, error)
}

// Text is what was extracted from a file.
type Text struct {
	Body string               // valid UTF-8
	Line func(offset int) int // line of the file (from 1) that a byte of Body came from; ascends
	// Embedded returns what was embedded of a chunk of Body: its text and the
	// headings above it.
	Embedded func(start, end int) string
	// Heading returns the headings in force where a chunk begins.
	Heading func(start int) string
	// Secret says that the file holds private keys, passwords or access tokens: what is read of it is shown to the person, and
	// neither sent to a server nor kept in answers.
	Secret bool
	// Extracted says that Line counts the lines of Body: the file has none.
	Extracted bool
	// Places returns where in the file the bytes of Body from start to end are, with
	// offsets from start; the first is at 0 unless nothing is known of it. Nil of a
	// file of which lines are all that can be said.
	Places func(start, end int) []LocatorMark
}
