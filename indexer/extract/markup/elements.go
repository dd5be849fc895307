package markup

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// rootOf returns the name of the first element of a document in XML, without its namespace; "" where it is none.
func rootOf(head []byte) string {
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(head, []byte("\ufeff"))))
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	for range 20 { // a declaration, comments, styles
		token, err := d.RawToken()
		if err != nil {
			return ""
		}
		if start, is := token.(xml.StartElement); is {
			return start.Name.Local
		}
	}
	return ""
}

// elements is what reads the elements of a kind of XML. Names are without namespaces.
type elements interface {
	start(name string, attribute func(name string) string)
	text(text string)
	end(name string)
}

// readElements reads XML in its order, and notes the line of each element with note. What follows damage is lacking.
func (w *writer) readElements(ctx context.Context, source string, to elements, note func(line int)) error {
	d := xml.NewDecoder(strings.NewReader(source))
	d.Strict, d.Entity = false, xml.HTMLEntity
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is decoded
	line, at := 1, 0
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		offset := int(d.InputOffset())
		line += strings.Count(source[at:offset], "\n")
		at = offset
		token, err := d.RawToken()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			w.Lack("what follows a damaged element")
			return nil
		case !w.Step(1) || w.Full():
			return nil
		}
		switch t := token.(type) {
		case xml.StartElement:
			note(line)
			to.start(t.Name.Local, func(name string) string {
				for _, a := range t.Attr {
					if strings.EqualFold(a.Name.Local, name) {
						return strings.TrimSpace(a.Value)
					}
				}
				return ""
			})
		case xml.EndElement:
			to.end(t.Name.Local)
		case xml.CharData:
			to.text(string(t))
		}
	}
}

// spaced returns a text in one line.
func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }
