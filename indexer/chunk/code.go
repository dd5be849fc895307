package chunk

import "strings"

// code reads source code. Indentation alone tells what belongs together, so that
// it works for every language that people indent.
func (s *scanner) code() {
	var last textLine
	titled := true // the unit has its title, or there is no unit
	for l, ok := s.next(); ok; l, ok = s.next() {
		switch {
		case beginsUnit(l, last):
			s.open(1, "", false)
			titled = false
		case !titled && l.indent > 0:
			s.nameUnit(last)
			titled = true
		}
		s.add(l, codePenalty(l, last))
		last = l
	}
}

// beginsUnit reports whether a line at the left margin begins a top-level unit:
// behind a blank line, or behind the body of another one.
func beginsUnit(l, last textLine) bool {
	if l.indent > 0 || isCloser(l.body) {
		return false
	}
	return l.afterBlank || last.indent > 0 || isCloser(last.body)
}

// nameUnit names the last unit by the line above its first indented one, if that
// is a declaration and not the rest of a comment.
func (s *scanner) nameUnit(line textLine) {
	if line.indent > 0 || line.body == "" || isComment(line.body) {
		return
	}
	unit := &s.sections[len(s.sections)-1]
	unit.title = shorten(strings.TrimRight(line.body, "{(:[ \t"))
	if unit.title != "" {
		unit.tokens = s.opts.Count(unit.title) + 1
	}
}

// codePenalty returns the penalty of a cut before a line of code.
func codePenalty(l, last textLine) int {
	depth := min(l.indent/2, 6)
	switch {
	case isComment(last.body) && !l.afterBlank:
		return afterComment
	case isCloser(l.body):
		return inCode + 10
	case l.afterBlank:
		return atParagraph + 6*depth
	case l.indent == 0 && (last.indent > 0 || isCloser(last.body)):
		return atCodeBlock
	}
	return atLine + 2*depth
}

// isCloser reports whether a line closes a block begun above it.
func isCloser(body string) bool {
	if body == "" {
		return false
	}
	return strings.IndexByte("})]", body[0]) >= 0 || body == "end" || strings.HasPrefix(body, "end;")
}

// isComment reports whether a line is a comment, in most languages.
func isComment(body string) bool {
	for _, mark := range [...]string{"//", "#", "/*", "*", "--", ";", "%", `"""`, "'''", "<!--"} {
		if strings.HasPrefix(body, mark) {
			return true
		}
	}
	return false
}
