package tui

import (
	"strings"
	"time"

	"dowse/engine"
)

// snippet draws a passage's most telling lines behind its document's title,
// author and tags.
func snippet(v rowView, title string, w, rows int, s styles) []string {
	p, about := v.passage, v.passage.About
	if v.width >= ageRow {
		about.Date = time.Time{} // its age says it
	}
	text := meant(p)
	start := tellingStart(text, w*rows)
	rest := cutFront(text, start)
	if by := byline(title, about, w*(rows+1)/4); by != "" {
		return leadSnippet(by+bylineMark, rest, start > 0, w, rows, s)
	}
	lead := ""
	if start > 0 {
		lead = ellipsis
		w--
	}
	ranges, more := wrap(rest.text, w, rows)
	out := make([]string, 0, rows)
	for i, r := range ranges {
		line := drawMarked(rest, r, s.soft, s.hit, s)
		if more && i == len(ranges)-1 {
			line = fit(line+s.soft.Render(ellipsis), w)
		}
		switch {
		case lead != "" && i == 0:
			line = s.soft.Render(lead) + line
		case lead != "":
			line = " " + line
		}
		out = append(out, line)
	}
	return out
}

func leadSnippet(lead string, rest marked, cut bool, w, rows int, s styles) []string {
	front := lead
	if cut {
		front += ellipsis
	}
	all := marked{text: front + rest.text}
	for _, h := range rest.hits {
		all.hits = append(all.hits, engine.Range{Start: h.Start + len(front), End: h.End + len(front)})
	}
	ranges, more := wrap(all.text, w, rows)
	out := make([]string, 0, rows)
	for i, r := range ranges {
		line := ""
		if r.start < len(lead) {
			end := min(r.end, len(lead))
			line = s.faint.Render(all.text[r.start:end])
			r.start = end
		}
		line += drawMarked(all, r, s.soft, s.hit, s)
		if more && i == len(ranges)-1 {
			line = fit(line+s.soft.Render(ellipsis), w)
		}
		out = append(out, line)
	}
	return out
}

// byline returns title, author, date and tags in at most w cells. Tags are
// dropped first, then the date.
func byline(title string, about engine.About, w int) string {
	parts := about.Byline()
	if title != "" {
		parts = append([]string{title}, parts...)
	}
	for i := range parts {
		parts[i] = strings.TrimSpace(flattenMarked(parts[i], nil).text)
	}
	for len(parts) > 1 && width(strings.Join(parts, " · ")) > w {
		parts = parts[:len(parts)-1]
	}
	return fit(strings.Join(parts, " · "), w)
}

// headRow returns the length of a message's header line at start, which the row
// repeats; 0 where a matched word is in it.
func headRow(p engine.Passage, start int) int {
	rest := strings.TrimLeft(p.Text[start:], "\r\n")
	row, text, more := strings.Cut(rest, "\n")
	end := len(p.Text) - len(text)
	switch {
	case !p.IsMail() || len(p.Authors) == 0 || !strings.HasPrefix(row, "From: ") || !more || strings.TrimSpace(text) == "":
		return 0
	case len(p.Highlights) > 0 && p.Highlights[0].Start < end && p.Highlights[0].End > start:
		return 0
	}
	return end - start
}
