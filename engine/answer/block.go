package answer

import "strings"

// block is a paragraph, a list item, a heading, a table row or a block of
// code.
type block struct {
	Range
	kind Kind
}

// maxCodeLines bounds a block of code; longer ones are cut at empty lines.
const maxCodeLines = 16

// space is Markdown's white space.
const space = " \t\r\n\v\f"

// blocks finds Markdown's blocks by line, as much of CommonMark as tells
// running text from the rest. Marks (#, -, 1., fences) stay outside.
func blocks(text string) []block {
	s := blockScanner{text: text, blank: true}
	for at := 0; at < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		s.line(at, end)
		at = end
	}
	s.close()
	return s.found
}

type blockScanner struct {
	text  string
	found []block
	open  *block // following lines may continue it
	fence string // of the open code block; "" outside
	lines int    // of the open block of code
	blank bool   // the line before was empty
	list  bool   // the last block was a list item
}

// line adds the line text[at:end], its end included.
func (s *blockScanner) line(at, end int) {
	line := s.text[at:end]
	body := strings.Trim(line, space)
	indent := len(line) - len(strings.TrimLeft(line, space))
	if s.fence != "" {
		s.fenced(at, end, body)
		return
	}
	wasBlank := s.blank
	s.blank = body == ""
	switch {
	case body == "":
		if s.open == nil || s.open.kind != Code {
			s.close()
		}
	case strings.HasPrefix(body, "```") || strings.HasPrefix(body, "~~~"):
		s.close()
		s.fence = body[:3]
	case s.isIndentedCode(line, wasBlank):
		s.indented(at, end)
	case isHeading(body):
		s.single(at, end, indent+len(body)-len(strings.TrimLeft(body, "#")), Heading)
	case isRule(body):
		s.underline(body)
	case strings.HasPrefix(body, "|"):
		if strings.Trim(body, "|-: \t") == "" {
			s.close()
			return
		}
		s.single(at, end, indent, Row)
	case strings.HasPrefix(body, "<!--") && strings.HasSuffix(body, "-->"), isReference(body):
		s.close()
	case itemMark(body) > 0:
		s.begin(at+indent+itemMark(body), end, Item)
		s.list = true
	default:
		s.running(at+indent, end, indent)
	}
}

// running adds a line of running text.
func (s *blockScanner) running(at, end, indent int) {
	if s.open != nil && s.open.kind != Code {
		s.open.End = end
		return
	}
	s.begin(at, end, Prose)
	if indent == 0 {
		s.list = false
	}
}

// fenced adds a line after an opening fence.
func (s *blockScanner) fenced(at, end int, body string) {
	if strings.HasPrefix(body, s.fence) && strings.Trim(body, s.fence[:1]) == "" {
		s.close()
		s.fence = ""
		return
	}
	s.code(at, end, body)
}

// isIndentedCode reports whether indentation makes a line code: not within a
// paragraph or a list.
func (s *blockScanner) isIndentedCode(line string, afterBlank bool) bool {
	if !strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "\t") {
		return false
	}
	return s.open != nil && s.open.kind == Code || afterBlank && !s.list
}

func (s *blockScanner) indented(at, end int) {
	s.code(at, end, strings.Trim(s.text[at:end], space))
}

func (s *blockScanner) code(at, end int, body string) {
	if body == "" && s.lines >= maxCodeLines {
		s.close()
		return
	}
	if s.open == nil || s.open.kind != Code {
		if body == "" {
			return
		}
		s.begin(at, end, Code)
		s.lines = 0
	}
	s.lines++
	s.open.End = end
}

// underline handles a line of - or =: it makes the line above a heading, or is
// a rule.
func (s *blockScanner) underline(body string) {
	if s.open != nil && s.open.kind == Prose && body[0] != '*' && body[0] != '_' &&
		!strings.Contains(strings.TrimSpace(s.text[s.open.Start:s.open.End]), "\n") {
		s.open.kind = Heading
	}
	s.close()
	s.list = false
}

// single adds a block of one line whose first skip bytes are marks.
func (s *blockScanner) single(at, end, skip int, kind Kind) {
	s.begin(at+skip, end, kind)
	s.close()
	s.list = false
}

func (s *blockScanner) begin(at, end int, kind Kind) {
	s.close()
	s.open = &block{Range{Start: at, End: end}, kind}
}

// close ends the open block and drops an empty one.
func (s *blockScanner) close() {
	if s.open == nil {
		return
	}
	b := *s.open
	s.open = nil
	if b.kind == Code { // its first line keeps its indentation
		b.End = b.Start + len(strings.TrimRight(s.text[b.Start:b.End], " \t\r\n"))
	} else {
		b.Range = trim(s.text, b.Range)
	}
	if strings.TrimSpace(s.text[b.Start:b.End]) != "" {
		s.found = append(s.found, b)
	}
}

func isHeading(body string) bool {
	rest := strings.TrimLeft(body, "#")
	level := len(body) - len(rest)
	return level >= 1 && level <= 6 && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

// isRule reports whether a line is a thematic break or underlines a heading.
func isRule(body string) bool {
	for _, mark := range []string{"-", "=", "*", "_"} {
		if strings.Trim(body, mark+" ") == "" {
			return strings.Count(body, mark) >= 3 || mark == "=" || !strings.Contains(body, " ") && len(body) >= 2
		}
	}
	return false
}

// isReference reports whether a line defines a link: "[name]: address".
func isReference(body string) bool {
	end := strings.Index(body, "]: ")
	return strings.HasPrefix(body, "[") && end > 1 && !strings.Contains(strings.TrimSpace(body[end+3:]), " ")
}

// itemMark is the length of a list item's mark, task box and spaces; 0 where
// there is none.
func itemMark(body string) int {
	n := 0
	switch {
	case strings.ContainsRune("-*+•", firstRune(body)):
		n = len(string(firstRune(body)))
	default:
		for n < len(body) && n < 9 && body[n] >= '0' && body[n] <= '9' {
			n++
		}
		if n == 0 || n == len(body) || body[n] != '.' && body[n] != ')' {
			return 0
		}
		n++
	}
	rest := strings.TrimLeft(body[n:], " \t")
	if len(rest) == len(body)-n || rest == "" {
		return 0
	}
	for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
		rest = strings.TrimPrefix(rest, box)
	}
	return len(body) - len(rest)
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}
