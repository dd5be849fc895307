package passage

import (
	"sort"
	"strings"

	"dowse/engine"
)

// Preview cuts the lines around a passage out of a text. Any numbers will
// do: they may come from another process.
func Preview(text *engine.Text, p engine.Passage, before, after int) *engine.Preview {
	lines := splitLines(text.Body)
	first, last := lineRange(text, p, len(lines))
	from := first - min(max(before, 0), first)
	to := min(last+1, len(lines))
	to += min(max(after, 0), len(lines)-to)
	out := &engine.Preview{
		Path:      p.Path,
		FirstLine: from + 1,
		Lines:     make([]string, 0, to-from),
		LineStart: first + 1,
		LineEnd:   last + 1,
		LineTotal: len(lines),
	}
	for _, line := range lines[from:to] {
		out.Lines = append(out.Lines, strings.TrimSuffix(line, "\r"))
	}
	return out
}

// splitLines cuts a text into lines; an empty one has none.
func splitLines(body string) []string {
	if body == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(body, "\n"), "\n")
}

// lineRange finds the passage in the text as it reads now and returns its
// first and last line there, from 0. For a passage that is not found it takes
// what came from the same lines of the file, as far as the file has them.
func lineRange(text *engine.Text, p engine.Passage, lines int) (first, last int) {
	start := nearestIndex(text, p)
	end := start + len(strings.TrimRight(p.Text, "\n"))
	if start < 0 {
		start = offset(text, func(line int) bool { return line >= p.LineStart })
		end = offset(text, func(line int) bool { return line > p.LineEnd }) - 1
	}
	first = strings.Count(text.Body[:start], "\n")
	last = first + strings.Count(text.Body[start:max(start, end)], "\n")
	first = max(0, min(first, lines-1))
	return first, max(first, min(last, lines-1))
}

// nearestIndex is where the passage's text stands in the file's text: of
// several places, the one whose line of the file is nearest; -1 if none. It
// looks once in each direction, since repetitive text has very many places.
func nearestIndex(text *engine.Text, p engine.Passage) int {
	if p.Text == "" {
		return -1
	}
	start := offset(text, func(line int) bool { return line >= p.LineStart })
	before := strings.LastIndex(text.Body[:min(start+len(p.Text)-1, len(text.Body))], p.Text)
	after := strings.Index(text.Body[start:], p.Text)
	if after < 0 {
		return before
	}
	after += start
	if before >= 0 && p.LineStart-text.Line(before) <= text.Line(after)-p.LineStart {
		return before
	}
	return after
}

// offset is the first byte of the text from whose line on a condition holds,
// or the length of the text. Lines of the file never descend in the text.
func offset(t *engine.Text, holds func(line int) bool) int {
	return sort.Search(len(t.Body), func(at int) bool { return holds(t.Line(at)) })
}
