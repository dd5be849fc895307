package markup

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
	"dowse/internal/pattern"
)

// light is a light markup language, of which headings, items and what changes how words look are read; the rest
// stands as it is written.
type light struct {
	name    string
	heading *pattern.Pattern // of a line: marks and title; nil: lines are underlined
	level   func(marks string) int
	plain   []replacement // in turn, within a line
	drop    *pattern.Pattern
}

// replacement takes marks off words.
type replacement struct {
	from *pattern.Pattern
	to   string
}

func replacements(pairs ...string) (list []replacement) {
	for i := 0; i+1 < len(pairs); i += 2 {
		list = append(list, replacement{pattern.New(pairs[i]), pairs[i+1]})
	}
	return list
}

// wikiLink is a link, which may stand in the caption of a picture.
const wikiLink = `\[\[(?:[^\[\]]*\|)?([^\[\]|]*)\]\]`

func countMarks(marks string) int { return len(marks) }

var (
	restructured = light{
		name: "rst", drop: pattern.New(`^\.\. (?:_|image::|figure::|include::|toctree::|contents::|highlight::|code|[^\[:][^:]*$)|^\.\.$|^[=+-]+(?: +[=+-]+)+$`),
		plain: replacements("(\\d|\\pL{4})(?:\\\\ )?:(?:sup|superscript):`([^`]*)`", "$1^$2", `:[\w:+-]+:`+"`"+`([^`+"`"+`<]*?)\s*(?:<[^>]*>)?`+"`", "$1", "``([^`]*)``", "$1", "`([^`<]+?)\\s*(?:<([^>]*)>)?`_{0,2}", "$1", `\*\*([^*]+)\*\*`, "$1", `(^|\W)\*([^*\s][^*]*)\*`, "$1$2", `\\ `, "", `^\.\. (\w+)::\s*`, "$1: ", `^\.\. \[[^\]]*\]\s*`, ""),
	}
	mediaWiki = light{
		name: "mediawiki", heading: pattern.New(`^(={1,6})\s*(.+?)\s*={1,6}\s*$`), level: countMarks, drop: pattern.New(`^(?:\{\||\|\}|\|-|__[A-Z]+__|<span id="[^"]*"></span>\s*$|\[\[Category:)`),
		plain: replacements(`<ref[^>]*/>`, "", `</?ref[^>]*>`, " ", `(\d|\pL{4})<sup>([-+−–]?\d)`, "$1^$2", `(\d)<sub>(\d)`, "${1}_$2", `</?\w+[^<>]*>`, "", `\{\{[^{}]*\}\}`, "", `\[\[(?:File|Image):[^\]|]*\]\]`, "", wikiLink, "$1", wikiLink, "$1", `\[\w+://\S+\s+([^\]]*)\]`, "$1", `'{2,5}`, "", `^[|!]\s*`, ""),
	}
	textile = light{
		name: "textile", heading: pattern.New(`^h([1-6])[^.\s]*\.\s+(.+)$`), level: func(marks string) int { return int(marks[0] - '0') },
		plain: replacements(`^(?:bq|bc|p|pre)[^.\s]*\.\.?\s+`, "", `"([^"]+)":\S*[\w/]`, "$1", `(^|\W)[*_@+-]{1,2}(\w[^*_@]*?)[*_@+-]{1,2}(\W|$)`, "$1$2$3", `\|_\.\s*`, "|"),
	}
	typst = light{
		name: "typst", heading: pattern.New(`^(=+)\s+(.+)$`), level: countMarks, drop: pattern.New(`^\s*#(?:let|set|show|import|include|pagebreak)\b|^<[\w-]+>\s*$`),
		plain: replacements(`(\d|\pL{4})#super\[([^\]]*)\]`, "$1^$2", `#link\("[^"]*"\)\[([^\]]*)\]`, "$1", `#(?:emph|strong|text|underline|quote|super|sub)(?:\([^)]*\))?\[([^\]]*)\]`, "$1", `(^|\W)[*_](\w[^*_]*)[*_](\W|$)`, "$1$2$3", `\s<[\w-]+>\s*$`, ""),
	}
	zim = light{
		name: "zim", heading: pattern.New(`^(={2,6})\s*(.+?)\s*={2,6}\s*$`), level: func(marks string) int { return 7 - len(marks) },
		plain: replacements(`\[\[(?:[^\]|]*\|)?\+?([^\]|]*)\]\]`, "$1", `\{\{[^{}]*\}\}`, "", `^\{\{\{code: .*|^\}\}\}$`, "", `\*\*|''|__|~~|([^:]|^)//`, "$1", `^(\s*)\[([ *x><])\] `, "$1- [$2] "),
	}
)

// zimHead begins a page of Zim's.
const zimHead = "Content-Type: text/x-zim-wiki"

// zimTag is a word that a person marks as a tag of the page.
var zimTag = pattern.New(`(?:^|\s)@(\pL[\pL\d_]*)`)

func zimTags(text string) (tags []string) {
	for _, m := range zimTag.FindAllStringSubmatch(text, maxTags) {
		if !slices.Contains(tags, m[1]) {
			tags = append(tags, m[1])
		}
	}
	return tags
}

