package answer

import (
	"strings"

	"dowse/internal/pattern"
)

// mostLead is the longest lead of a list item that is said with it, in bytes.
const mostLead = 160

// lead is what an item of a list says too little without: the items that it is nested in,
// outermost first, and the sentence that announces the list; "" where there is neither.
func (m *marked) lead(s stretch) string {
	pieces := m.pieces[s.passage]
	if pieces[s.first].Kind != Item {
		return ""
	}
	text := m.passages[s.passage].Text
	depth, above := indentOf(text, pieces[s.first]), ""
	for i := s.first - 1; i >= 0; i-- {
		p := pieces[i]
		if p.Kind != Item && p.Kind != Code {
			if p.Kind == Prose && strings.HasSuffix(m.textOf(s.passage, p), ":") {
				above = joinLead(m.plain(s.passage, i), above)
			}
			break
		}
		first := i == 0 || pieces[i-1].Block != p.Block // of its item: what follows explains
		if n := indentOf(text, p); p.Kind == Item && first && n < depth {
			above, depth = joinLead(m.plain(s.passage, i), above), n
		}
	}
	if len(above) > mostLead {
		return ""
	}
	return above
}

// joinLead puts an outer lead in front of an inner one.
func joinLead(outer, inner string) string {
	if outer = strings.TrimRight(outer, ":"); inner == "" {
		return outer
	}
	return outer + ": " + inner
}

// indentOf is the width of the white space before the line in which a piece begins.
func indentOf(text string, p Piece) (width int) {
	line := text[strings.LastIndexByte(text[:p.Start], '\n')+1 : p.Start]
	for _, r := range line {
		switch r {
		case ' ':
			width++
		case '\t':
			width += 4
		default:
			return width
		}
	}
	return width
}

// date is one as headings of logs and minutes have.
var date = pattern.New(`(?i)\b(?:(?:19|20)\d\d[-./]\d\d?[-./]\d\d?|\d\d?[./]\d\d?[./](?:19|20)?\d\d|\d{1,2}(?:st|nd|rd|th|\.)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\pL*|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\pL* (?:\d{1,2}\b|(?:19|20)\d\d))`)

// dated puts the nearest heading that holds a date in front of one that holds none: "To do"
// below "2024-03-05" was to do then.
func (m *marked) dated(passage, at int, heading string) string {
	if date.MatchString(heading) {
		return heading
	}
	pieces := m.pieces[passage]
	var above []string
	for _, level := range strings.Split(m.passages[passage].Heading, " > ") {
		above = append(above, plain(level, Heading))
	}
	for i := range at {
		if pieces[i].Kind == Heading {
			above = append(above, m.plain(passage, i))
		}
	}
	for i := len(above) - 1; i >= 0; i-- {
		switch day := strings.TrimRight(above[i], ":"); {
		case !date.MatchString(day):
		case heading == "":
			return day
		default:
			return day + ", " + heading
		}
	}
	return heading
}
