package engine

import (
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"dowse/internal/fold"
)

// About is what a document says of itself, or entries of it do: messages, events, dated headings. All of it
// may be missing, and none of it is safe for a terminal yet.
type About struct {
	Title   string    `json:"title,omitempty"`
	Authors []string  `json:"authors,omitempty"` // who wrote or sent it, "Ann Lee <ann@example.org>"
	To      []string  `json:"to,omitempty"`      // who got it
	Tags    []string  `json:"tags,omitempty"`
	Date    time.Time `json:"date,omitzero"`
	Format  string    `json:"format,omitempty"` // pdf, eml, markdown, text
}

// AddressOf returns the address of a person who is written as mail writes people, in small
// letters; "" where there is none.
func AddressOf(person string) string {
	address := strings.TrimSpace(person)
	if i := strings.LastIndexByte(address, '<'); i >= 0 && strings.HasSuffix(address, ">") {
		address = address[i+1 : len(address)-1]
	}
	if !strings.Contains(address, "@") || strings.ContainsFunc(address, unicode.IsSpace) {
		return ""
	}
	return strings.ToLower(address)
}

// NameOf returns what a person is called: the name before the address, or the address where
// there is none.
func NameOf(person string) string {
	person = strings.TrimSpace(person)
	if i := strings.LastIndexByte(person, '<'); i >= 0 && strings.HasSuffix(person, ">") {
		if name := strings.Trim(person[:i], ` "'`); name != "" {
			return name
		}
		return person[i+1 : len(person)-1]
	}
	return person
}

// Names returns who people are, in a few words.
func Names(people []string) string {
	switch len(people) {
	case 0:
		return ""
	case 1:
		return NameOf(people[0])
	case 2:
		return NameOf(people[0]) + " and " + NameOf(people[1])
	}
	return NameOf(people[0]) + " et al."
}

// shownTags is how many tags stand beside a passage.
const shownTags = 3

// Byline returns who wrote something, the day that it is dated, and its tags, each in a few
// words, the most telling first.
func (a About) Byline() (parts []string) {
	if names := Names(a.Authors); names != "" {
		parts = append(parts, names)
	}
	if !a.Date.IsZero() {
		parts = append(parts, a.Date.Format(time.DateOnly))
	}
	if tags := TagsText(a.Tags, shownTags); tags != "" {
		parts = append(parts, tags)
	}
	return parts
}

// TagsText writes the first tags with the mark that people put before them.
func TagsText(tags []string, most int) string {
	text := ""
	for i, tag := range tags {
		if i == most {
			return text + " …"
		}
		if text += " #" + strings.TrimLeft(tag, "#"); i == 0 {
			text = text[1:]
		}
	}
	return text
}

// IsMail reports whether somebody sent it to somebody.
func (a About) IsMail() bool {
	return len(a.To) > 0 || slices.Contains([]string{"eml", "emlx", "mbox", "maildir", "msg", "tnef"}, a.Format)
}

// TellingTitle returns the title of the document where it says more than the name of the
// file, the place and the innermost heading do, which stand beside it; "" elsewhere.
func (p Passage) TellingTitle() string {
	if !strings.ContainsFunc(strings.TrimSpace(p.Title), unicode.IsSpace) && path.Ext(p.Title) != "" {
		return "" // the name of another file, that it was made from
	}
	heading := p.Heading[strings.LastIndex(p.Heading, " > ")+1:]
	known := slices.Concat(wordsOf(path.Base(p.Path)), wordsOf(heading))
	if shown := p.Telling().Locator; shown != nil {
		known = append(known, wordsOf(shown.Label)...)
	}
	for _, word := range wordsOf(p.Title) {
		if !slices.Contains(known, word) {
			return p.Title
		}
	}
	return ""
}

// wordsOf returns the words of a text, folded.
func wordsOf(text string) []string {
	return strings.FieldsFunc(fold.String(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}
