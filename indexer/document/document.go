package document

import (
	"slices"
	"strings"
	"time"
)

// Kind is how the text of a document is structured.
type Kind uint8

const (
	// Text has paragraphs and nothing else that is known.
	Text Kind = iota
	// Markdown has headings, lists and fenced code.
	Markdown
	// Code is source code or a configuration; Document.Language says which.
	Code
	// HTML was rewritten into the structure of Markdown.
	HTML
	// Converted was taken out of a file that is no text, and has the structure of Markdown.
	Converted
	// Log has lines that a program wrote. They are looked for by words alone.
	Log
)

// String returns the name of the kind in lower case.
func (k Kind) String() string {
	return [...]string{"text", "markdown", "code", "html", "converted", "log"}[k]
}

// Document is the text of a file.
type Document struct {
	Text     string // valid UTF-8
	Kind     Kind
	Format   string  // of Converted: the Format's name, "pdf", "docx", ...; "" otherwise
	Language string  // of Code: "go", "python", ...; "" otherwise
	Charset  string  // of the file, as registered: "UTF-8", "windows-1252", ...
	Plain    bool    // Text is the file, byte for byte
	Places   []Place // ascending by offset; nil where lines are all that can be said
	Slow     bool    // of Converted: taking Text out again at each search would be felt
	Meta     Meta
	Entries  []Entry // ascending by offset; nil if no part of the file says something of itself
	Cuts     []int   // of Log: where the text is cut, ascending, in bytes; between them stand whole lines, as a rule
	Lacking  string  // of Converted and Log: what of the file is not in Text, "the oldest 300 of 900 messages"; mostly ""
	State    []byte  // of a Format with Grows: what Read goes on by once the file is longer; nil if all is to be read then
	Secret   bool    // it holds a secret: Text is for this machine alone
	Lacks    error   // of Converted: why a program of the person's could not add to Text; nil otherwise
	lines    lineMap
}

// Meta is what a document says of itself. All of it may be missing.
type Meta struct {
	Title   string
	Authors []string // of a message: who sent it, "Ann Lee <ann@example.org>"
	To      []string // of a message: who got it
	Tags    []string // without "#", as they are written
	Date    time.Time
}

// Empty reports whether nothing is said.
func (m *Meta) Empty() bool {
	return m.Title == "" && len(m.Authors) == 0 && len(m.To) == 0 && len(m.Tags) == 0 && m.Date.IsZero()
}

// Equal reports whether two say the same.
func (m *Meta) Equal(other *Meta) bool {
	return m.Title == other.Title && slices.Equal(m.Authors, other.Authors) && slices.Equal(m.To, other.To) &&
		slices.Equal(m.Tags, other.Tags) && m.Date.Equal(other.Date) && m.Date.Location() == other.Date.Location()
}

// Entry is a part of a file that says something of itself: a message of a mailbox or a chat, an event, a contact, a
// row, a dated heading. It reaches to the next one. Meta has what it takes over from what it stands below, too; what
// stands before the first is the document's.
type Entry struct {
	Offset int // of Document.Text, in bytes
	Meta   Meta
}

// FromText returns the Document of a text that is at hand already and is its own
// source: text is valid UTF-8.
func FromText(text string, kind Kind) *Document {
	d := &Document{Text: text, Kind: kind, Charset: "UTF-8", Plain: true}
	d.CountLines()
	return d
}

// Shorten cuts the text behind the last line that ends within so many bytes, and returns how many
// bytes of it a Builder has counted and went.
func (d *Document) Shorten(most int) int {
	if len(d.Text) <= most {
		return 0
	}
	before := len(d.Text)
	if end := strings.LastIndexByte(d.Text[:most], '\n'); end >= 0 {
		most = end
	}
	d.Text = strings.ToValidUTF8(d.Text[:most], "")
	d.Places = slices.DeleteFunc(d.Places, func(p Place) bool { return p.Offset >= len(d.Text) })
	d.Entries = slices.DeleteFunc(d.Entries, func(e Entry) bool { return e.Offset >= len(d.Text) })
	if d.Kind != Converted {
		return 0
	}
	return before - len(d.Text)
}
