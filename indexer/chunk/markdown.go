package chunk

import (
	"strings"

	"dowse/indexer/frontmatter"
)

// markdown reads a text with headings, lists and fenced code, as CommonMark has
// them. frontMatter says that metadata may stand at its beginning.
func (s *scanner) markdown(frontMatter bool) {
	if frontMatter {
		s.frontMatter()
	}
	var fence string
	var last textLine // empty behind a heading, where a paragraph begins
	lastIsText := false
	for l, ok := s.next(); ok; l, ok = s.next() {
		level, title := atxHeading(l)
		underline := setextLevel(l)
		before := len(s.atoms)
		switch {
		case fence != "":
			s.add(l, inFencePenalty(l, fence))
			if closesFence(l.body, fence) {
				fence = ""
			}
			last, lastIsText = l, false
		case level > 0:
			s.open(level, title, true)
			s.add(l, atHeading)
			last, lastIsText = textLine{}, false
		case lastIsText && !l.afterBlank && underline > 0:
			s.underline(underline, last.body, l.body)
			last, lastIsText = textLine{}, false
		default:
			fence = opensFence(l.body)
			s.add(l, blockPenalty(l, last, fence != ""))
			lastIsText = fence == "" && mayBeHeading(l) && len(s.atoms) == before+1
			last = l
		}
	}
}

// underline makes a heading of the last atom, which is one line of text.
func (s *scanner) underline(level int, title, line string) {
	first := len(s.atoms) - 1
	s.openAt(first, level, title, true)
	s.atoms[first].penalty = atHeading
	s.atoms[first].tokens += int32(s.opts.Count(line[:min(len(line), wholeLine)]))
}

// mayBeHeading reports whether a line is a paragraph that an underline below
// would make a heading.
func mayBeHeading(l textLine) bool {
	_, isItem := itemOf(l)
	return l.afterBlank && !isItem && l.indent < 4
}

// blockPenalty returns the penalty of a cut before a line outside of code blocks.
func blockPenalty(l, last textLine, isFence bool) int {
	switch {
	case last.body == "": // behind a heading, or the beginning of the text
		return atLine
	case isFence && strings.HasSuffix(last.body, ":"):
		return afterColon
	case isFence:
		return atCodeBlock
	}
	return prosePenalty(l, last)
}

func inFencePenalty(l textLine, fence string) int {
	switch {
	case closesFence(l.body, fence):
		return atFenceEnd
	case l.afterBlank && l.indent == 0:
		return inCodeBlank
	case l.afterBlank:
		return inCodeBlank + 4
	}
	return inCode
}

// frontMatter reads what a note says of itself. Its title stands above the headings of the text.
func (s *scanner) frontMatter() {
	matter := frontmatter.Read(s.text)
	if title := shorten(matter.Title()); title != "" {
		s.sections[0].title = title
		s.sections[0].tokens = s.opts.Count(title) + 1
	}
	for s.at < matter.End {
		l, ok := s.next()
		if !ok {
			return
		}
		s.add(l, inCode)
	}
}

// atxHeading returns level and title of a heading of number signs, level 0 when
// the line is none.
func atxHeading(l textLine) (level int, title string) {
	for level < len(l.body) && l.body[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || l.indent > 3 {
		return 0, ""
	}
	title = l.body[level:]
	if title != "" && title[0] != ' ' && title[0] != '\t' {
		return 0, ""
	}
	title = strings.Trim(title, blanks)
	if closing := strings.TrimRight(title, "#"); closing == "" || strings.HasSuffix(closing, " ") {
		title = strings.Trim(closing, blanks)
	}
	return level, title
}

// setextLevel returns the level of a heading that l underlines, 0 for none.
func setextLevel(l textLine) int {
	switch {
	case l.indent > 3:
		return 0
	case strings.Trim(l.body, "=") == "":
		return 1
	case strings.Trim(l.body, "-") == "":
		return 2
	}
	return 0
}

// opensFence returns the fence that a line opens a code block with, "" for none.
// Any indentation will do, because blocks stand in lists.
func opensFence(body string) string {
	for _, mark := range [...]string{"`", "~"} {
		rest := strings.TrimLeft(body, mark)
		n := len(body) - len(rest)
		if n >= 3 && (mark == "~" || !strings.Contains(rest, "`")) {
			return body[:n]
		}
	}
	return ""
}

// closesFence reports whether a line ends the code block that fence began.
func closesFence(body, fence string) bool {
	return strings.HasPrefix(body, fence) && strings.Trim(body, fence[:1]) == ""
}
