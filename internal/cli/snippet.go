package cli

import (
	"strings"

	"dowse/engine"
	"dowse/internal/reply"
	"dowse/tui"
)

// A style is one use of colour in printed answers.
type style string

const (
	path    style = "\x1b[35m"
	heading style = "\x1b[36m"
	hit     style = "\x1b[1;33m"
	doubt   style = "\x1b[4;31m"
	muted   style = "\x1b[2m"
	reset   style = "\x1b[0m"
)

// painter returns a function that colours text, or that leaves it alone.
func painter(colour bool) func(style, string) string {
	if !colour {
		return func(_ style, text string) string { return text }
	}
	return func(s style, text string) string { return string(s) + text + string(reset) }
}

// snippetLine is one line of a passage and where the matched words are in it.
type snippetLine struct {
	text string
	hits []engine.Range
}

// snippet picks the n non-blank lines of a passage that hold the most matched words.
func snippet(p engine.Passage, n int) []snippetLine { return passageLines(reply.Lines(p, n)) }

// passageLines cuts a passage into its non-blank lines, highlights with them.
func passageLines(p engine.Passage) []snippetLine {
	var lines []snippetLine
	offset, next := 0, 0
	for text := range strings.Lines(p.Text) {
		end := offset + len(text)
		body := strings.TrimRight(text, " \t\r\n")
		line := snippetLine{text: body}
		for next < len(p.Highlights) && p.Highlights[next].Start < end {
			h := p.Highlights[next]
			next++
			if h.Start >= offset && h.End-offset <= len(body) {
				line.hits = append(line.hits, engine.Range{Start: h.Start - offset, End: h.End - offset})
			}
		}
		offset = end
		if strings.TrimSpace(body) != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// maxLine bounds the bytes of a printed line.
const maxLine = 400

// paintHits colours the matched words of a line and makes it safe to print.
func paintHits(paint func(style, string) string, l snippetLine) string {
	var b strings.Builder
	at := 0
	for _, h := range l.hits {
		if h.Start < at || h.End > maxLine {
			continue
		}
		b.WriteString(tui.Sanitize(l.text[at:h.Start]))
		b.WriteString(paint(hit, tui.Sanitize(l.text[h.Start:h.End])))
		at = h.End
	}
	rest := l.text[at:]
	if len(l.text) > maxLine {
		rest = strings.ToValidUTF8(l.text[at:max(at, maxLine)], "") + "…"
	}
	b.WriteString(tui.Sanitize(rest))
	return b.String()
}
