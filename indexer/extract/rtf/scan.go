// Package rtf divides Rich Text Format 1.9 into its tokens, and knows in which characters a font writes.
//
//	s := rtf.NewScanner(data)
//	for t, ok := s.Next(); ok; t, ok = s.Next() {
//		fmt.Println(t.Kind, t.Word, t.Number)
//	}
//
// Documents of word processors are in this format (package office), and so are bodies of Outlook's messages, of HTML too
// (package mapi).
package rtf

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Kind is what a Token is.
type Kind uint8

const (
	// Text is bytes of text in the character set of the font.
	Text Kind = iota
	// Open begins a group.
	Open
	// Close ends a group.
	Close
	// Word is a control word.
	Word
	// Symbol is a control symbol, but for those that stand for a byte of text.
	Symbol
)

// Token is a piece of RTF.
type Token struct {
	Kind     Kind
	Text     []byte // valid until the next token
	Word     string // without the backslash, at most 32 bytes
	Number   int    // behind the word
	Numbered bool
	Symbol   byte
}

// Scanner reads RTF token by token. Bytes of \bin are none, and neither is what stands for a \u to old readers.
type Scanner struct {
	data []byte
	skip int    // characters that stand for the last \u
	text []byte // bytes that are told next
	high rune   // the first half of a surrogate pair
}

// NewScanner returns a Scanner of RTF.
func NewScanner(data []byte) *Scanner { return &Scanner{data: data} }

// Next returns the next token; false at the end.
func (s *Scanner) Next() (Token, bool) {
	s.text = s.text[:0]
	for len(s.data) > 0 {
		c := s.data[0]
		if b, n := s.byteOfText(c); n > 0 {
			s.data = s.data[n:]
			s.add(b)
			continue
		}
		if len(s.text) > 0 {
			break
		}
		s.data = s.data[1:]
		switch c {
		case '{':
			s.skip = 0
			return Token{Kind: Open}, true
		case '}':
			s.skip = 0
			return Token{Kind: Close}, true
		case '\\':
			if t, ok := s.control(); ok {
				return t, true
			}
		}
	}
	return Token{Kind: Text, Text: s.text}, len(s.text) > 0
}

// byteOfText returns the byte of text that the data begins with, and how many bytes of RTF that takes, 0 where it begins
// with something else.
func (s *Scanner) byteOfText(c byte) (b byte, n int) {
	switch c {
	case '{', '}', '\r', '\n', 0:
		return 0, 0
	case '\\':
		if len(s.data) < 2 {
			return 0, 0
		}
		switch next := s.data[1]; {
		case next == '\\' || next == '{' || next == '}':
			return next, 2
		case next == '\'' && len(s.data) >= 4:
			if hex, err := strconv.ParseUint(string(s.data[2:4]), 16, 8); err == nil {
				return byte(hex), 4
			}
		}
		return 0, 0
	}
	return c, 1
}

// add takes a byte of text.
func (s *Scanner) add(b byte) {
	if s.skip > 0 {
		s.skip--
		return
	}
	s.high = 0
	s.text = append(s.text, b)
}

// control reads what follows a backslash; false where that is no token.
func (s *Scanner) control() (Token, bool) {
	if len(s.data) == 0 {
		return Token{}, false
	}
	if c := s.data[0]; !isLetter(c) {
		s.data = s.data[1:]
		switch {
		case c == '\'': // no hexadecimal number
			s.data = s.data[min(2, len(s.data)):]
			return Token{}, false
		case (c == '~' || c == '_') && s.skip > 0:
			s.skip--
			return Token{}, false
		}
		return Token{Kind: Symbol, Symbol: c}, true
	}
	word := s.cut(isLetter)
	sign := bytes.HasPrefix(s.data, []byte("-"))
	if sign {
		s.data = s.data[1:]
	}
	digits := s.cut(func(c byte) bool { return c >= '0' && c <= '9' })
	n, err := strconv.Atoi(digits[:min(len(digits), 11)])
	if sign {
		n = -n
	}
	s.data = bytes.TrimPrefix(s.data, []byte(" "))
	switch {
	case word == "bin":
		s.data = s.data[min(max(n, 0), len(s.data)):]
		return Token{}, false
	case s.skip > 0:
		s.skip--
		return Token{}, false
	}
	return Token{Kind: Word, Word: word[:min(len(word), 32)], Number: n, Numbered: err == nil}, true
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// cut cuts off bytes of a kind.
func (s *Scanner) cut(of func(c byte) bool) string {
	n := 0
	for n < len(s.data) && of(s.data[n]) {
		n++
	}
	head := string(s.data[:n])
	s.data = s.data[n:]
	return head
}

// Unicode returns the character of \u by its number, of 16 bits with a sign; "" for the first half of a surrogate pair.
// skip is how many characters behind it stand for it to old readers, as \uc says.
func (s *Scanner) Unicode(number, skip int) string {
	s.skip = skip
	c := rune(uint16(number))
	switch {
	case number > 0xffff && number <= utf8.MaxRune:
		c = rune(number)
	case utf16.IsSurrogate(c) && s.high == 0:
		s.high = c
		return ""
	case s.high != 0:
		c = utf16.DecodeRune(s.high, c)
	}
	s.high = 0
	return string(c)
}

// Skip returns the number of \uc as Unicode takes it.
func Skip(number int) int { return min(max(number, 0), 100) }
