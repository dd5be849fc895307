package office

import (
	"context"
	"strings"
	"unicode"

	"dowse/indexer/document"
	"dowse/indexer/extract/htmltext"
)

// running is what stands on many pages, slides or sheets: headers, footers, the texts of masters. Each is said once, behind
// all that is of one page.
type running map[string]bool

// fresh returns those blocks that were not seen before and say something: a number of a page does not.
func (r running) fresh(blocks []block) []block {
	var fresh []block
	for _, b := range blocks {
		text := cellText([]block{b})
		if b.kind == tabular {
			text = cellText(within(b.rows))
		}
		if letters := strings.IndexFunc(text, unicode.IsLetter); letters < 0 || len(text) < 4 || r[text] {
			continue
		}
		r[text] = true
		b.page = 0
		fresh = append(fresh, b)
	}
	return fresh
}

// odfMasters reads the headers and footers of a file of OpenDocument, and what a person put onto the masters of slides:
// not the frames that slides fill.
type odfMasters struct {
	flow    flow
	masters int // open ones
	parts   int // open headers, footers and frames
	fields  int // of the paragraph: numbers, dates and names that the program puts in
}

func (m *odfMasters) start(e element) (skip bool) {
	if e.name == "master-page" {
		m.masters++
	}
	if m.masters == 0 {
		return e.name == "body"
	}
	switch e.name {
	case "notes", "forms", "annotation", "binary-data":
		return true
	case "header", "footer", "header-left", "footer-left", "header-first", "footer-first":
		if e.prefix == "presentation" { // where each slide has its own
			return true
		}
		m.parts++
	case "frame", "custom-shape", "rect", "text-box":
		if class := e.attribute("class"); class != "" && class != "header" && class != "footer" {
			return true // each slide has its own there
		}
	case "page-number", "page-count", "sheet-name", "date", "time", "date-time", "file-name", "title":
		if e.prefix == "text" || e.prefix == "presentation" {
			m.fields++
			return true
		}
	case "p", "h":
		m.flow.beginParagraph(paragraph, 0)
		m.fields = 0
	case "table":
		m.flow.begin(true)
	case "table-row":
		m.flow.beginRow()
	case "table-cell":
		m.flow.beginCell(1, false)
	case "s", "tab", "line-break":
		m.flow.write(" ")
	}
	return false
}

func (m *odfMasters) text(s string) {
	if m.masters > 0 {
		m.flow.write(s)
	}
}

func (m *odfMasters) end(name string) {
	switch name {
	case "master-page":
		m.masters = max(m.masters-1, 0)
	case "p", "h":
		if t := m.flow.top(); t != nil && !t.isTable && m.fields > 0 && isCount(t.text.String()) {
			t.text.Reset()
		}
		m.flow.end(false)
	case "table":
		m.flow.end(true)
	}
}

// isCount reports whether a text is "Page 3 of 7" without its numbers.
func isCount(s string) bool {
	for _, word := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if !countWords[word] {
			return false
		}
	}
	return true
}

// countWords are those beside the numbers of pages.
var countWords = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields("page pages p pg of seite seiten s von sur de pagina página páginas pág pagine di van blatt sheet slide side sida sidan af av strona str z stránka strana ze sivu oldal страница стр из") {
		words[w] = true
	}
	return words
}()

// headerText returns the words of a header or footer of a sheet of Excel, without its codes: &P is the number
// of the page, &"Arial,Bold"&12 how the text looks.
func headerText(s string) string {
	var out strings.Builder
	counts := strings.Contains(s, "&P") || strings.Contains(s, "&N")
	for {
		before, code, found := strings.Cut(s, "&")
		out.WriteString(before)
		if !found || code == "" {
			text := strings.Join(strings.Fields(out.String()), " ")
			if counts && isCount(text) {
				return ""
			}
			return text
		}
		s = code[1:]
		switch c := code[0]; {
		case c == '&':
			out.WriteByte('&')
		case c == 'L' || c == 'C' || c == 'R':
			out.WriteByte(' ')
		case c == '"':
			_, s, _ = strings.Cut(s, `"`)
		case c == 'K':
			s = s[min(len(s), 6):]
		case c >= '0' && c <= '9':
			s = strings.TrimLeft(s, "0123456789")
		}
	}
}

// chunk writes a document that Word keeps whole within another one (altChunk): mostly HTML that a program
// put there. One that cannot be read is no part of it.
func chunk(ctx context.Context, in *document.Input, b *document.Builder, name string, data []byte) error {
	if strings.HasSuffix(name, "htm") || strings.HasSuffix(name, "html") || strings.HasSuffix(name, "xhtml") {
		text, _ := htmltext.Read(string(cleanXML(data)))
		b.Append(&document.Document{Text: text, Kind: document.HTML})
		return nil
	}
	d, err := in.Open(ctx, name, data)
	if err != nil {
		return ctx.Err()
	}
	b.Append(d)
	return nil
}
