package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
)

// Format is a kind of file whose text has to be taken out of it.
type Format struct {
	// Name is what results and the filter type: call it, "docx".
	Name string
	// Extensions are those of its files, in lower case and without the dot.
	Extensions []string
	// Is reports whether a file that begins with head (4 KiB at most) is of the
	// format; of a file with one of the Extensions it is asked too. Nil means that
	// the extension decides alone.
	Is func(name string, head []byte) bool
	// Read takes out the text. What it returns for the same bytes is always the same.
	Read func(ctx context.Context, in *Input) (*Document, error)
	// Part opens a file within the file, as places name it: a message of a mailbox, an
	// attachment, a member of an archive. found is false where inner is all that the file
	// holds, packed, and the part is to be looked for there. The error wraps ErrNoPart where
	// there is no such part. Nil means that no part is a file.
	Part func(ctx context.Context, in *Input, part Part) (inner *Input, found bool, err error)
	// MaxBytes is the size above which a file is not read; 0 means that of text.
	MaxBytes int64
	// Paced says that Read bounds its own time, by the pages that it finds: what comes to
	// others as the end of their five minutes never comes to it.
	Paced bool
	// Share is how much text a byte of a file gives as a rule, and seldom more; 0 means 1.
	// It is for files that have far less: of pictures, fonts and drawings.
	Share float64
	// Slow says that taking the text out again at each search would be felt, so
	// that the index keeps it.
	Slow bool
	// Sparse says that Read looks at parts of a file alone, by Input.At: one in a folder is
	// opened and not read, however large it is. Its hash is that of its beginning, its size and its time.
	Sparse bool
	// Streamed says that Read goes through a file once, by Input.At, and holds little of it. What
	// is said of Sparse holds here too, but for the size, and no programs are asked.
	Streamed bool
	// Grows says that files of a Streamed Format are only appended to: Read goes on behind Input.Before.
	Grows bool
	// Beside is what the name of a file ends in that stands beside one of a Streamed Format and belongs to it: what a program
	// has not yet written into the file itself. A change of either is one of the file.
	Beside string
	// Piped says that Read goes through a file once, by Input.Reader: a member of an archive that is too large to be held is
	// read too.
	Piped bool
	// Among are extensions of files of other formats, between which Is finds its own: MaxBytes holds for them.
	Among []string
}

// InParts reports whether a file in a folder is opened and not read as a whole.
func (f *Format) InParts() bool { return f.Sparse || f.Streamed }

// Errors that a Format's Read wraps; any other one says that the file is damaged.
var (
	// ErrEncrypted is returned for a file that wants a password.
	ErrEncrypted = errors.New("it is encrypted")
	// ErrOld is returned for a document of a program so old that it is not read; it has to be saved in the new format.
	ErrOld = errors.New("it is in an old format")
	// ErrNoText is returned for a file that has pictures where text would be.
	ErrNoText = errors.New("it has no text layer")
	// ErrNoReader is returned where what reads the format is not installed; the error
	// says how to get it.
	ErrNoReader = errors.New("what reads it is not installed")
	// ErrBounds is returned where a file holds more than Limits allow; the error says which of them it met.
	ErrBounds = errors.New("it holds more than is read of one file")
	// ErrOther is returned for a file of another kind than its name or its beginning
	// says: it is read as text.
	ErrOther = errors.New("it is of another kind than it seems")
	// ErrNoPart is returned by a Format's Part.
	ErrNoPart = errors.New("it has no such part")
	// ErrPicture, ErrSound and ErrVideo are returned for a file without a description in words.
	ErrPicture = errors.New("nobody has said what it shows")
	ErrSound   = errors.New("nobody has said what is to be heard")
	ErrVideo   = errors.New("nobody has said what it shows")
	// ErrProgram is wrapped by what a program of the person's failed with; it names the program.
	ErrProgram = errors.New("a program failed")
	// ErrChanged is returned for a file that changed since it was opened.
	ErrChanged = errors.New("it changed while it was read")
	// ErrBrowser is returned for the history and the bookmarks of a browser that nobody asked for by name.
	ErrBrowser = errors.New("it is what a browser keeps")
	// ErrUnknown is returned by Input.Inner for a member of no kind that is read.
	ErrUnknown = errors.New("it is of no kind that is read")
)

// MaxTime is how long a Format may take for one file, unless it is Paced. The slowest that
// was seen, a manual of 113 pages, takes three seconds on a quiet machine and took 85 on
// one with fifty jobs.
const MaxTime = 5 * time.Minute

// Browser is the Format of the history and the bookmarks that browsers keep.
const Browser = "browser"

