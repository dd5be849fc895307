package markup

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/indexer/extract/htmltext"
	"dowse/indexer/extract/prose"
)

// xmlExtensions are those of documents that are written in XML. What is named otherwise has to say that it is.
var xmlExtensions = []string{"xml", "rss", "atom", "fb2", "opml", "dbk", "docbook", "tei", "dita", "plist", "kml", "gpx", "svg"}

// isXML reports whether a file begins as a document in XML.
func isXML(name string, head []byte) bool {
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff")))
	return slices.Contains(xmlExtensions, document.Extension(name)) && bytes.HasPrefix(head, []byte("<")) && !bytes.Contains(head, []byte("<office:document"))
}

// isBook are the extensions of what only people read, however short its sentences are.
var isBook = map[string]bool{"rss": true, "atom": true, "opml": true, "dbk": true, "docbook": true, "tei": true, "dita": true}

// Shares of a file that sentences take where it is a document: others are for programs, and read as they stand
// unless that is one line.
const (
	xmlProse     = 0.1
	xmlLineProse = 0.03
	xmlLine      = 1000 // mean bytes of a line that nobody reads
)

// readXML reads a document in XML by what it says: the text of its elements, titles as headings, attributes
// by their names. The error is document.ErrOther for XML that is written for programs.
func readXML(ctx context.Context, in *document.Input) (*document.Document, error) {
	kind := xmlKinds[document.Extension(in.Name)]
	text, err := string(in.Data), error(nil)
	if kind.format == "" || !utf8.Valid(in.Data) { // Text refuses a drawing that is mostly numbers
		if text, err = in.Text(ctx, in.Data); err != nil {
			return nil, err
		}
	}
	r := &xmlReader{writer: newWriter(in), source: text, line: 1, top: -1, kind: kind}
	meta := document.Meta{}
	if r.kind.said != nil {
		meta = r.kind.said(r.writer, text)
	}
	if err := r.read(ctx); err != nil {
		return nil, err
	}
	meta.Title = cmp.Or(meta.Title, r.title)
	d := r.document(cmp.Or(r.kind.format, "xml"), meta)
	if r.kind.format != "" {
		return d, r.kind.missing(d)
	}
	least := xmlProse
	if len(text) > xmlLine*(1+strings.Count(text, "\n")) {
		least = xmlLineProse
	}
	if !isBook[document.Extension(in.Name)] && sentences(d.Text)-sentences(r.comments.String()) < least*float64(len(text)) {
		return nil, document.ErrOther
	}
	return d, nil
}

// sentences returns how many bytes of a text stand in sentences.
func sentences(text string) float64 { return prose.Share(text) * float64(len(text)) }

// xmlReader is the state between two tokens.
type xmlReader struct {
	*writer
	kind     xmlKind
	skipping int // elements that are open and passed over
	source   string
	at, line int // counted up to
	open     []string
	text     strings.Builder // of the paragraph
	anchor   int             // how many elements are open where it stands, 0 without a paragraph
	element  string          // the one that it began in
	closed   bool            // that is not open any more
	shift    document.Shift  // of the text that comes
	names    []string        // attributes that wait for the text of their element
	values   []string
	comments strings.Builder // settings have many
	title    string
	top      int // the depth of the first title
}

// read reads all tokens. Broken markup is document.ErrOther.
func (r *xmlReader) read(ctx context.Context) error {
	decoder := xml.NewDecoder(strings.NewReader(r.source))
	decoder.Strict = false
	decoder.Entity = xml.HTMLEntity
	decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is decoded
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		from := int(decoder.InputOffset())
		token, err := decoder.RawToken()
		if errors.Is(err, io.EOF) {
			r.flush()
			return nil
		}
		if err != nil {
			return document.ErrOther
		}
		switch t := token.(type) {
		case xml.StartElement:
			r.start(t, from)
		case xml.EndElement:
			r.end()
		case xml.CharData:
			r.addText(string(t), from)
		case xml.Comment:
			r.flush()
			r.moved(from)
			r.Paragraph(string(t))
			r.comments.Write(t)
		}
	}
}

// moved notes the offset of the source that the next text comes from.
func (r *xmlReader) moved(offset int) {
	r.line += strings.Count(r.source[r.at:offset], "\n")
	r.at = offset
	r.from(r.line)
}

// start enters an element. Within a paragraph it is a part of a sentence.
func (r *xmlReader) start(t xml.StartElement, at int) {
	if r.skipping > 0 || r.kind.skip[t.Name.Local] {
		r.skipping++
		return
	}
	if r.closed || r.anchor == 0 || isParagraph[strings.ToLower(t.Name.Local)] {
		r.flush()
		r.moved(at)
		for _, a := range t.Attr {
			if value := strings.TrimSpace(a.Value); r.kind.format == "" && isSaid(a.Name, value) {
				r.names, r.values = append(r.names, a.Name.Local), append(r.values, value)
			}
		}
	} else {
		r.part(t)
	}
	r.open = append(r.open, t.Name.Local)
}

