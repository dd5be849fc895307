package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
)

// Limits bound the work on one file, with all members and attachments in it. They are counts, never times: the same
// bytes meet the same limit on every machine.
type Limits struct {
	Text     int // bytes of text
	Unpacked int // bytes that come out of compressed parts
	Members  int // parts that are opened
	Depth    int // files within files
	Elements int // pieces of structure: tags of markup, cells, rows

	// Those of a file that holds years of conversations; see Input.Widen.
	ManyText, ManyUnpacked int
}

// DefaultLimits are those of the largest files.
var DefaultLimits = Limits{Text: 16 << 20, Unpacked: 256 << 20, Members: 20_000, Depth: 4, Elements: 16 << 20, ManyText: 96 << 20, ManyUnpacked: 1 << 30}

// What a file may hold for each of its bytes, beside what any file may. Text that people wrote is packed to a fifth, tables and
// markup to a fifteenth; of the texts of 300 kB and more in 4,400 files of test collections none had more than 15 bytes for one of its file.
const (
	anyText, textPerByte         = 1 << 20, 64
	anyUnpacked, unpackedPerByte = 48 << 20, 16
	anyElements, elementsPerByte = 2 << 20, 32
)

// LimitsOf returns the limits of a file of some bytes: a small one that unpacks to as much as the largest are was
// made to do so.
func LimitsOf(size int64) Limits {
	size = min(max(size, 0), 1<<30)
	l := DefaultLimits
	l.Text = int(min(int64(l.Text), anyText+textPerByte*size))
	l.Unpacked = int(min(int64(l.Unpacked), anyUnpacked+unpackedPerByte*size))
	l.Elements = int(min(int64(l.Elements), anyElements+elementsPerByte*size))
	l.ManyText = int(min(int64(l.ManyText), anyText+textPerByte*size))
	l.ManyUnpacked = int(min(int64(l.ManyUnpacked), anyUnpacked+unpackedPerByte*size))
	return l
}

// budget is the rest of the Limits of a file.
type budget struct {
	Limits
	whole Limits   // as they were given
	full  bool     // text was left out
	met   []string // the limits that were met, each once, in words that follow "what comes behind"
}

func newBudget(limits Limits) *budget { return &budget{Limits: limits, whole: limits} }

// bounds is an ErrBounds that says which limit was met.
type bounds struct{ limit string }

func (b *bounds) Error() string      { return ErrBounds.Error() + ": more than " + b.limit }
func (*bounds) Is(target error) bool { return target == ErrBounds }

// Bounds returns the ErrBounds of a limit, "64 MiB of a message".
func Bounds(limit string) error { return &bounds{limit} }

// Met returns the limit that an error of Bounds names, "" of another one.
func Met(err error) string {
	var b *bounds
	if errors.As(err, &b) {
		return b.limit
	}
	return ""
}

// meet remembers a limit that was met, and returns its error.
func (b *budget) meet(limit string) error {
	if !slices.Contains(b.met, limit) {
		b.met = append(b.met, limit)
	}
	return Bounds(limit)
}

func depthLimit(n int) string   { return fmt.Sprintf("%d files within each other", n) }
func membersLimit(n int) string { return humanize.Comma(int64(n)) + " parts" }

// step counts elements.
func (b *budget) step(n int) bool {
	if b.full {
		return false
	}
	if b.Elements -= min(n, b.Elements+1); b.Elements < 0 {
		_ = b.meet(humanize.Comma(int64(b.whole.Elements)) + " elements")
		return false
	}
	return true
}

// over reports whether no more may be counted.
func (b *budget) over() bool { return b.Elements < 0 }

// Meet remembers a limit of a Format's own that was met, in words that follow "what comes behind the first", and returns its error.
func (in *Input) Meet(limit string) error { return in.left.meet(limit) }

// Step counts n elements, and reports whether they may be read; see Limits.Elements.
func (in *Input) Step(n int) bool { return in.left.step(n) }

// Unmet returns what the text of the file lacks for the limits that were met, in words that follow "without"; "" where none was.
func (in *Input) Unmet() string {
	if len(in.left.met) == 0 {
		return ""
	}
	return "what comes behind the first " + strings.Join(in.left.met, " and ")
}

// Unpack returns what a reader gives, within what is left of Limits.Unpacked; where more comes, what came before.
// size is what the packed part says of itself, which saves room; it may be wrong. The error wraps ErrBounds or is the reader's.
func (in *Input) Unpack(r io.Reader, size uint64) ([]byte, error) {
	r = in.Unpacking(r)
	data := make([]byte, 0, min(size, uint64(max(in.left.Unpacked, 0)))+bytes.MinRead)
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if errors.Is(err, io.EOF) {
			return data, nil
		}
		if err != nil {
			return data, err
		}
		if len(data) == cap(data) {
			data = slices.Grow(data, bytes.MinRead)
		}
	}
}

// Unpacking is Unpack for a reader that is not read at once.
func (in *Input) Unpacking(r io.Reader) io.Reader { return &unpacking{r, in.left} }

// unpacking counts what comes out of a reader.
type unpacking struct {
	from io.Reader
	left *budget
}

func (u *unpacking) Read(p []byte) (int, error) {
	if u.left.Unpacked <= 0 {
		if n, err := u.from.Read(make([]byte, 1)); n == 0 && err != nil { // just used up
			return 0, err
		}
		return 0, u.left.meetUnpacked()
	}
	n, err := u.from.Read(p[:min(len(p), u.left.Unpacked)])
	u.left.Unpacked -= n
	return n, err
}

func (b *budget) meetUnpacked() error {
	return b.meet(humanize.IBytes(uint64(b.whole.Unpacked)) + " of what is unpacked")
}

// Fits returns an ErrBounds where a part that says how long it is when unpacked, in bytes, may not be.
func (in *Input) Fits(size uint64) error {
	if size > uint64(max(in.left.Unpacked, 0)) {
		return in.left.meetUnpacked()
	}
	return nil
}

// Room returns how many bytes of text may still be written.
func (in *Input) Room() int { return in.left.Text }

// Widen has as much read of the file as of years of conversations. Its Format holds one of them at a time.
func (in *Input) Widen() {
	l := in.left
	l.Text, l.whole.Text = l.Text+max(l.whole.ManyText-l.whole.Text, 0), max(l.whole.ManyText, l.whole.Text)
	l.Unpacked, l.whole.Unpacked = l.Unpacked+max(l.whole.ManyUnpacked-l.whole.Unpacked, 0), max(l.whole.ManyUnpacked, l.whole.Unpacked)
}

// Release gives back bytes of text that were written and are not kept.
func (in *Input) Release(text int) {
	in.left.Text += text
	in.left.full = in.left.full && in.left.Text <= 0
}

// Renew gives back what Limits allow for the size of the next of many files that stand in this one, and as many members as
// any file may have: the messages of a mailbox.
func (in *Input) Renew(size int) {
	l := in.left
	l.Members = l.whole.Members
	l.Unpacked = min(l.whole.Unpacked, max(l.Unpacked, 0)+unpackedPerByte*size)
	l.Elements = min(l.whole.Elements, max(l.Elements, 0)+elementsPerByte*size)
}
