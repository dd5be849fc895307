package bench

import (
	"regexp"
	"strings"
)

// compilePattern makes a regular expression of Python, as questions have them, one
// of RE2's: without regard to case, its dot matches line ends. RE2 has no
// lookaround and no references back, and says so.
func compilePattern(python string) (*regexp.Regexp, error) {
	return regexp.Compile("(?is)" + translatePattern(python))
}

// Sets of characters that are ASCII alone to RE2, and Unicode's to Python, as they
// stand within brackets.
const (
	pythonSpace = `\s\v\x1c-\x1f\x{85}\p{Z}`
	pythonWord  = `\p{L}\p{N}_`
	pythonDigit = `\p{Nd}`
)

// translatePattern rewrites the parts that mean something else to RE2. \b alone
// stays what it is there, the end of a word in ASCII. So do \S and \W within
// brackets.
func translatePattern(python string) string {
	var b strings.Builder
	bracket := -1 // where the set begins that we are in; -1 outside
	for i := 0; i < len(python); i++ {
		rest := python[i:]
		switch {
		case rest[0] == '\\' && len(rest) > 1:
			b.WriteString(translateEscape(rest[:2], bracket >= 0))
			i++
			continue
		case bracket < 0 && rest[0] == '[':
			bracket = i
		case bracket >= 0 && rest[0] == ']' && strings.TrimPrefix(python[bracket+1:i], "^") != "":
			bracket = -1 // one that comes first is of the set
		case bracket < 0 && strings.HasPrefix(rest, "{,"):
			b.WriteString("{0") // RE2 takes {,n} for these characters
			continue
		}
		b.WriteByte(rest[0])
	}
	return b.String()
}

// translateEscape translates a backslash and what follows it.
func translateEscape(escape string, inBrackets bool) string {
	set, negated := "", false
	switch escape[1] {
	case 's', 'S':
		set, negated = pythonSpace, escape[1] == 'S'
	case 'w', 'W':
		set, negated = pythonWord, escape[1] == 'W'
	case 'd', 'D':
		set, negated = pythonDigit, escape[1] == 'D'
	case 'Z':
		return `\z`
	default:
		return escape
	}
	switch {
	case !inBrackets && negated:
		return "[^" + set + "]"
	case !inBrackets:
		return "[" + set + "]"
	case negated && escape[1] == 'D':
		return `\P{Nd}`
	case negated:
		return escape
	}
	return set
}

// markRun is white space and Markdown's marks.
var markRun = regexp.MustCompile("[" + pythonSpace + "*_`#>|-]+")

// flatten makes texts comparable: in small letters, each run of white space and
// Markdown's marks one space.
func flatten(text string) string {
	return strings.ToLower(strings.TrimSpace(markRun.ReplaceAllString(text, " ")))
}
