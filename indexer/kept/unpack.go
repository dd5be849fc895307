package kept

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"dowse/indexer/document"
)

// ErrDamaged is the error of bytes that Pack did not return.
var ErrDamaged = errors.New("kept text is damaged")

// mostBytes bounds each length that is read, so that a damaged one asks for no more
// memory than a document can have.
const mostBytes = 1 << 30

// Unpack returns the document that was packed; one that was packed before secrets were looked for is said to hold
// one. The error wraps ErrDamaged.
func Unpack(packed []byte) (*document.Document, error) {
	if len(packed) == 0 || packed[0] < withoutMark || packed[0] > layout {
		return nil, fmt.Errorf("%w: it has another layout", ErrDamaged)
	}
	stream := flate.NewReader(bytes.NewReader(packed[1:]))
	r := &reader{from: bufio.NewReader(stream), layout: packed[0]}
	d := r.document()
	if r.err == nil {
		if _, err := r.from.ReadByte(); !errors.Is(err, io.EOF) {
			r.fail(fmt.Errorf("bytes behind the text, %w", err))
		}
	}
	if r.err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, r.err)
	}
	return d, nil
}

// reader reads the fields of a document. The first that does not fit makes it fail;
// later reads give zeroes.
type reader struct {
	from   *bufio.Reader
	layout byte
	err    error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reader) document() *document.Document {
	kind, err := r.from.ReadByte()
	if err != nil || kind > byte(document.Log) {
		r.fail(fmt.Errorf("kind %d, %w", kind, errors.Join(err, io.ErrUnexpectedEOF)))
	}
	secret := byte(1)
	if r.layout >= withoutState {
		if secret, err = r.from.ReadByte(); err != nil || secret > 1 {
			r.fail(fmt.Errorf("mark %d, %w", secret, errors.Join(err, io.ErrUnexpectedEOF)))
		}
	}
	d := &document.Document{Kind: document.Kind(kind), Secret: secret == 1, Format: r.text(), Language: r.text(), Charset: r.text()}
	offset := 0
	for range r.number() {
		offset += r.number()
		p := document.Place{Offset: offset}
		for range r.number() {
			p.Parts = append(p.Parts, document.Part{Unit: document.Unit(r.text()), Number: r.number(), Name: r.text()})
			if r.err != nil {
				return nil
			}
		}
		if d.Places = append(d.Places, p); r.err != nil {
			return nil
		}
	}
	marks := r.marks()
	if r.layout >= layout {
		if state := r.text(); state != "" {
			d.State = []byte(state)
		}
	}
	d.Text = r.text()
	if marks != nil {
		d.MarkLines(marks)
	} else {
		d.CountLines()
	}
	return d
}

// marks reads where the lines of the file stand.
func (r *reader) marks() (marks []document.LineMark) {
	last := document.LineMark{}
	for range r.number() {
		last.Offset += int32(r.difference())
		last.Line += int32(r.difference())
		if marks = append(marks, last); r.err != nil {
			return nil
		}
	}
	return marks
}

// number reads a length, a count or an offset.
func (r *reader) number() int {
	if r.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(r.from)
	if err == nil && n > mostBytes {
		err = fmt.Errorf("a length of %d", n)
	}
	if err != nil {
		r.fail(err)
		return 0
	}
	return int(n)
}

func (r *reader) difference() int64 {
	if r.err != nil {
		return 0
	}
	n, err := binary.ReadVarint(r.from)
	if err != nil {
		r.fail(err)
	}
	return n
}

// text reads a string. Its memory grows with what is there, not with what a damaged
// length says.
func (r *reader) text() string {
	n := r.number()
	if n == 0 {
		return ""
	}
	var b strings.Builder
	b.Grow(min(n, 1<<20))
	if _, err := io.CopyN(&b, r.from, int64(n)); err != nil {
		r.fail(err)
		return ""
	}
	return b.String()
}
