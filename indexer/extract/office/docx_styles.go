package office

import (
	"context"
	"strconv"
	"strings"
	"time"

	"dowse/indexer/document"
)

// wordStyle is what a paragraph style says.
type wordStyle struct {
	name    string
	basedOn string
	outline int // level of headings from 1, 0 where it says nothing
	list    bool
	level   int
}

// wordStyles are the styles of a document by their names within the file.
type wordStyles map[string]*wordStyle

// readStyles reads styles.xml. A document without it has none.
func readStyles(ctx context.Context, p *parts, name string) (wordStyles, error) {
	styles := wordStyles{}
	if name == "" || !p.has(name) {
		return styles, nil
	}
	style := &wordStyle{}
	err := p.each(ctx, name, func(e element) {
		switch e.name {
		case "style":
			style = &wordStyle{}
			styles[e.attribute("styleId")] = style
		default:
			style.describe(e)
		}
	})
	return styles, err
}

// describe takes what an element within its definition says.
func (s *wordStyle) describe(e element) {
	switch e.name {
	case "name":
		s.name = strings.ToLower(e.attribute("val"))
	case "basedOn":
		s.basedOn = e.attribute("val")
	case "outlineLvl":
		if n := e.number("val", 9); n >= 0 && n < 9 {
			s.outline = n + 1
		}
	case "numId":
		s.list = e.attribute("val") != "0"
	case "ilvl":
		s.level = e.number("val", 0)
	}
}

// kind returns what paragraphs of a style are.
func (s wordStyles) kind(id string) (blockKind, int) {
	list, level := false, 0
	var own *wordStyle
	for range 20 { // styles that are based on each other in a ring
		style := s[id]
		if style == nil {
			if n := headingLevel(strings.ToLower(id)); n > 0 && !list {
				return heading, n // named, and not described
			}
			break
		}
		if n := headingLevel(style.name); n > 0 && (style.name != "title" || own == nil || isTitle(own.name)) {
			return heading, n
		}
		if own == nil {
			own = style
		}
		if style.outline > 0 {
			return heading, min(style.outline, 6)
		}
		if style.list && !list {
			list, level = true, style.level
		}
		id = style.basedOn
	}
	if list {
		return item, level
	}
	return paragraph, 0
}

// isTitle reports whether a style that is based on that of titles is one of titles, too: pandoc bases those of
// authors and dates on it for their looks.
func isTitle(name string) bool {
	return strings.Contains(name, "title") && !strings.Contains(name, "subtitle")
}

// byline takes the authors and the day that stand below a title, in the styles that pandoc has for them.
type byline struct {
	authors []string
	day     time.Time
}

// add takes a paragraph of a style by its name in lower case.
func (b *byline) add(style, text string) {
	text = strings.Join(strings.Fields(text), " ")
	switch {
	case text == "" || len(text) > maxMeta:
	case style == "author" && len(b.authors) < maxAuthors:
		b.authors = append(b.authors, text)
	case style == "date" && b.day.IsZero():
		b.day = parseTime(text)
	}
}

// maxAuthors is how many people a document is said to be by.
const maxAuthors = 50

// to completes what a file says of itself. The day that a person wrote counts before that on which the file was made.
func (b *byline) to(m document.Meta) document.Meta {
	if len(m.Authors) == 0 {
		m.Authors = b.authors
	}
	if !b.day.IsZero() {
		m.Date = b.day
	}
	return m
}

// headingWords are what headings are called where a program translated the names that Word
// itself keeps in English.
var headingWords = []string{
	"heading", "überschrift", "titre", "título", "titolo", "titulo", "kop", "заголовок", "nagłówek", "rubrik", "overskrift", "otsikko",
	"címsor", "nadpis", "başlık", "标题", "標題", "見出し", "제목", "επικεφαλίδα", "titlu", "naslov", "antraštė", "virsraksts", "pealkiri", "encabezado",
}

// headingLevel returns the level of a style by its name in lower case, 0 of no heading.
func headingLevel(name string) int {
	if name == "title" {
		return 1
	}
	for _, word := range headingWords {
		rest, ok := strings.CutPrefix(name, word)
		if !ok {
			continue
		}
		if n, err := strconv.Atoi(strings.Trim(rest, " _-")); err == nil && n >= 1 && n <= 9 {
			return min(n, 6)
		}
	}
	return 0
}
