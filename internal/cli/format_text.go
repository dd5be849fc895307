package cli

import (
	"fmt"
	"strings"

	"dowse/engine"
	"dowse/internal/reply"
	"dowse/tui"
)

// pathsText is the paths of files with relevant passages, each once, the best first.
func (o *outputFlags) pathsText(passages []engine.Passage) string {
	end := "\n"
	if o.null {
		end = "\x00"
	}
	var b strings.Builder
	seen := map[string]bool{}
	for _, p := range passages {
		if p.Relevant && !seen[p.Path] {
			seen[p.Path] = true
			b.WriteString(argument(p.Path) + end)
		}
	}
	return b.String()
}

// argument is a path as another program takes it: short, and never like a flag.
func argument(path string) string {
	short := shorten(path)
	if strings.HasPrefix(short, "-") {
		return "./" + short
	}
	return short
}

// vimgrepText is a line a relevant passage, as vim reads with the option quickfix or -q: path, line,
// column in bytes, and the line that matches best. A path with a line break cannot be written so.
func vimgrepText(s *streams, passages []engine.Passage) string {
	var b strings.Builder
	for _, p := range passages {
		if !p.Relevant {
			continue
		}
		if strings.ContainsAny(p.Path, "\r\n") {
			s.note("dowse: left out of vimgrep, as a line break is in its name: " + p.Path)
			continue
		}
		best := reply.Lines(p, 1)
		column := 1
		if len(best.Highlights) > 0 {
			column += best.Highlights[0].Start
		}
		text := tui.Sanitize(reply.Clip(strings.TrimRight(strings.TrimLeft(best.Text, "\r\n"), "\r\n"), maxLine))
		if best.Locator != nil {
			text = best.Locator.Label + ": " + text
		}
		fmt.Fprintf(&b, "%s:%d:%d:%s\n", argument(p.Path), best.LineStart, column, oneLine(text))
	}
	return b.String()
}

// mdText is Markdown: a heading a passage, and its text as a quotation.
func mdText(passages []engine.Passage) string {
	var b strings.Builder
	repeats, above := engine.Repeats(passages), false
	for _, p := range passages {
		if p.SimilarTo != 0 {
			continue
		}
		if above && !p.Relevant {
			b.WriteString("*" + strings.TrimSuffix(lessRelevant, ":") + "*\n\n")
		}
		above = p.Relevant
		b.WriteString("### " + codeSpan(oneLine(shorten(p.Path)+p.Telling().Behind(p.LineStart))))
		if p.Heading != "" {
			b.WriteString(" " + oneLine(p.Heading))
		}
		b.WriteString("\n\n")
		if about := strings.TrimPrefix(aboutText(painter(false), p), " · "); about != "" {
			b.WriteString(about + "\n\n")
		}
		for line := range strings.Lines(strings.Trim(p.Text, "\r\n")) {
			b.WriteString(strings.TrimRight("> "+strings.TrimRight(line, "\r\n"), " ") + "\n")
		}
		if n := repeats[p.Rank]; n > 0 {
			fmt.Fprintf(&b, "\n(%d more like this)\n", n)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// codeSpan is text between more backticks than it has in a row.
func codeSpan(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		text = " " + text + " "
	}
	return fence + text + fence
}
