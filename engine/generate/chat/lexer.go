package chat

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is a kind of token.
type kind int

const (
	endOfTemplate kind = iota
	data               // what stands between tags
	blockBegin         // {%
	blockEnd           // %}
	printBegin         // {{
	printEnd           // }}
	name
	quoted
	integer
	operator
)

// token is a piece of a template. text is without quotes and escapes.
type token struct {
	kind kind
	text string
	line int
}

func (t token) String() string {
	switch t.kind {
	case endOfTemplate:
		return "the end of the template"
	case quoted:
		return fmt.Sprintf("%q", t.text)
	case data:
		return "text"
	}
	return t.text
}

// lexer cuts a template into tokens. Space is trimmed as the reference does
// with trim_blocks and lstrip_blocks: the end of line after a tag that is a
// statement or a comment belongs to it, and so does the space before one that
// stands first in a line.
type lexer struct {
	source string
	at     int
	line   int
	tokens []token
}

func lex(source string) []token {
	source = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(source)
	source = strings.TrimSuffix(source, "\n")
	l := &lexer{source: source, line: 1}
	for l.at < len(l.source) {
		l.next()
	}
	l.emit(endOfTemplate, "")
	return l.tokens
}

func (l *lexer) emit(k kind, text string) {
	l.tokens = append(l.tokens, token{kind: k, text: text, line: l.line})
}

func (l *lexer) fault(format string, arguments ...any) *Error {
	return fault(l.line, format, arguments...)
}

// skip moves over n bytes.
func (l *lexer) skip(n int) {
	l.line += strings.Count(l.source[l.at:l.at+n], "\n")
	l.at += n
}

// next reads text and the tag after it.
func (l *lexer) next() {
	rest := l.source[l.at:]
	open := tagIn(rest)
	if open < 0 {
		l.emit(data, rest)
		l.skip(len(rest))
		return
	}
	plain, tag := rest[:open], rest[open:open+2]
	sign := byte(0)
	if len(rest) > open+2 {
		sign = rest[open+2]
	}
	switch {
	case sign == '-':
		plain = strings.TrimRightFunc(plain, isSpace)
	case sign != '+' && tag != "{{":
		plain = l.withoutIndent(plain)
	}
	if plain != "" {
		l.emit(data, plain)
	}
	l.skip(open + 2)
	if sign == '-' || sign == '+' && tag != "{{" {
		l.skip(1)
	}
	if tag == "{#" {
		l.comment()
	} else {
		l.tag(tag == "{%")
	}
}

// tagIn finds the first tag.
func tagIn(s string) int {
	for at := 0; ; at++ {
		i := strings.IndexByte(s[at:], '{')
		if i < 0 || at+i+1 >= len(s) {
			return -1
		}
		at += i
		if c := s[at+1]; c == '%' || c == '{' || c == '#' {
			return at
		}
	}
}

// withoutIndent drops the space between the start of a line and a tag.
func (l *lexer) withoutIndent(plain string) string {
	start := strings.LastIndexByte(plain, '\n') + 1
	if start == 0 && l.at > 0 && l.source[l.at-1] != '\n' {
		return plain // the tag does not stand first in its line
	}
	if strings.TrimLeftFunc(plain[start:], isSpace) == "" {
		return plain[:start]
	}
	return plain
}

// comment skips one.
func (l *lexer) comment() {
	n := strings.Index(l.source[l.at:], "#}")
	if n < 0 {
		panic(l.fault("a comment without end"))
	}
	minus := n > 0 && l.source[l.at+n-1] == '-'
	l.skip(n + 2)
	l.afterTag(minus, true)
}

// afterTag skips the space that belongs to the tag before it.
func (l *lexer) afterTag(minus, line bool) {
	rest := l.source[l.at:]
	if minus {
		l.skip(len(rest) - len(strings.TrimLeftFunc(rest, isSpace)))
	} else if line && strings.HasPrefix(rest, "\n") {
		l.skip(1)
	}
}

// tag reads the tokens of a statement or of what is printed.
func (l *lexer) tag(block bool) {
	begin, end, closing := printBegin, printEnd, "}}"
	if block {
		begin, end, closing = blockBegin, blockEnd, "%}"
	}
	l.emit(begin, "{"+closing[:1])
	depth := 0 // of brackets, so that }} may end two dictionaries
	for {
		rest := strings.TrimLeftFunc(l.source[l.at:], isSpace)
		l.skip(len(l.source) - l.at - len(rest))
		if rest == "" {
			panic(l.fault("a tag without end"))
		}
		signed := len(rest) > 2 && (rest[0] == '-' || rest[0] == '+' && block) && rest[1:3] == closing
		if depth == 0 && (signed || strings.HasPrefix(rest, closing)) {
			l.emit(end, closing)
			if signed {
				l.skip(1)
			}
			l.skip(2)
			l.afterTag(signed && rest[0] == '-', block && !signed)
			return
		}
		l.expression(rest)
		if last := l.tokens[len(l.tokens)-1]; last.kind == operator {
			switch last.text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			}
		}
	}
}

// operators, the longest first.
var operators = []string{
	"**", "==", "!=", "<=", ">=",
	"+", "-", "*", "%", "~", "<", ">", "=", "(", ")", "[", "]", "{", "}", ".", ",", ":", "|",
}

// expression reads one token of an expression.
func (l *lexer) expression(rest string) {
	c, _ := utf8.DecodeRuneInString(rest)
	switch {
	case c == '\'' || c == '"':
		l.quoted(rest)
		return
	case c >= '0' && c <= '9':
		l.number(rest)
		return
	case c == '_' || unicode.IsLetter(c):
		n := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if n < 0 {
			n = len(rest)
		}
		l.emit(name, rest[:n])
		l.skip(n)
		return
	}
	for _, o := range operators {
		if strings.HasPrefix(rest, o) {
			l.emit(operator, o)
			l.skip(len(o))
			return
		}
	}
	panic(l.fault("character %q is not expected", c))
}

// number reads an integer.
func (l *lexer) number(rest string) {
	n := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if n < len(rest) && (rest[n] == '.' || rest[n] == '_' || unicode.IsLetter(rune(rest[n]))) {
		panic(l.fault("number %s is not supported", rest[:n+1]))
	}
	l.emit(integer, rest[:n])
	l.skip(n)
}

// escapes of strings beside those of line ends.
var escapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", '\\': "\\", '\'': "'", '"': "\"", '\n': ""}

// quoted reads a string.
func (l *lexer) quoted(rest string) {
	var s strings.Builder
	for i := 1; i < len(rest); i++ {
		switch c := rest[i]; c {
		case rest[0]:
			l.emit(quoted, s.String())
			l.skip(i + 1)
			return
		case '\\':
			i++
			if i == len(rest) {
				break
			}
			plain, ok := escapes[rest[i]]
			if !ok {
				panic(l.fault("escape \\%c in a string is not supported", rest[i]))
			}
			s.WriteString(plain)
		default:
			s.WriteByte(c)
		}
	}
	panic(l.fault("a string without end"))
}
