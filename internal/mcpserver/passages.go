package mcpserver

import (
	"fmt"
	"strings"
	"time"

	"dowse/engine"
	"dowse/internal/reply"
)

// Passage is a passage as agents get it.
type Passage struct {
	Rank      int      `json:"rank"`
	Path      filePath `json:"path"`
	LineStart int      `json:"line_start"`
	LineEnd   int      `json:"line_end"`
	Place     string   `json:"place,omitempty"` // page 7
	Heading   string   `json:"heading,omitempty"`
	Title     string   `json:"title,omitempty"`
	By        string   `json:"by,omitempty"`
	Date      string   `json:"date,omitempty"`
	Why       string   `json:"why,omitempty"` // what matched
	Relevant  bool     `json:"relevant"`
	Stale     bool     `json:"stale,omitempty"`   // the file changed since it was indexed
	Repeats   int      `json:"repeats,omitempty"` // further passages that say the same
	Text      string   `json:"text"`
}

// Found is what search and related reply.
type Found struct {
	Relevant bool      `json:"relevant"`
	Note     string    `json:"note,omitempty"`
	Results  []Passage `json:"results"`
	LeftOut  int       `json:"left_out,omitempty"` // passages that had no room
	Cursor   string    `json:"cursor,omitempty"`
}

// withheld stands in the place of the text of files that hold secrets.
const withheld = "(withheld: the file holds passwords, keys or tokens)"

// maxPassage bounds the text of a passage, and maxLabel that of what stands above it, in bytes.
const (
	maxPassage = 2500
	maxLabel   = 300
)

// told returns a passage as agents get it.
func (s *Server) told(p engine.Passage, lines, repeats int) Passage {
	why := reply.Why(p)
	p = reply.Lines(p, lines)
	out := Passage{
		Rank: p.Rank, Path: filePath(p.Path), LineStart: p.LineStart, LineEnd: p.LineEnd, Heading: s.label(p.Heading), Title: s.label(p.TellingTitle()),
		By: s.label(engine.Names(p.Authors)), Why: s.label(why), Relevant: p.Relevant, Stale: p.Stale, Repeats: repeats,
		Text: s.fit(strings.Trim(p.Text, "\r\n"), maxPassage),
	}
	if at := p.Telling().Locator; at != nil {
		out.Place = s.label(at.Label)
	}
	if !p.Date.IsZero() {
		out.Date = p.Date.Format(time.DateOnly)
	}
	if p.Secret {
		out.Text, out.Heading, out.Why = withheld, "", ""
	}
	return out
}

// label makes a short text of one line.
func (s *Server) label(text string) string { return s.fit(oneLine(text), maxLabel) }

// fit makes text safe and cuts it to so many bytes, and to twice that where JSON needs more for it.
func (s *Server) fit(text string, most int) string {
	for n := most; ; n /= 2 {
		fits := s.clean(reply.Clip(text, n))
		if line, err := reply.JSON(fits); err == nil && len(line) <= 2*most || n == 0 {
			return fits
		}
	}
}

// foundParts is Found while it is cut to what has room.
type foundParts struct {
	Found
	page    reply.Page
	request []string
	more    bool
}

// passages makes a reply of a page of passages.
func (s *Server) passages(all []engine.Passage, page reply.Page, lines int, request []string) *foundParts {
	shown, more := page.Of(all, true)
	f := &foundParts{page: page, request: request, more: more, Found: Found{Relevant: engine.AnyRelevant(shown)}}
	repeats := engine.Repeats(shown)
	for _, p := range shown {
		if p.SimilarTo == 0 {
			f.Results = append(f.Results, s.told(p, lines, repeats[p.Rank]))
		}
	}
	return f
}

func (f *foundParts) parts() int { return len(f.Results) }

func (f *foundParts) first(n int) (values any, text string) {
	cut := f.Found
	cut.Results = append([]Passage{}, f.Results[:n]...)
	if cut.LeftOut = len(f.Results) - n; f.more || cut.LeftOut > 0 {
		cut.Cursor = reply.Cursor(f.request, f.page.Offset+n)
	}
	var b strings.Builder
	if cut.Note != "" {
		b.WriteString(cut.Note + "\n\n")
	}
	less := cut.Relevant
	for _, p := range cut.Results {
		if less && !p.Relevant {
			less = false
			b.WriteString("Less relevant:\n\n")
		}
		b.WriteString(p.text() + "\n")
	}
	if cut.LeftOut > 0 {
		fmt.Fprintf(&b, "%d more had no room. ", cut.LeftOut)
	}
	if cut.Cursor != "" {
		fmt.Fprintf(&b, "More: the same call with cursor %q.\n", cut.Cursor)
	}
	return cut, b.String()
}

// text is a passage for a model: its place, what is known of it, and its lines.
func (p *Passage) text() string {
	place := fmt.Sprintf("%s:%d", p.Path, p.LineStart)
	if p.LineEnd > p.LineStart {
		place += fmt.Sprintf("-%d", p.LineEnd)
	}
	parts := []string{place}
	for _, part := range []string{p.Place, p.Title, p.Heading, p.By, p.Date, p.Why} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if p.Stale {
		parts = append(parts, "changed since it was indexed")
	}
	if p.Repeats > 0 {
		parts = append(parts, fmt.Sprintf("%d more like this", p.Repeats))
	}
	return fmt.Sprintf("%d. %s\n%s", p.Rank, oneLine(strings.Join(parts, " · ")), quoted(p.Text))
}
