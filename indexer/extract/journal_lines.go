package extract

import (
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
	"dowse/indexer/frontmatter"
)

// journalScanner finds the marks of a text line by line.
type journalScanner struct {
	text            string
	lines, headings bool // whether lines with dates count, and headings of number signs
	marks           []mark

	fence      string // of the open block of code
	afterBlank bool
	dated      bool   // the line before begins with a date
	item       bool   // the last mark is an item
	last       string // line before, without white space
	lastStart  int
}

// scan looks at each line.
func (s *journalScanner) scan(frontMatter bool) {
	start := 0
	if frontMatter {
		start = frontmatter.Read(s.text).End
	}
	s.afterBlank = true
	for start < len(s.text) {
		line, _, _ := strings.Cut(s.text[start:], "\n")
		s.line(start, strings.TrimPrefix(line, "\ufeff"))
		start += len(line) + 1
	}
}

func (s *journalScanner) line(start int, line string) {
	body := strings.TrimSpace(line)
	defer func() {
		s.afterBlank, s.last, s.lastStart = body == "", body, start
		s.dated = s.dated && body != ""
	}()
	switch {
	case s.headings && s.inCode(body), body == "":
	case s.headings && body[0] == '#':
		if level := len(body) - len(strings.TrimLeft(body, "#")); level <= 6 && (level == len(body) || body[level] == ' ') {
			s.heading(start, level, strings.Trim(body[level:], " #"))
		}
	case s.underlined(body):
		s.heading(s.lastStart, strings.IndexByte(underlines, body[0])+1, s.last)
	case s.lines:
		s.dateLine(start, line, body)
	}
}

// inCode reports whether a line is of a block of code.
func (s *journalScanner) inCode(body string) bool {
	if s.fence == "" {
		if strings.HasPrefix(body, "```") || strings.HasPrefix(body, "~~~") {
			s.fence = body[:3]
			return true
		}
		return false
	}
	if strings.HasPrefix(body, s.fence) && strings.Trim(body, s.fence[:1]) == "" {
		s.fence = ""
	}
	return true
}

// underlines are the signs that make a heading of the line above them, the highest first.
const underlines = "=-~^"

// underlined reports whether a line makes a heading of the one before.
func (s *journalScanner) underlined(body string) bool {
	return s.last != "" && len(body) > 2 && strings.IndexByte(underlines, body[0]) >= 0 && strings.Trim(body, body[:1]) == "" && len(s.last) <= maxHeading
}

// maxHeading is how long a line above others is.
const maxHeading = 200

func (s *journalScanner) heading(start, level int, title string) {
	m := headingDate(title[:min(len(title), maxHeading)])
	m.offset, m.level = start, level
	if n := len(s.marks); n > 0 && s.marks[n-1].offset == start { // it was taken for a line
		s.marks = s.marks[:n-1]
	}
	s.marks = append(s.marks, m)
	s.dated, s.item = false, false
}

// dateLine reads a line that may begin with a date. Within prose, where lines are broken anywhere, one is none, but for
// a time as programs write it, the year first.
func (s *journalScanner) dateLine(start int, line, body string) {
	indented := line[0] == ' ' || line[0] == '\t'
	rest, item := withoutMarker(body)
	text := strings.TrimLeft(rest, opening)
	bracketed := len(text) < len(rest)
	t, behind, ok := dates.Leading(text)
	timed := ok && strings.ContainsRune(text[:len(text)-len(behind)], ':')
	if !ok && !s.headings && !item {
		if t, behind, timed = withinLine(text); timed {
			ok, bracketed = true, true
		}
	}
	ok = ok && (!indented || item) && (item || timed && yearFirst(text) || bracketed || s.afterBlank || s.dated)
	switch {
	case !ok:
		if s.item && !indented && (item || s.afterBlank) { // what is dated ends
			s.add(mark{offset: start, level: levelLine})
			s.item = false
		}
		return
	case !item && !timed && s.afterBlank && isShort(strings.Trim(behind, closing)):
		s.add(mark{offset: start, level: levelDay, date: t, title: ""})
		s.dated, s.item = false, false
		return
	case timed && !s.headings && s.sameHour(t):
	default:
		s.add(mark{offset: start, level: levelLine, date: t})
	}
	s.dated, s.item = true, item
}

func (s *journalScanner) add(m mark) { s.marks = append(s.marks, m) }

// sameHour reports whether the last mark is of the hour of a line: lines of a log that follow each other are one entry.
func (s *journalScanner) sameHour(t time.Time) bool {
	n := len(s.marks)
	return n > 0 && s.marks[n-1].level == levelLine && s.marks[n-1].date.Location() == t.Location() && s.marks[n-1].date.Truncate(time.Hour).Equal(t.Truncate(time.Hour))
}

// maxBefore is how much of a line stands before its time, as the address in the log of a server.
const maxBefore = 100

// withinLine reads the time that stands in brackets within the beginning of a line.
func withinLine(text string) (t time.Time, rest string, timed bool) {
	if text == "" || text[0] < '0' || text[0] > '9' {
		return t, "", false
	}
	head := text[:min(len(text), maxBefore)]
	at := strings.Index(head, " [")
	if at < 0 {
		return t, "", false
	}
	t, rest, ok := dates.Leading(text[at+2:])
	return t, rest, ok && strings.ContainsRune(text[at:len(text)-len(rest)], ':')
}

// isShort reports whether hardly more than the name of a day stands beside a date.
func isShort(text string) bool {
	return len(text) <= len("Donnerstag,") && !strings.ContainsAny(text, " \t")
}

// withoutMarker returns a line without the mark of an item, its box, and the marks of a list of tasks.
func withoutMarker(body string) (rest string, item bool) {
	rest = body
	if len(rest) > 2 && strings.IndexByte("-*+", rest[0]) >= 0 && rest[1] == ' ' {
		rest, item = strings.TrimLeft(rest[2:], " "), true
	}
	for _, box := range []string{"[ ] ", "[x] ", "[X] ", "x ", "(A) ", "(B) ", "(C) "} {
		rest = strings.TrimPrefix(rest, box)
	}
	return rest, item
}

// dateDocument notes of a document when it and its entries are dated, as far as it does not say itself.
func dateDocument(path string, d *document.Document) {
	switch {
	case d.Kind == document.Markdown, d.Kind == document.Text, d.Format == "org", isLight(d.Format):
		if d.Meta.Date.IsZero() {
			d.Meta.Date = dateOfName(path)
		}
	case d.Kind == document.HTML:
	case d.Kind == document.Converted && isWritten(d.Format):
	default:
		return
	}
	if d.Entries == nil {
		d.Entries = journal(d)
	}
}

// isLight reports whether files of a format are notes in a light markup language, as Markdown is.
func isLight(format string) bool {
	switch format {
	case "rst", "mediawiki", "textile", "typst", "zim":
		return true
	}
	return false
}

// isWritten reports whether a person wrote each heading of a format's files.
func isWritten(format string) bool {
	switch format {
	case "docx", "odt", "rtf", "asciidoc", "ipynb":
		return true
	}
	return false
}
