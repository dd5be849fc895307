package chunk

import (
	"strings"
	"unicode/utf8"
)

// Penalties of a cut, by what stands at the place. The scale is that of
// outline.cost: 40 is what a chunk that is nearly empty costs.
const (
	atHeading    = 0
	atParagraph  = 10
	atCodeBlock  = 20
	atItem       = 24 // and itemDepth for every level of nesting
	itemDepth    = 4
	afterColon   = 34 // the sentence before introduces what follows
	atSentence   = 50
	atTableRow   = 52
	atLine       = 60
	inCodeBlank  = 66
	inLine       = 70 // between sentences of one line
	inCode       = 80
	inSentence   = 92
	afterComment = 96
	atFenceEnd   = 100
)

// Jitter comes from the first bytes of an atom alone. It is smaller than the
// steps that matter between penalties; between 7 and 20 it made no difference to
// the sizes of chunks.
const (
	maxJitter   = 12
	jitterBytes = 48
)

// jitterOf returns a hash of s (FNV-1a) below maxJitter.
func jitterOf(s string) uint8 {
	hash := uint32(2166136261)
	for i := range len(s) {
		hash = (hash ^ uint32(s[i])) * 16777619
	}
	return uint8((hash >> 8) % maxJitter)
}

// scanner reads lines and makes atoms of them.
type scanner struct {
	*outline
	text string
	at   int
	run  int // length of the last part of a run without white space; 0 before
}

// textLine is a line that holds something.
type textLine struct {
	start      int    // in the text
	text       string // without line end
	end        int    // behind the line end
	afterBlank bool   // a blank line, or nothing, stands before it
	indent     int    // columns of white space, tabs to multiples of four
	body       string // without the white space around it
}

// next returns the next line that holds something; false at the end.
func (s *scanner) next() (textLine, bool) {
	l := textLine{afterBlank: s.at == 0}
	for s.at < len(s.text) {
		l.start, l.end = s.at, len(s.text)
		l.text = s.text[s.at:]
		if n := strings.IndexByte(l.text, '\n'); n >= 0 {
			l.text, l.end = l.text[:n], s.at+n+1
		}
		s.at = l.end
		if l.start == 0 {
			l.text = strings.TrimPrefix(l.text, "\ufeff")
		}
		if l.body = strings.Trim(l.text, blanks); l.body != "" {
			l.indent = indentOf(l.text)
			return l, true
		}
		l.afterBlank = true
	}
	return l, false
}

func indentOf(line string) int {
	columns := 0
	for i := range len(line) {
		switch line[i] {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return columns
		}
	}
	return columns
}

// add makes atoms of a line, with the penalty of a cut before it.
func (s *scanner) add(l textLine, penalty int) {
	if s.opts.headingsOnly && !l.afterBlank { // an underline may make a heading of one behind a blank
		s.append(l.start, 1, penalty)
		return
	}
	if len(l.text) <= wholeLine {
		if n := s.opts.Count(l.text); n <= s.atomTokens() {
			s.append(l.start, n, penalty)
			return
		}
	}
	s.addParts(l, penalty)
}

// append adds an atom that goes as far as the next one begins.
func (s *scanner) append(start, tokens, penalty int) {
	s.atoms = append(s.atoms, atom{
		start:   start,
		tokens:  int32(max(1, tokens)),
		penalty: uint8(penalty),
		jitter:  jitterOf(s.text[start:min(len(s.text), start+jitterBytes)]),
		section: uint32(len(s.sections) - 1),
	})
}

// atomTokens returns the size of the largest atom: it fits beside the longest context.
func (o *outline) atomTokens() int {
	return max(1, o.opts.MaxTokens-o.opts.MaxTokens/contextShare)
}

// plain reads a text that has paragraphs alone.
func (s *scanner) plain() {
	var last textLine
	for l, ok := s.next(); ok; l, ok = s.next() {
		s.add(l, prosePenalty(l, last))
		last = l
	}
}

// prosePenalty returns the penalty of a cut between two lines of prose.
func prosePenalty(l, last textLine) int {
	depth, isItem := itemOf(l)
	switch {
	case isItem && (l.afterBlank || last.body != ""):
		return min(atItem+itemDepth*depth, atItem+5*itemDepth)
	case l.afterBlank && strings.HasSuffix(last.body, ":"):
		return afterColon
	case l.afterBlank:
		return atParagraph
	case strings.HasPrefix(l.body, "|"):
		return atTableRow
	case endsSentence(last.body):
		return atSentence
	}
	return atLine
}

// itemOf reports whether a line begins an item of a list, and how deep.
func itemOf(l textLine) (depth int, ok bool) {
	b := l.body
	digits := 0
	for digits < len(b) && digits < 9 && '0' <= b[digits] && b[digits] <= '9' {
		digits++
	}
	marker := 0
	switch {
	case digits > 0 && digits < len(b) && (b[digits] == '.' || b[digits] == ')'):
		marker = digits + 1
	case strings.IndexByte("-*+", b[0]) >= 0:
		marker = 1
	case strings.HasPrefix(b, "•"):
		marker = len("•")
	}
	if marker == 0 || marker < len(b) && b[marker] != ' ' && b[marker] != '\t' {
		return 0, false
	}
	return l.indent / 2, true
}

// endsSentence reports whether a line ends with the end of a sentence.
func endsSentence(body string) bool {
	body = strings.TrimRight(body, `"')]*_`)
	r, _ := utf8.DecodeLastRuneInString(body)
	return strings.ContainsRune(".!?:。！？", r)
}
