package rich

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// CodeLines returns lines of code with their looks; false where the language, a
// name or the extension of a file, is not known.
func CodeLines(language string, lines []Source) ([]Line, bool) {
	l, ok := languageOf(language)
	if !ok {
		return nil, false
	}
	out := make([]Line, len(lines))
	s := scanner{language: l}
	for i, line := range lines {
		s.maker = makerOf(line)
		s.line()
		out[i] = s.maker.line()
	}
	return out, true
}

// scanner tells comments, strings, numbers and keywords of a language.
type scanner struct {
	*maker
	language language
	until    string // what ends the comment or string that goes on from the line before; "" of none
	look     Look   // of it
}

func (s *scanner) line() {
	at := 0
	if s.until != "" {
		if at = s.closing(0, s.until); at < 0 {
			s.keep(0, len(s.src), s.look)
			return
		}
		s.keep(0, at, s.look)
		s.until = ""
	}
	start := at // of what has no look
	for at < len(s.src) {
		end, look := s.token(at)
		if look != 0 {
			s.keep(start, at, 0)
			s.keep(at, end, look)
			start = end
		}
		at = end
	}
	s.keep(start, len(s.src), 0)
}

// token returns the end of what begins at at, and its look.
func (s *scanner) token(at int) (end int, look Look) {
	rest := s.src[at:]
	for _, pair := range s.language.blocks {
		if strings.HasPrefix(rest, pair.open) {
			return s.enclosed(at, pair, Comment)
		}
	}
	for _, open := range s.language.comments {
		if strings.HasPrefix(rest, open) && (open != "#" || at == 0 || strings.ContainsRune(" \t;(", rune(s.src[at-1]))) {
			return len(s.src), Comment
		}
	}
	for _, pair := range s.language.texts {
		if strings.HasPrefix(rest, pair.open) {
			return s.enclosed(at, pair, String)
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case r == '"' || r == '\'' && !s.language.ticks || r == '`' && s.language.ticks:
		if end = s.closing(at+1, string(r)); end < 0 {
			return at + 1, 0 // an apostrophe, or goes on
		}
		return end, String
	case unicode.IsDigit(r):
		return at + prefixOf(rest, func(r rune) bool { return inWord(r) || r == '.' || r == '_' }), Number
	case inWord(r) || r == '_' || r == '@' || r == '$':
		end = at + max(prefixOf(rest, func(r rune) bool { return inWord(r) || r == '_' }), size)
		word := s.src[at:end]
		if s.language.folded {
			word = strings.ToLower(word)
		}
		if s.language.keywords[word] {
			return end, Keyword
		}
		return end, 0
	}
	return at + size, 0
}

// enclosed returns the end of a comment or string at at, which may go on behind
// the line.
func (s *scanner) enclosed(at int, p pair, look Look) (int, Look) {
	if end := s.closing(at+len(p.open), p.close); end >= 0 {
		return end, look
	}
	s.until, s.look = p.close, look
	return len(s.src), look
}

// closing returns the end of the next close from at on, over what a backslash
// keeps from it; -1 where there is none.
func (s *scanner) closing(at int, close string) int {
	for at < len(s.src) {
		switch {
		case strings.HasPrefix(s.src[at:], close):
			return at + len(close)
		case s.src[at] == '\\':
			at++
		}
		at++
	}
	return -1
}

func prefixOf(s string, of func(rune) bool) int {
	if end := strings.IndexFunc(s, func(r rune) bool { return !of(r) }); end >= 0 {
		return end
	}
	return len(s)
}