func isZim(name string, head []byte) bool {
	return document.Extension(name) == "txt" && bytes.HasPrefix(head, []byte(zimHead))
}

// lightItem is an item of a list, by its marks or by how far it is indented.
var lightItem = pattern.New(`^(\s*)([*#]+|[-+]|\d+[.)]|#\.)\s+(\S.*)$`)

// underlined are the marks of titles in reStructuredText.
const underlined = "=-~^\"'`#*+.:_"

func (l *light) read(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	r := &lightReader{light: l, writer: newWriter(in), lines: lines}
	meta := r.head()
	for r.at < len(lines) && !r.Full() {
		r.line()
	}
	r.flush()
	if l.name == zim.name {
		meta.Tags = zimTags(text)
	}
	if meta.Title == "" {
		meta.Title = r.title
	}
	return r.document(l.name, meta), ctx.Err()
}

// lightReader goes through the lines of a text.
type lightReader struct {
	*light
	*writer
	lines     []string
	at        int      // the next line
	paragraph []string // of it
	from      int      // where that begins
	seen      []string // underlines, the highest first
	title     string
	top       int // the level of the title
}

// lightField is a line of what a text says of itself.
var lightField = pattern.New(`^:?(\w[\w -]*): (.*)$`)

// head reads what stands before the text: of Zim its head, of reStructuredText the fields below the title.
func (r *lightReader) head() (meta document.Meta) {
	if r.name != zim.name {
		for _, line := range r.lines[:min(12, len(r.lines))] {
			if m := lightField.FindStringSubmatch(line); m != nil && strings.HasPrefix(line, ":") && strings.EqualFold(m[1], "date") {
				meta.Date = dates.Parse(m[2])
			}
		}
		return meta
	}
	for ; r.at < len(r.lines) && r.lines[r.at] != ""; r.at++ {
		if m := lightField.FindStringSubmatch(r.lines[r.at]); m != nil && m[1] == "Creation-Date" {
			day, _, _ := strings.Cut(m[2], "T")
			meta.Date = dates.Parse(day)
		}
	}
	return meta
}

// line reads one, or a heading of two or three.
func (r *lightReader) line() {
	line := strings.TrimRight(r.lines[r.at], " \t")
	if level, title, used := r.headingAt(line); used > 0 {
		r.flush()
		r.writer.from(r.at + 1)
		if r.title == "" {
			r.title, r.top = r.plainly(title), level
		}
		r.Heading(level, r.plainly(title))
		r.at += used
		return
	}
	r.at++
	switch m := lightItem.FindStringSubmatch(line); {
	case line == "", r.heading == nil && underline(line) != "":
		r.flush()
	case r.drop != nil && r.drop.MatchString(line):
	case m != nil:
		r.flush()
		r.writer.from(r.at)
		r.Item(max(len(m[1])/2, len(strings.TrimRight(m[2], ".)0123456789"))-1), r.plainly(m[3]))
	default:
		if len(r.paragraph) == 0 {
			r.from = r.at
		}
		r.paragraph = append(r.paragraph, r.plainly(line))
	}
}

// headingAt returns the heading that begins in the next line, and how many lines it takes; 0 where there is none.
func (r *lightReader) headingAt(line string) (level int, title string, used int) {
	if r.heading != nil {
		if m := r.heading.FindStringSubmatch(line); m != nil {
			return r.level(m[1]), m[2], 1
		}
		return 0, "", 0
	}
	over := ""
	i := r.at
	if mark := underline(line); mark != "" && i+2 < len(r.lines) && underline(r.lines[i+2]) == mark {
		over = mark
		i++
	}
	if i+1 >= len(r.lines) || len(r.paragraph) > 0 {
		return 0, "", 0
	}
	title, below := strings.TrimSpace(r.lines[i]), strings.TrimRight(r.lines[i+1], " \t")
	mark := underline(below)
	if title == "" || mark == "" || underline(title) != "" || utf8.RuneCountInString(below) < min(3, utf8.RuneCountInString(title)) {
		return 0, "", 0
	}
	mark += over
	if !slices.Contains(r.seen, mark) {
		r.seen = append(r.seen, mark)
	}
	return 1 + slices.Index(r.seen, mark), title, i + 2 - r.at
}

// underline returns the mark that a line consists of, "" of another one.
func underline(line string) string {
	line = strings.TrimRight(line, " \t")
	if len(line) < 2 || !strings.Contains(underlined, line[:1]) || strings.Trim(line, line[:1]) != "" {
		return ""
	}
	return line[:1]
}

// plainly returns a line without its marks.
func (r *lightReader) plainly(line string) string {
	for _, p := range r.plain {
		line = p.from.ReplaceAllString(line, p.to)
	}
	return line
}

// flush writes the paragraph at hand.
func (r *lightReader) flush() {
	if len(r.paragraph) > 0 {
		r.EndRows()
		r.writer.from(r.from)
		r.Paragraph(strings.Join(r.paragraph, "\n"))
		r.paragraph = r.paragraph[:0]
	}
}
