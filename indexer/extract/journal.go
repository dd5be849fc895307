package extract

import (
	"path/filepath"
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
)

// A journal is a text with dates above its parts: headings (## 2025-05-01, # Monday, 5 May 2025, ## [1.2.0] - 2025-05-01),
// lines that are a date, lines and items that begin with one. Each of these dates what stands below it, and a heading
// without a date has that of the heading above it. A heading that has more to say than its date counts where it
// begins with the year, or is one of several, and of at least half of its level: "History until 1 May 1945" dates nothing.
//
// Within prose a date counts only where a paragraph begins, or as a program's time, since lines are broken anywhere. Lines of a
// log within one hour are one entry, so that entries stay few beside the index of the log. In letters (DOCX, ODT, RTF) headings
// alone count, and PDF and mail are left as they are: a date on a line of an invoice is that of a delivery.

// Levels of what dates a text, below the six of headings.
const (
	levelDay  = 7 // a line that is a date
	levelLine = 8 // a line or an item that begins with one
)

// mark is a place from which on a text has another date, or a heading without one.
type mark struct {
	offset, level int
	date          time.Time
	title         string // beside the date
	pure          bool   // nothing can be meant but the date of what stands below
}

// journal returns the entries of a text, nil where nothing in it is dated.
func journal(d *document.Document) []document.Entry {
	s := journalScanner{text: d.Text, lines: d.Kind == document.Text || d.Kind == document.Markdown, headings: d.Kind != document.Text}
	s.scan(d.Kind == document.Markdown)
	return entriesOf(admitted(s.marks), d.Meta)
}

// admitted leaves out the dates of headings that are not those of a journal.
func admitted(marks []mark) []mark {
	var all, dated [levelDay]int
	for _, m := range marks {
		if m.level < levelDay {
			all[m.level]++
			if !m.date.IsZero() {
				dated[m.level]++
			}
		}
	}
	for i := range marks {
		if m := &marks[i]; m.level < levelDay && !m.pure && (dated[m.level] < 2 || 2*dated[m.level] < all[m.level]) {
			m.date, m.title = time.Time{}, ""
		}
	}
	return marks
}

// entriesOf makes entries of marks: each takes over what it says nothing of from the one that it stands below, and
// people and tags from the document.
func entriesOf(marks []mark, of document.Meta) (entries []document.Entry) {
	stack := make([]mark, 0, levelLine)
	for _, m := range marks {
		for len(stack) > 0 && stack[len(stack)-1].level >= m.level {
			stack = stack[:len(stack)-1]
		}
		stack = append(stack, m)
		meta := document.Meta{Authors: of.Authors, To: of.To, Tags: of.Tags}
		for i := len(stack) - 1; i >= 0 && meta.Date.IsZero(); i-- {
			meta.Date, meta.Title = stack[i].date, stack[i].title
		}
		n := len(entries)
		if n == 0 && meta.Date.IsZero() || n > 0 && entries[n-1].Meta.Equal(&meta) {
			continue
		}
		entries = append(entries, document.Entry{Offset: m.offset, Meta: meta})
	}
	return entries
}

// dateOfName returns the date that the name of a daily note begins with, 2025_05_01.md; zero of others.
func dateOfName(path string) time.Time {
	name := filepath.Base(path)
	name = strings.TrimSuffix(name, filepath.Ext(name))
	t, rest, ok := dates.Leading(name)
	if digits := len(name) - len(strings.TrimLeft(name, "0123456789")); !ok && digits == len("20250501") {
		t, rest = dates.Parse(name[:digits]), name[digits:]
	}
	if t.IsZero() || rest != "" && !strings.ContainsRune(" -_.,", rune(rest[0])) {
		return time.Time{}
	}
	return t.UTC()
}

// opening and closing are what stands around a date.
const (
	opening = " \t[(<*_"
	closing = " \t])>*_:.,;"
	between = " \t[](){}<>*_:.,;-–—|·"
)

// headingDate reads the date that a heading begins or ends with.
func headingDate(title string) (m mark) {
	if t, rest, ok := dates.Leading(strings.TrimLeft(title, opening)); ok {
		m.date, m.title = t, strings.Trim(rest, between)
		m.pure = yearFirst(strings.TrimLeft(title, opening))
	} else if m.date, m.title = trailing(title); m.date.IsZero() {
		return m
	}
	m.pure = m.pure || !strings.ContainsAny(m.title, " \t")
	return m
}

// yearFirst reports whether a date begins with its year, as in the names of entries and seldom in sentences.
func yearFirst(text string) bool {
	return len(text) > 4 && strings.Trim(text[:4], "0123456789") == ""
}

// maxTrailing is how many words a date has that a heading ends with.
const maxTrailing = 6

// trailing reads the date that a heading ends with, "1.2.0 (2025-05-01)", and what stands before it.
func trailing(title string) (t time.Time, before string) {
	for at, words := len(title), 0; at > 0 && words < maxTrailing; words++ {
		at = strings.LastIndexAny(title[:at], " \t[(<")
		if at < 0 {
			break
		}
		if date, rest, ok := dates.Leading(strings.TrimLeft(title[at:], opening)); ok && strings.Trim(rest, closing) == "" {
			t, before = date, strings.Trim(title[:at], between)
		}
	}
	return t, before
}
