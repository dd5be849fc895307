package office

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"dowse/indexer/document"

	"github.com/dustin/go-humanize"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// element is the beginning of an element of XML. Names are without their prefixes, so
// that both spaces of names of Office (transitional, strict) are read alike.
type element struct {
	prefix, name string
	attributes   []xml.Attr
}

// attribute returns the value of the first attribute of a name, "" where there is none.
func (e element) attribute(name string) string {
	for _, a := range e.attributes {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// number returns an attribute as a number, or otherwise.
func (e element) number(name string, otherwise int) int {
	if n, err := strconv.Atoi(e.attribute(name)); err == nil {
		return n
	}
	return otherwise
}

// on reports what an element of Word's says that is there to switch something on.
func (e element) on() bool {
	switch e.attribute("val") {
	case "0", "false", "off":
		return false
	}
	return true
}

// events is told what stands in a part, in its order. What was left out with skip
// is not told.
type events interface {
	start(e element) (skip bool) // skip leaves out the element and all in it
	end(name string)
	text(s string)
}

// counter counts the elements that are read of a file; see document.Input.Step.
type counter interface{ Step(n int) bool }

// readXML tells events what stands in data, up to the limits of the file. Entities beyond those of XML itself stay as they
// are written, and nothing outside of data is ever read. The depth of elements costs nothing.
func readXML(ctx context.Context, of counter, data []byte, to events) error {
	if longest(data) > document.DefaultLimits.Text { // all of it would be held several times
		return document.Bounds(humanize.IBytes(uint64(document.DefaultLimits.Text)) + " without markup")
	}
	decoder := xml.NewDecoder(bytes.NewReader(cleanXML(data)))
	decoder.Strict = false
	decoder.CharsetReader = charsetReader
	skipping := 0 // elements that are open within one that is left out
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !of.Step(1) {
			return nil
		}
		token, err := decoder.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if skipping > 0 || to.start(element{t.Name.Space, t.Name.Local, t.Attr}) {
				skipping++
			}
		case xml.EndElement:
			if skipping > 0 {
				skipping--
			} else {
				to.end(t.Name.Local)
			}
		case xml.CharData:
			if skipping == 0 {
				to.text(string(t))
			}
		}
	}
}

// longest returns the length of the longest stretch without a tag.
func longest(data []byte) int {
	most := 0
	for len(data) > 0 {
		n := bytes.IndexByte(data, '<')
		if n < 0 {
			n = len(data) - 1
		}
		most = max(most, n)
		data = data[n+1:]
	}
	return most
}

// each tells fn the elements of a part.
func (p *parts) each(ctx context.Context, name string, fn func(e element)) error {
	return p.events(ctx, name, elements(fn))
}

// events tells what stands in a part.
func (p *parts) events(ctx context.Context, name string, to events) error {
	data, err := p.read(name)
	if err != nil {
		return err
	}
	if err := readXML(ctx, p.in, data, to); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// elements are events of which only the beginnings of elements matter.
type elements func(e element)

func (f elements) start(e element) bool { f(e); return false }
func (elements) end(string)             {}
func (elements) text(string)            {}

// cleanXML returns data in UTF-8, without what no XML may contain, which would make all
// of it unreadable.
func cleanXML(data []byte) []byte {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		if wide, _, err := transform.Bytes(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder(), data); err == nil {
			data = wide
		}
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	for i, c := range data {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' {
			data[i] = ' '
		}
	}
	if declared := data[:min(len(data), 100)]; !utf8.Valid(data) && !bytes.Contains(declared, []byte("encoding")) {
		return bytes.ToValidUTF8(data, []byte("\ufffd"))
	}
	return data
}

// charsetReader reads what a part says it is written in.
func charsetReader(label string, r io.Reader) (io.Reader, error) {
	if strings.HasPrefix(strings.ToLower(label), "utf-16") {
		return r, nil // cleanXML has read it
	}
	encoding, err := htmlindex.Get(label)
	if err != nil {
		return nil, err
	}
	return encoding.NewDecoder().Reader(r), nil
}
