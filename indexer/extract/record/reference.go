package record

import (
	"context"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
	"dowse/internal/pattern"
)

// reference is one of a bibliography.
type reference struct {
	at       int // offset in the file
	title    string
	people   []string
	in, when string
	tags     []string
	doi      string
	texts    []string // abstract and notes
}

// isRIS reports whether a file is a bibliography in the form of RIS.
func isRIS(name string, head []byte) bool {
	return document.Extension(name) == "ris" && risLine.Match(blankless(head))
}

// readBibTeX reads entries of BibTeX and of BibLaTeX. Between them stands what TeX reads as a comment.
func readBibTeX(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	var list []reference
	for at := 0; in.Step(1); {
		start := bibEntry.FindStringSubmatchIndex(text[at:])
		if start == nil {
			break
		}
		kind, from := strings.ToLower(text[at+start[2]:at+start[3]]), at+start[0]
		body := braced(text[at+start[1]-1:])
		at += start[1] - 1 + max(len(body), 1)
		if kind == "comment" || kind == "preamble" || kind == "string" {
			continue
		}
		r := reference{at: from}
		_, rest, _ := strings.Cut(strings.Trim(body, "{}"), ",")
		for rest != "" {
			name, value, tail := bibField(rest)
			if name == "" {
				break
			}
			r.set(name, value)
			rest = tail
		}
		list = append(list, r)
	}
	return bibliography(in, text, "bibtex", list)
}

var (
	bibEntry = pattern.New(`(?m)^[ \t]*@(\w+)\s*\{`)
	bibName  = pattern.New(`^[\s,]*([\w-]+)\s*=\s*`)
)

// braced returns the text from a brace to the one that closes it; all of it where none does.
func braced(text string) string {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth <= 0 {
				return text[:i+1]
			}
		}
	}
	return text
}

// quoted returns the text from a quotation mark to the one that closes it: those within braces do not.
func quoted(text string) string {
	depth := 0
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			depth--
		case '"':
			if depth <= 0 {
				return text[:i+1]
			}
		}
	}
	return text
}

// bibField returns the first field of an entry, and what follows it; no name where there is none.
func bibField(text string) (name, value, rest string) {
	m := bibName.FindStringSubmatchIndex(text)
	if m == nil {
		return "", "", ""
	}
	name, rest = strings.ToLower(text[m[2]:m[3]]), text[m[1]:]
	switch {
	case strings.HasPrefix(rest, "{"):
		value = braced(rest)
	case strings.HasPrefix(rest, `"`):
		value = quoted(rest)
	default:
		value = rest[:min(len(rest), max(strings.IndexAny(rest+",", ",\n"), 1))]
	}
	return name, plainTeX(strings.Trim(value, `"{} `)), rest[len(value):]
}

// texAccent is a letter with a mark: \"u, \'{e}, {\c c}.
var texAccent = pattern.New(`\\(["'` + "`" + `^~=.cvHu])\s*\{?(\pL)\}?`)

// combining are the marks as Unicode sets them behind a letter.
var combining = map[string]string{
	`"`: "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307", "c": "\u0327", "v": "\u030c", "H": "\u030b", "u": "\u0306",
}

// plainTeX returns what a value says.
func plainTeX(text string) string {
	text = texAccent.ReplaceAllStringFunc(text, func(s string) string {
		m := texAccent.FindStringSubmatch(s)
		return m[2] + combining[m[1]]
	})
	text = strings.NewReplacer(`{\ss}`, "ß", `{\o}`, "ø", `{\ae}`, "æ", `{\aa}`, "å", `\&`, "&", `\%`, "%", `\_`, "_", `\$`, "$", "---", "—", "--", "–", "~", " ", "{", "", "}", "").Replace(text)
	return norm.NFC.String(strings.Join(strings.Fields(text), " "))
}

// set takes a field by its name in BibTeX or BibLaTeX.
func (r *reference) set(name, value string) {
	switch name {
	case "title":
		r.title = value
	case "author", "editor":
		for person := range strings.SplitSeq(value, " and ") {
			last, first, turned := strings.Cut(person, ",")
			if turned {
				person = strings.TrimSpace(first) + " " + strings.TrimSpace(last)
			}
			r.people = append(r.people, strings.TrimSpace(person))
		}
	case "journal", "journaltitle", "booktitle", "publisher":
		if r.in == "" {
			r.in = value
		}
	case "date":
		r.when = value
	case "year":
		if r.when == "" {
			r.when = value
		}
	case "keywords":
		for tag := range strings.FieldsFuncSeq(value, func(c rune) bool { return c == ',' || c == ';' }) {
			r.tags = append(r.tags, strings.TrimSpace(tag))
		}
	case "doi":
		r.doi = value
	case "abstract", "note", "annote", "annotation":
		r.texts = append(r.texts, value)
	}
}

// risLine is a line of RIS: two letters, and what they stand for.
var risLine = pattern.New(`^([A-Z][A-Z0-9])  ?- ?(.*)$|^TY  - `)

// risNames are the fields of RIS by their names in BibTeX.
var risNames = map[string]string{
	"TI": "title", "T1": "title", "AU": "author", "A1": "author", "A2": "author", "ED": "author", "JO": "journal", "JF": "journal", "T2": "booktitle", "PB": "publisher",
	"PY": "year", "Y1": "year", "DA": "date", "KW": "keywords", "DO": "doi", "AB": "abstract", "N2": "abstract", "N1": "note",
}

// readRIS reads a bibliography that many databases export.
func readRIS(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	var list []reference
	at := 0
	for line := range strings.Lines(text) {
		m := risLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		switch {
		case m == nil:
		case strings.HasPrefix(line, "TY"):
			list = append(list, reference{at: at})
		case len(list) > 0 && risNames[m[1]] != "":
			value := strings.TrimSpace(m[2])
			if m[1] == "PY" || m[1] == "Y1" || m[1] == "DA" { // 2019/05/03/
				value = strings.ReplaceAll(strings.Trim(value, "/"), "/", "-")
			}
			list[len(list)-1].set(risNames[m[1]], value)
		}
		at += len(line)
	}
	return bibliography(in, text, "ris", list)
}

// bibliography writes references: what each says of itself, its abstract and notes.
func bibliography(in *document.Input, text, format string, list []reference) (*document.Document, error) {
	if len(list) == 0 {
		return nil, document.ErrOther
	}
	w := newWriter(in, text)
	for i := range list {
		r := &list[i]
		w.b.EndRows()
		w.b.Entry(document.Meta{Title: r.title, Authors: r.people, Tags: r.tags, Date: referenceDate(r.when)})
		w.record(r.at, document.Part{Unit: document.Record, Number: i + 1, Name: r.title},
			[]string{"Title", "By", "In", "Date", "DOI", "Tags"}, []string{r.title, strings.Join(r.people, ", "), r.in, r.when, r.doi, strings.Join(r.tags, ", ")})
		w.b.EndRows()
		for _, t := range r.texts {
			w.b.Paragraph(t)
		}
	}
	return w.document(format), nil
}

// referenceDate reads a date as bibliographies have it: of a year alone its first day.
func referenceDate(text string) time.Time {
	if year.MatchString(text) {
		text += "-01-01"
	}
	return dates.Parse(text)
}

var year = pattern.New(`^\d{4}$`)