// part enters an element within a sentence.
func (r *xmlReader) part(t xml.StartElement) {
	if isApart[strings.ToLower(t.Name.Local)] {
		r.text.WriteString(" ")
	}
	r.shift = document.ShiftNamed(t.Name.Local)
	for _, a := range t.Attr {
		switch {
		case (a.Name.Local == "rend" || a.Name.Local == "rendition") && t.Name.Local == "hi": // of TEI
			r.shift = document.ShiftNamed(strings.TrimPrefix(a.Value, "simple:"))
		case a.Name.Local == "alt": // of a picture
			r.text.WriteString(" " + strings.TrimSpace(a.Value) + " ")
		case a.Name.Local == "type" && a.Value == "note": // FictionBook's link to one, a number
			r.text.WriteString(" ")
		}
	}
}

// end leaves the innermost element.
func (r *xmlReader) end() {
	r.shift = document.OnLine
	if r.skipping > 0 {
		r.skipping--
		return
	}
	if r.anchor == len(r.open) {
		r.closed = true
	}
	ended := false
	if n := len(r.open); n > 0 {
		ended = r.closed && isParagraph[strings.ToLower(r.open[n-1])]
		r.open = r.open[:n-1]
	}
	if ended || len(r.values) > 0 && r.anchor == 0 {
		r.flush()
	}
}

// addText adds text to the paragraph. Behind an element that begins a sentence it continues that sentence.
func (r *xmlReader) addText(text string, at int) {
	if r.skipping > 0 {
		return
	}
	if strings.TrimSpace(text) == "" {
		r.text.WriteString(" ")
		return
	}
	if r.anchor == 0 || r.closed {
		if r.anchor == 0 {
			r.moved(at)
			r.text.Reset()
			r.element = r.innermost()
		}
		r.anchor, r.closed = len(r.open), false
	}
	r.text.WriteString(r.shift.Mark(r.text.String(), text) + text)
	r.shift = document.OnLine
}

// innermost returns the name of the element that was opened last; of a paragraph in a title, that of the title.
func (r *xmlReader) innermost() (name string) {
	for i := len(r.open) - 1; i >= 0; i-- {
		if name = strings.ToLower(r.open[i]); name != "p" || i == 0 || r.open[i-1] != "title" {
			break
		}
	}
	return name
}

// flush writes the attributes and the paragraph that are at hand.
func (r *xmlReader) flush() {
	text, element, depth := strings.TrimSpace(r.text.String()), r.element, r.anchor
	if len(r.values) > 0 {
		r.Row(r.names, r.values)
		r.EndRows()
	}
	r.text.Reset()
	r.anchor, r.closed, r.names, r.values = 0, false, nil, nil
	switch {
	case text == "" || depth == 0 || element == "binary":
	case strings.Contains(text, "</") || strings.Contains(text, "/>"): // a page, as feeds and notes hold them
		page, _ := htmltext.Read(text)
		r.Append(&document.Document{Text: page, Kind: document.HTML})
	case element == "title" || element == "head" || r.kind.titles[element]:
		if r.title == "" {
			r.title, r.top = strings.Join(strings.Fields(text), " "), depth
		}
		r.Heading(1+depth-r.top, text)
	case isVerbatim[element]:
		r.Code("", text)
	default:
		r.Paragraph(text)
	}
}

// isParagraph are elements that begin one wherever they stand.
var isParagraph = map[string]bool{
	"p": true, "para": true, "simpara": true, "title": true, "head": true, "section": true, "div": true, "li": true, "item": true,
	"listitem": true, "row": true, "entry": true, "programlisting": true, "screen": true, "code-block": true,
}

// isApart are elements within a sentence that no word goes on behind: notes, and ends of lines.
var isApart = map[string]bool{"note": true, "footnote": true, "fn": true, "noteref": true, "footnoteref": true, "lb": true, "br": true}

// isVerbatim are those whose lines stay.
var isVerbatim = map[string]bool{"programlisting": true, "screen": true, "literallayout": true, "codeblock": true}

// notSaid are attributes that speak to programs.
var notSaid = []string{"id", "class", "style", "rel", "type", "lang", "space", "version", "encoding", "rend", "role", "content-type"}

// isSaid reports whether an attribute says something to a person: it has a word or a number as long as those of telephones.
func isSaid(name xml.Name, value string) bool {
	if name.Space == "xmlns" || name.Local == "xmlns" || slices.Contains(notSaid, strings.ToLower(name.Local)) || value == "null" || value == "true" || value == "false" {
		return false
	}
	letters, digits := 0, 0
	for _, c := range value {
		if unicode.IsLetter(c) {
			letters++
		} else if unicode.IsDigit(c) {
			digits++
		}
	}
	const shortNumber = 4
	return letters > 1 || digits > shortNumber
}
