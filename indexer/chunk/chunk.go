package chunk

import (
	"strings"

	"dowse/indexer/document"
)

// Defaults of Options. An embedding model that reads 256 tokens spends two on
// the ends of the sequence; the rest is a margin.
const (
	DefaultMaxTokens = 250
	defaultMinTokens = 60
)

// margin is for tokens that appear where pieces that were counted alone meet.
const margin = 4

// MaxTokens returns how long the chunks may be for a model that reads so many tokens of a
// passage, without those at the ends; 0 is any number. They are no longer than the default,
// as longer ones say too much for one vector.
func MaxTokens(room int) int {
	if room <= 0 {
		return DefaultMaxTokens
	}
	return max(1, min(DefaultMaxTokens, room-margin))
}

// Options bound the chunks.
type Options struct {
	MaxTokens int // of a chunk and its context together; 0 means DefaultMaxTokens
	MinTokens int // below, a chunk is put together with a neighbour; 0 means defaultMinTokens
	// Count returns the number of tokens of a piece of text, without those that
	// a model wants at the ends.
	Count func(string) int

	headingsOnly bool // lines that cannot become headings are neither counted nor divided
}

func (o Options) withDefaults() Options {
	if o.MaxTokens <= 0 {
		o.MaxTokens = DefaultMaxTokens
	}
	if o.MinTokens <= 0 {
		o.MinTokens = defaultMinTokens
	}
	return o
}

// Chunk is a passage of a text.
type Chunk struct {
	Start, End int // bytes of the text
	// Line and LineEnd are the first and last line of the file, from 1, that
	// holds something other than white space of the chunk.
	Line, LineEnd int
	// Heading is the path of the headings in force where the chunk begins,
	// outermost first, joined by " > ". For code it is the definition in force there:
	// "class Server > def close", "func (s *Server) Close".
	Heading string
	// Context is what stands above the chunk: the part of Heading that is not in the chunk
	// itself, and for code the first line of the declaration. It is shortened from the outside
	// where it would take too many tokens.
	Context string
	Tokens  int // of Context and the text
	// Defines are the names that source code defines here, as Definitions.Names has them.
	Defines []string
}

// Separator joins the headings of a path.
const Separator = " > "

// Split divides the text of a document. An empty text has no chunks.
func Split(doc *document.Document, opts Options) []Chunk {
	if doc.Text == "" {
		return nil
	}
	if doc.Kind == document.Log {
		return blocks(doc)
	}
	o := read(doc, opts.withDefaults())
	pieces := o.divide(o.root, 0)
	chunks := make([]Chunk, 0, len(pieces))
	for _, p := range pieces {
		chunks = append(chunks, o.chunk(doc, p))
	}
	if doc.Kind == document.Code {
		definitions := ReadDefinitions(doc)
		for i := range chunks {
			c := &chunks[i]
			c.Heading, c.Defines = definitions.Heading(c.Start), definitions.Names(c.Start, c.End)
		}
	}
	return chunks
}

// chunk describes a piece.
func (o *outline) chunk(doc *document.Document, p piece) Chunk {
	c := Chunk{Start: o.atoms[p.first].start, End: len(doc.Text)}
	if p.last < len(o.atoms) {
		c.End = o.atoms[p.last].start
	}
	text := doc.Text[c.Start:c.End]
	c.Line = doc.Line(c.Start + len(text) - len(strings.TrimLeft(text, blanks)))
	c.LineEnd = max(c.Line, doc.Line(c.Start+len(strings.TrimRight(text, blanks))))
	context, heading := o.headings(p.first)
	c.Context = strings.Join(context, Separator)
	c.Heading = strings.Join(heading, Separator)
	c.Tokens = o.tokens(p.first, p.last) + o.contextTokens(p.first)
	return c
}

// EmbedText returns what is embedded for a chunk: the headings above it that it
// does not contain itself, and its text.
func EmbedText(doc *document.Document, c Chunk) string {
	text := strings.Trim(doc.Text[c.Start:c.End], blanks)
	if c.Context == "" {
		return text
	}
	return c.Context + "\n\n" + text
}

// blanks are the bytes of white space that separate and end lines.
const blanks = " \t\r\n\f\v"
