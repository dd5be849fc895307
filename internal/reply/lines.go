package reply

import (
	"strings"
	"unicode/utf8"

	"dowse/engine"
)

// Lines returns a passage with the n lines of it that hold the most matched words, the first
// ones where none holds any, and all where n is 0. Blank lines count for nothing.
func Lines(p engine.Passage, n int) engine.Passage {
	lines := linesOf(p)
	if n <= 0 || len(lines) <= n {
		return p
	}
	best, most := 0, -1
	for i := range lines {
		hits := 0
		for _, l := range lines[i:min(i+n, len(lines))] {
			hits += l.hits
		}
		if hits > most {
			best, most = i, hits
		}
	}
	return cut(p, lines[best].start, lines[min(best+n, len(lines))-1].end)
}

// line is a line of a passage that is not blank.
type line struct{ start, end, hits int }

// linesOf returns the lines of a passage, each with how many matched words lie in it.
func linesOf(p engine.Passage) (lines []line) {
	at, next := 0, 0
	for text := range strings.Lines(p.Text) {
		l := line{start: at, end: at + len(strings.TrimRight(text, "\r\n"))}
		at += len(text)
		for next < len(p.Highlights) && p.Highlights[next].Start < at {
			if h := p.Highlights[next]; h.Start >= l.start && h.End <= l.end {
				l.hits++
			}
			next++
		}
		if strings.TrimSpace(text) != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

// cut returns a passage with a stretch of its text.
func cut(p engine.Passage, start, end int) engine.Passage {
	body := strings.TrimSpace(p.Text)
	lead := strings.Index(p.Text, body)
	if p.LineEnd-p.LineStart == strings.Count(body, "\n") { // lines of the text are those of the file
		p.LineStart += strings.Count(p.Text[lead:max(lead, start)], "\n")
		p.LineEnd = p.LineStart + strings.Count(p.Text[start:end], "\n")
	}
	var places []engine.LocatorMark
	for _, mark := range p.Places {
		if mark.Offset > start && mark.Offset < end {
			mark.Offset -= start
			places = append(places, mark)
		}
	}
	var hits []engine.Range
	for _, h := range p.Highlights {
		if h.Start >= start && h.End <= end {
			hits = append(hits, engine.Range{Start: h.Start - start, End: h.End - start})
		}
	}
	p.Where, p.Places, p.Highlights, p.Text = p.At(p.Places, start), places, hits, p.Text[start:end]
	return p
}

// Clip is the beginning of a text of valid UTF-8, at most so many bytes without half a letter at the end,
// and a mark that it was cut.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}
