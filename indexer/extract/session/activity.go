package session

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"

	"golang.org/x/net/html"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
	"dowse/internal/pattern"
)

// A page of activities, which Google's Takeout writes where nobody chose JSON, has a cell for each: a header that names the product, and
// a body with what was asked, the time, and the answer, apart by line breaks.
const (
	headerCell = "header-cell"
	bodyCell   = "content-cell"
	cell       = "outer-cell"
)

// isActivity reports whether a page looks like one of activities. Of which products they are stands far behind.
func isActivity(name string, head []byte) bool {
	return strings.HasPrefix(filepath.Ext(name), ".htm") && bytes.Contains(head, []byte("material-design-lite")) && bytes.Contains(head, []byte("<title>"))
}

// readActivity reads the activities of Gemini in a page; ErrOther where it has none.
func readActivity(ctx context.Context, in *document.Input) (*document.Document, error) {
	w := &writer{Builder: in.Builder(), marks: []document.LineMark{}}
	p := &activityPage{tokens: html.NewTokenizer(bytes.NewReader(in.Data))}
	read := 0
	for !w.Full() && ctx.Err() == nil {
		header, body, ok := p.next()
		if !ok {
			break
		}
		if !activityOf.MatchString(header) || !w.Step(1) {
			continue
		}
		if c, ok := activityIn(body); ok {
			read++
			w.conversation(&c, 0)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if read == 0 {
		return nil, document.ErrOther
	}
	return w.finish(document.Meta{}), nil
}

// activityPage goes through a page, cell by cell.
type activityPage struct {
	tokens *html.Tokenizer
	header string
}

// next returns the header of the next cell, and the HTML of its body; false at the end.
func (p *activityPage) next() (header, body string, ok bool) {
	for {
		switch p.tokens.Next() {
		case html.ErrorToken:
			return "", "", false
		case html.StartTagToken:
			class := classOf(p.tokens)
			switch {
			case strings.Contains(class, cell):
				p.header = ""
			case strings.Contains(class, headerCell):
				p.header = strings.TrimSpace(plain(p.inner()))
			case strings.Contains(class, bodyCell) && p.header != "":
				header, p.header = p.header, "" // what follows is about the product
				return header, p.inner(), true
			}
		}
	}
}

// classOf returns the class of an element that began.
func classOf(tokens *html.Tokenizer) string {
	for {
		key, value, more := tokens.TagAttr()
		if string(key) == "class" {
			return string(value)
		}
		if !more {
			return ""
		}
	}
}

// inner returns the HTML up to the end of the div that began.
func (p *activityPage) inner() string {
	var b strings.Builder
	for depth := 1; ; {
		switch p.tokens.Next() {
		case html.ErrorToken:
			return b.String()
		case html.StartTagToken, html.EndTagToken:
			raw := string(p.tokens.Raw())
			if name, _ := p.tokens.TagName(); string(name) == "div" {
				if depth++; raw[1] == '/' {
					depth -= 2
				}
			}
			if depth == 0 {
				return b.String()
			}
			b.WriteString(raw)
		default:
			b.Write(p.tokens.Raw())
		}
	}
}

// activityIn reads the body of an activity: the first line that is a time parts what was asked from the answer.
func activityIn(body string) (c conversation, ok bool) {
	parts := strings.Split(strings.ReplaceAll(body, "<br/>", "<br>"), "<br>")
	for i, part := range parts {
		at, rest, is := dates.Leading(blanks.Replace(strings.TrimSpace(plain(part))))
		if !is || i == 0 || !zone.MatchString(rest) {
			continue
		}
		asked := strings.TrimSpace(plain(strings.Join(parts[:i], "<br>")))
		var answers []string
		if answer := strings.TrimSpace(plain(strings.Join(parts[i+1:], "<br>"))); answer != "" {
			answers = []string{answer}
		}
		return asActivity(blanks.Replace(asked), at, answers)
	}
	return c, false
}

// zone is the short name of one, which means another one elsewhere.
var zone = pattern.New(`^ ?\pL{0,5}(?:[+-]\d{1,2}(?::\d\d)?)?$`)

// blanks makes the spaces that Google writes plain ones.
var blanks = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2003", " ")