// Input is a file that a Format reads.
type Input struct {
	Name string // of the file, with its extension; may be a path
	Data []byte
	// File is that of a Format that reads in parts, where it stands in a folder: Data is nil then.
	File *File
	// Piped is a member of an archive that is too large to be held, as it is unpacked; Data is its beginning. Nil of other files.
	Piped io.Reader
	// Before is what was read of the file when it was shorter, with its State: Read goes on there, and returns all. Nil if all is
	// to be read.
	Before *Document
	// Inner takes out the text of a file within this one (see Open) by its own Format,
	// or as text. The error wraps one of the above, or tells why not.
	Inner func(ctx context.Context, in *Input) (*Document, error)
	// Encoding names that of old text in the file, "" where its letters tell.
	Encoding string
	// Secrets has files read that hold secrets; see package secret.
	Secrets bool
	// Browsers has the history and the bookmarks of a browser read: they were asked for.
	Browsers bool

	depth int      // files that this one is within
	only  bool     // see Only
	lacks []string // what was cut out of its text
	left  *budget
	held  *[]string
}

// File is an open file of a folder.
type File struct {
	io.ReaderAt
	Path string // absolute
	Info fs.FileInfo
	// Beside is open, the file that Format.Beside names. It is nil where that file does not exist.
	Beside io.ReaderAt
}

// Extension returns that of a file's name, in lower case and without the dot; "" where it has none.
func Extension(name string) string {
	return strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
}

// NewInput returns the Input of a file within limits, which its files share.
func NewInput(name string, data []byte, limits Limits) *Input {
	return &Input{Name: name, Data: data, left: newBudget(limits), held: &[]string{}}
}

// At returns what parts of the file are read by, and how long it is.
func (in *Input) At() (io.ReaderAt, int64) {
	if in.File != nil {
		return in.File, in.File.Info.Size()
	}
	return bytes.NewReader(in.Data), int64(len(in.Data))
}

// Open takes out the text of a file within this one by Inner.
func (in *Input) Open(ctx context.Context, name string, data []byte) (*Document, error) {
	inner, err := in.Within(name, data)
	if err != nil {
		return nil, err
	}
	return in.Inner(ctx, inner)
}

// headOfPiped is how much of a piped file its Format is recognised by.
const headOfPiped = 8 << 10

// OpenPiped is Open for a file that is too large to be held. The error wraps ErrBounds where its Format cannot read it as it comes.
func (in *Input) OpenPiped(ctx context.Context, name string, r io.Reader) (*Document, error) {
	r = in.Unpacking(r)
	head := make([]byte, headOfPiped)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	inner, err := in.Within(name, head[:n])
	if err != nil {
		return nil, err
	}
	inner.Piped = io.MultiReader(bytes.NewReader(head[:n]), r)
	return in.Inner(ctx, inner)
}

// Reader returns what reads the file from its beginning.
func (in *Input) Reader() io.Reader {
	if in.Piped != nil {
		return in.Piped
	}
	at, size := in.At()
	return io.NewSectionReader(at, 0, size)
}

// OpenOnly is Open for a file that is all that this one holds, packed.
func (in *Input) OpenOnly(ctx context.Context, name string, data []byte) (*Document, error) {
	inner, err := in.Within(name, data)
	if err != nil {
		return nil, err
	}
	inner.only = in.depth == 0
	return in.Inner(ctx, inner)
}

// Only reports whether a file is all that a packed file of a folder holds, so that the document is that of both.
func (in *Input) Only() bool { return in.only }

// Forget frees the bytes of a file within another one once they are not needed any more.
func (in *Input) Forget() {
	if in.depth > 0 {
		in.Data = nil
	}
}

// Bare is the name of a text that a Format goes on to read: no Format takes it, and its lines are those of the file.
const Bare = "part.text"

// Text decodes data as a file of text is decoded that has no kind: by its mark, or as UTF-8, or by
// Encoding, or as it is guessed, and cuts encoded runs out of it, but for the line ends in them. The error is of Open, and ErrOther where data is of another kind.
func (in *Input) Text(ctx context.Context, data []byte) (string, error) {
	d, err := in.Open(ctx, Bare, data)
	if err != nil {
		return "", err
	}
	if d.Kind != Text {
		return "", ErrOther
	}
	if d.Lacking != "" {
		in.lacks = []string{d.Lacking}
	}
	return strings.TrimPrefix(d.inLines(), "\ufeff"), nil
}

// Hold notes that this file holds a secret, in words that follow "with": it, or the file that it is within, is left out
// for that, or is shown to nobody else.
func (in *Input) Hold(what string) { *in.held = append(*in.held, what) }

// Held returns the secrets noted by Hold in the file and in files within it.
func (in *Input) Held() []string { return *in.held }

// Within returns the Input of a file within this one. The error is ErrBounds.
func (in *Input) Within(name string, data []byte) (*Input, error) {
	inner := &Input{Name: name, Data: data, Inner: in.Inner, Encoding: in.Encoding, Secrets: in.Secrets, depth: in.depth + 1, left: in.left, held: in.held}
	if inner.depth > in.left.Depth {
		return nil, fmt.Errorf("%s: %w", name, in.left.meet(depthLimit(in.left.Depth)))
	}
	if in.left.Members--; in.left.Members < 0 {
		return nil, fmt.Errorf("%s: %w", name, in.left.meet(membersLimit(in.left.whole.Members)))
	}
	return inner, nil
}

// Builder returns what puts the text of this file together.
func (in *Input) Builder() *Builder { return &Builder{left: in.left, lacks: in.lacks} }
