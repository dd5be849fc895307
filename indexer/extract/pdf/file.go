package pdf

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"dowse/indexer/document"

	"github.com/dustin/go-humanize"
)

// file is a PDF file as it was read.
type file struct {
	meta     document.Meta
	pages    []page
	outline  []entry
	attached []attachment
}

// page is one page as it was read.
type page struct {
	label    string // "iv"; "" where it is the number
	segments []segment
	notes    []string    // what was written onto it
	fields   [][2]string // of a form: name and value
	picture  bool        // that it is one, of a text perhaps
	scanned  string      // what OCR read of that: paragraphs
}

// entry is one of the outline.
type entry struct {
	title string
	level int // 1 for the outermost
	page  int // from 0; -1 where it leads nowhere
}

// Codes of FPDF_GetLastError.
const (
	codePassword = 4
	codeSecurity = 5
)

// load opens a document. The error is document.ErrEncrypted, or says that it is damaged.
func load(p *instance, data []byte) (doc uint64, err error) {
	at := p.put(data)
	doc = p.call("FPDF_LoadMemDocument", uint64(at), uint64(len(data)), 0)
	if p.err != nil {
		return 0, p.err
	}
	if doc == 0 {
		switch code := p.call("FPDF_GetLastError"); code {
		case codePassword, codeSecurity:
			return 0, document.ErrEncrypted
		default:
			return 0, fmt.Errorf("PDFium cannot open it (error %d)", code)
		}
	}
	return doc, nil
}

// readFile reads all pages of a file. A page that is damaged is left out.
func readFile(p *instance, in *document.Input) (*file, error) {
	doc, err := load(p, in.Data)
	if err != nil {
		return nil, err
	}
	f := &file{meta: readMeta(p, doc), outline: readOutline(p, doc)}
	pages := p.count("FPDF_GetPageCount", doc)
	if most := pagesOf(len(in.Data)); pages > most {
		pages = most
		_ = in.Meet(humanize.Comma(int64(most)) + " pages")
	}
	left := budget{chars: min(in.Room(), 16<<20), segments: 1 << 20, objects: 4 << 20}
	for i := range pages {
		if p.err != nil {
			break
		}
		if limit := left.met(); limit != "" {
			_ = in.Meet(limit)
			break
		}
		f.pages = append(f.pages, readPage(p, doc, i, &left))
	}
	f.attached = readAttachments(p, doc)
	if errors.Is(p.err, errMemory) && len(f.pages) > 1 { // the pages before are whole
		f.pages = f.pages[:len(f.pages)-1]
		_ = in.Meet(document.Met(p.err))
		return f, nil
	}
	return f, p.err
}

// A page takes some hundred bytes of a file, if only to say that it is one; a file may name one page again and again.
const (
	anyPages = 1000
	pageSize = 256
)

// pagesOf returns how many pages are read of a file of some bytes.
func pagesOf(size int) int { return anyPages + size/pageSize }

// hasText reports whether some page has text.
func (f *file) hasText() bool {
	return slices.ContainsFunc(f.pages, func(pg page) bool { return len(pg.segments)+len(pg.notes)+len(pg.fields)+len(pg.scanned) > 0 })
}

// budget bounds the rest of a file: more than the longest books have.
type budget struct{ chars, segments, objects int }

// met returns the limit that was met, "" where none was. Objects are counted for what they say beside their letters.
func (b *budget) met() string {
	switch {
	case b.chars <= 0:
		return "letters of its pages that one of its size may have"
	case b.segments <= 0:
		return "1,048,576 runs of letters"
	}
	return ""
}

func readPage(p *instance, doc uint64, i int, left *budget) page {
	pg := page{label: p.text("FPDF_GetPageLabel", doc, uint64(i))}
	if pg.label == strconv.Itoa(i+1) {
		pg.label = ""
	}
	handle := p.call("FPDF_LoadPage", doc, uint64(i))
	if handle == 0 {
		return pg
	}
	chars := 0
	says := readActual(p, handle, left)
	if text := p.call("FPDFText_LoadPage", handle); text != 0 {
		chars = p.count("FPDFText_CountChars", text)
		pg.segments = readSegments(p, text, says, left)
		p.call("FPDFText_ClosePage", text)
	}
	if len(pg.segments) == 0 {
		chars = 0
	}
	chars += says.drawnChars()
	pg.picture = isPicture(p, handle, chars)
	readAnnotations(p, handle, &pg)
	p.call("FPDF_ClosePage", handle)
	return pg
}

// readMeta reads what the file says of itself.
func readMeta(p *instance, doc uint64) document.Meta {
	get := func(key string) (value string) {
		p.named(key, func(at uint64) { value = p.text("FPDF_GetMetaText", doc, at) })
		return tidy(value)
	}
	m := document.Meta{Title: get("Title"), Tags: list(get("Keywords"), ",;"), Date: date(get("CreationDate"))}
	m.Authors = list(get("Author"), ";")
	return m.Said()
}

// list splits what several are named in.
func list(s, separators string) (out []string) {
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if part = strings.TrimSpace(part); part != "" && len(out) < 64 {
			out = append(out, part)
		}
	}
	return out
}

// date reads D:20200131120000+01'00', of which all behind the year may be missing; the
// zero time where it is none.
func date(s string) time.Time {
	s = strings.TrimPrefix(s, "D:")
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	clock, zone := s[:digits], strings.ReplaceAll(s[digits:], "'", "")
	const layout = "20060102150405"
	for n := min(len(clock), len(layout)); n >= 4; n-- {
		at, err := time.Parse(layout[:n], clock[:n])
		if err != nil {
			continue
		}
		if offset, err := time.Parse("-0700", zone); err == nil {
			_, seconds := offset.Zone()
			at = at.Add(-time.Duration(seconds) * time.Second)
		}
		return at.UTC()
	}
	return time.Time{}
}

// Bounds of an outline, which may lead back to itself.
const (
	maxEntries = 10_000
	maxLevel   = 16
)

// readOutline reads the outline, depth first.
func readOutline(p *instance, doc uint64) (out []entry) {
	type open struct {
		handle uint64
		level  int
	}
	seen := map[uint64]bool{}
	stack := []open{{p.call("FPDFBookmark_GetFirstChild", doc, 0), 1}}
	for len(stack) > 0 && len(out) < maxEntries && p.err == nil {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if top.handle == 0 || seen[top.handle] {
			continue
		}
		seen[top.handle] = true
		e := entry{title: tidy(p.text("FPDFBookmark_GetTitle", top.handle)), level: top.level, page: -1}
		dest := p.call("FPDFBookmark_GetDest", doc, top.handle)
		if dest == 0 {
			if action := p.call("FPDFBookmark_GetAction", top.handle); action != 0 {
				dest = p.call("FPDFAction_GetDest", doc, action)
			}
		}
		if dest != 0 {
			e.page = int(int32(uint32(p.call("FPDFDest_GetDestPageIndex", doc, dest))))
		}
		if e.title != "" {
			out = append(out, e)
		}
		stack = append(stack, open{p.call("FPDFBookmark_GetNextSibling", doc, top.handle), top.level})
		if top.level < maxLevel {
			stack = append(stack, open{p.call("FPDFBookmark_GetFirstChild", doc, top.handle), top.level + 1})
		}
	}
	return out
}
