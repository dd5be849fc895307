package extract

import (
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// note takes what a document says of itself under a name, as front matter and pages of
// HTML spell it. Of several dates and titles the first counts.
func note(m *document.Meta, name string, values []string) {
	if len(values) == 0 || values[0] == "" {
		return
	}
	switch name {
	case "title", "dc.title", "dcterms.title", "og:title", "citation_title", "headline":
		if m.Title == "" {
			m.Title = values[0]
		}
	case "author", "authors", "creator", "by", "dc.creator", "dcterms.creator", "article:author", "citation_author":
		m.Authors = append(m.Authors, values...)
	case "tags", "tag", "keywords", "categories", "category", "dc.subject", "dcterms.subject", "article:tag":
		if len(values) == 1 { // "garden, roses" or "#garden #roses"
			values = tagsIn(values[0])
		}
		for _, tag := range values {
			if tag = strings.Trim(strings.TrimSpace(tag), "#"); tag != "" {
				m.Tags = append(m.Tags, tag)
			}
		}
	case "date", "created", "created time", "date created", "published", "dc.date", "dc.date.created", "dc.date.issued", "dcterms.date", "dcterms.created", "dcterms.issued",
		"article:published_time", "citation_date", "citation_publication_date", "datepublished", "pubdate":
		if m.Date.IsZero() {
			m.Date = dateIn(values[0])
		}
	}
}

// tagsIn divides a text at commas, or where there is none and each word is marked as a
// tag, at blanks.
func tagsIn(text string) []string {
	words := strings.Fields(text)
	for _, word := range words {
		if !strings.HasPrefix(word, "#") {
			return strings.Split(text, ",")
		}
	}
	return words
}

// dateIn reads a date, in UTC where it names no zone: the same bytes have the same date on
// every machine. It is zero where nothing that is a date stands there.
func dateIn(text string) time.Time { return dates.Parse(text).UTC() }

// maxHTMLHead is how many bytes of a page are looked at.
const maxHTMLHead = 256 << 10

// htmlMeta reads what a page says of itself, in its head.
func htmlMeta(source string) (m document.Meta) {
	tokens := html.NewTokenizer(strings.NewReader(source[:min(len(source), maxHTMLHead)]))
	inTitle, title := false, ""
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return withTitle(m, title)
		case html.TextToken:
			if inTitle {
				title += string(tokens.Text())
			}
		case html.EndTagToken:
			name, _ := tokens.TagName()
			switch atom.Lookup(name) {
			case atom.Title:
				inTitle = false
			case atom.Head:
				return withTitle(m, title)
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := tokens.TagName()
			switch atom.Lookup(name) {
			case atom.Title:
				inTitle = title == ""
			case atom.Body:
				return withTitle(m, title)
			case atom.Meta:
				noteTag(&m, tokens, more)
			}
		}
	}
}

// noteTag takes what one <meta> says.
func noteTag(m *document.Meta, tokens *html.Tokenizer, more bool) {
	name, content := "", ""
	for more {
		var key, value []byte
		key, value, more = tokens.TagAttr()
		switch string(key) {
		case "name", "property", "itemprop":
			name = strings.ToLower(string(value))
		case "content":
			content = string(value)
		}
	}
	note(m, name, []string{content})
}

// withTitle has the title of the page count before others.
func withTitle(m document.Meta, title string) document.Meta {
	if title = strings.Join(strings.Fields(title), " "); title != "" {
		m.Title = title
	}
	return m
}
