package htmltext

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"dowse/indexer/document"
	"dowse/internal/pattern"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Read returns the text that a reader of the page sees, in the structure of
// Markdown, and the way back to the lines of the source.
func Read(source string) (string, []document.LineMark) {
	r := &htmlReader{tokens: html.NewTokenizer(strings.NewReader(source)), line: 1}
	r.wantTitle = !HasTag(source, "<h1")
	for {
		kind := r.tokens.Next()
		// Every token is a stretch of the source, so that counting their line
		// ends gives the position, which the tokenizer does not tell.
		raw := r.tokens.Raw()
		switch kind {
		case html.ErrorToken:
			if !errors.Is(r.tokens.Err(), io.EOF) { // only a reader fails otherwise
				r.out.words(string(raw), &r.line)
			}
			r.readings()
			return r.out.finish()
		case html.TextToken:
			if r.skipped == 0 {
				r.text(string(raw))
				continue // has counted the lines
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := r.tokens.TagName()
			r.start(atom.Lookup(name), more, kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			name, _ := r.tokens.TagName()
			r.end(atom.Lookup(name))
		}
		r.line += bytes.Count(raw, []byte("\n"))
	}
}

// HasTag looks for a tag ("<h1") without building a lower-case copy of the page.
func HasTag(source, tag string) bool {
	for i := strings.IndexByte(source, '<'); i >= 0; {
		if len(source)-i >= len(tag) && strings.EqualFold(source[i:i+len(tag)], tag) {
			return true
		}
		next := strings.IndexByte(source[i+1:], '<')
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

// htmlReader is the state between two tokens.
type htmlReader struct {
	tokens    *html.Tokenizer
	line      int // of the source, at the beginning of the token
	out       textWriter
	skipping  atom.Atom // the element whose content is left out
	skipped   int       // how often it is open; 0 when nothing is left out
	pre       int       // open <pre> elements
	inTitle   bool
	wantTitle bool // the page has no <h1>: its title becomes the heading
	lists     []list
	tables    []table
	cells     int // in this table row

	deepTables int // beyond maxTables
	ruby       ruby
	link, sup  bool // within a link, or what is raised
}

// text takes the text between two tags.
func (r *htmlReader) text(raw string) {
	switch {
	case r.pre > 0:
		r.out.verbatim(raw, &r.line)
	case r.inTitle && !r.wantTitle:
		r.line += strings.Count(raw, "\n")
	case r.ruby.takes(raw):
		r.line += strings.Count(raw, "\n")
	default:
		r.out.words(raw, &r.line)
	}
}

func (r *htmlReader) start(tag atom.Atom, attributes, selfClosing bool) {
	if r.skipped > 0 {
		r.startSkipped(tag)
		return
	}
	values := r.attributes(tag, attributes)
	r.ruby.start(tag)
	if !selfClosing {
		r.mark(tag, values)
	}
	if !selfClosing && (isNoise[tag] || values["role"] == "navigation") {
		r.skipping, r.skipped = tag, 1
		return
	}
	switch tag {
	case atom.Title:
		r.inTitle = true
		r.out.block(2, "# ")
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		r.out.block(2, strings.Repeat("#", headingLevel(tag))+" ")
	case atom.Pre:
		if r.out.inline {
			break
		}
		if r.pre++; r.pre == 1 {
			r.out.fence(r.line)
		}
	case atom.Ul, atom.Ol:
		r.openList(tag)
	case atom.Li:
		r.item()
	case atom.Table:
		r.openTable()
		r.block(tag)
	case atom.Tr:
		r.beginRow()
	case atom.Td, atom.Th:
		r.cell(tag, values)
	case atom.Br, atom.Dt, atom.Dd:
		r.out.block(1, "")
	case atom.Mi, atom.Mn, atom.Mo, atom.Mtext, atom.Ms, atom.Annotation: // parts of a formula, which none of them joins
		r.out.space = true
	case atom.Img:
		line := r.line
		r.out.words(" "+html.EscapeString(values["alt"])+" ", &line)
	default:
		r.block(tag)
	}
}

// noteLink are the types, roles and classes of links to notes.
var noteLink = pattern.New(`(?i)\b(?:doc-)?(?:noteref|footnote|endnote)`)

// mark sets the mark of a footnote apart from the word before: a raised link, or one that says what it is.
func (r *htmlReader) mark(tag atom.Atom, values map[string]string) {
	switch tag {
	case atom.A:
		r.link = true
		if values != nil && noteLink.MatchString(values["epub:type"]+" "+values["role"]+" "+values["class"]) {
			r.out.space = true
		}
	case atom.Sup:
		r.sup, r.out.shift = true, document.Raised
	case atom.Sub:
		r.out.shift = document.Lowered
	default:
		return
	}
	if r.link && r.sup {
		r.out.space = true
	}
}

// startSkipped sees a tag inside of an element that is left out. What begins the
// content of a page ends it, lest an element that is never closed hides the
// rest.
func (r *htmlReader) startSkipped(tag atom.Atom) {
	switch tag {
	case r.skipping:
		r.skipped++
	case atom.Main, atom.Article, atom.H1, atom.Body:
		r.skipped = 0
		r.start(tag, true, false)
	}
}

func (r *htmlReader) end(tag atom.Atom) {
	if r.skipped > 0 {
		if tag == r.skipping {
			r.skipped--
		}
		return
	}
	r.ruby.end(tag)
	switch tag {
	case atom.A:
		r.link = false
	case atom.Sup, atom.Sub:
		r.sup, r.out.shift = false, document.OnLine
	case atom.Title:
		r.inTitle = false
		r.out.block(2, "")
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		r.out.block(2, "")
	case atom.Pre:
		if r.pre > 0 {
			if r.pre--; r.pre == 0 {
				r.out.endFence()
			}
		}
	case atom.Ul, atom.Ol:
		if len(r.lists) > 0 {
			r.lists = r.lists[:len(r.lists)-1]
		}
		r.out.dropItem()
		r.out.block(2-min(1, len(r.lists)), "")
	case atom.Li:
		r.out.dropItem()
		r.out.block(1, "")
	case atom.Tr:
		r.endRow()
		r.out.block(1, "")
	case atom.Table:
		r.closeTable()
		r.block(tag)
	default:
		r.block(tag)
	}
}

// block ends a paragraph at the tags of block elements.
func (r *htmlReader) block(tag atom.Atom) {
	if r.pre == 0 && isBlock[tag] {
		r.readings()
		r.link, r.sup, r.out.shift = false, false, document.OnLine // where their ends are lacking
		r.out.block(2, "")
	}
}

func headingLevel(tag atom.Atom) int {
	for i, h := range [...]atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6} {
		if tag == h {
			return i + 1
		}
	}
	return 0
}

// isNoise are the elements whose content is not part of what a page says.
var isNoise = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Template: true, atom.Noscript: true, atom.Nav: true, atom.Svg: true,
	atom.Iframe: true, atom.Canvas: true, atom.Select: true, atom.Button: true, atom.Datalist: true,
	atom.Audio: true, atom.Video: true,
}

// isBlock are the elements that begin and end a paragraph.
var isBlock = map[atom.Atom]bool{
	atom.P: true, atom.Div: true, atom.Section: true, atom.Article: true, atom.Main: true, atom.Header: true, atom.Footer: true,
	atom.Table: true, atom.Figure: true, atom.Figcaption: true, atom.Address: true, atom.Details: true, atom.Summary: true,
	atom.Fieldset: true, atom.Form: true, atom.Dl: true, atom.Aside: true, atom.Blockquote: true, atom.Hr: true, atom.Body: true,
	atom.Caption: true, atom.Center: true,
}
