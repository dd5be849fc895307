package rich

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxInline is the longest line, in bytes, whose inline markup is read.
const maxInline = 2048

// tags are the HTML elements that people write into Markdown for their looks.
var tags = []string{"a", "b", "br", "center", "code", "details", "div", "em", "hr", "i", "img", "kbd", "p", "span", "strong", "sub", "summary", "sup", "u"}

// inliner reads the inline markup of one line.
type inliner struct {
	*maker
	plain bool // addresses of links are left out
}

// inline shows the source from from to to.
func (in inliner) inline(from, to int, look Look) {
	if to-from > maxInline {
		in.keep(from, to, look)
		return
	}
	var failed [256][4]bool // by mark and length: nothing closes it
	start := from
	for at := from; at < to; {
		end := 0
		c := in.src[at]
		switch c {
		case '*', '_', '~', '`':
			n := runLength(in.src[at:to], c)
			if short := min(n, 3); !failed[c][short] {
				if end = in.marked(start, at, n, to, look); end == 0 && opens(in.src, at, n) {
					failed[c][short] = true
				}
			}
			if end == 0 {
				at += n
				continue
			}
		case '[', '!', '<', '\\':
			if !in.maker.marked(at) {
				end = in.bracketed(start, at, to, look)
			}
		}
		if end == 0 {
			at++
			continue
		}
		at, start = end, end
	}
	in.keep(start, to, look)
}

// marked shows what a run of n marks at at encloses, and what is between start
// and the run. It returns the end of the closing run, or 0 where nothing
// closes it.
func (in inliner) marked(start, at, n, to int, look Look) (end int) {
	c := in.src[at]
	if n > 3 || c == '~' && n != 2 || c != '`' && !opens(in.src, at, n) {
		return 0
	}
	inner := at + n
	for i := inner; i < to; {
		switch {
		case in.src[i] == '\\' && c != '`':
			i += 2
			continue
		case in.src[i] != c:
			i++
			continue
		}
		m := runLength(in.src[i:to], c)
		if m == n && i > inner && (c == '`' || closes(in.src, i, n)) {
			in.keep(start, at, look)
			switch c {
			case '`':
				in.keep(inner, i, look|Code)
			case '~':
				in.inline(inner, i, look|Strike)
			default:
				in.inline(inner, i, look|[]Look{0, Emphasis, Strong, Strong | Emphasis}[n])
			}
			return i + n
		}
		i += m
	}
	return 0
}

func runLength(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// opens reports whether the n marks at at may begin something: a word follows,
// and no word goes on through underscores.
func opens(s string, at, n int) bool {
	next, _ := utf8.DecodeRuneInString(s[at+n:])
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	return next != utf8.RuneError && !unicode.IsSpace(next) && (s[at] != '_' || !inWord(before))
}

func closes(s string, at, n int) bool {
	next, _ := utf8.DecodeRuneInString(s[at+n:])
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	return !unicode.IsSpace(before) && (s[at] != '_' || !inWord(next))
}

func inWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// bracketed shows a link, a picture, an escaped mark or a tag at at, and what is
// between start and it. It returns the end of it, or 0 where there is none.
func (in inliner) bracketed(start, at, to int, look Look) (end int) {
	rest := in.src[at:to]
	switch {
	case rest[0] == '\\':
		if len(rest) < 2 || !strings.ContainsRune("\\`*_{}[]()#+-.!|>~<", rune(rest[1])) {
			return 0
		}
		in.keep(start, at, look)
		in.keep(at+1, at+2, look)
		return at + 2
	case rest[0] == '<':
		return in.tag(start, at, to, look)
	case strings.HasPrefix(rest, "[["):
		size := strings.Index(rest, "]]")
		if size < 3 {
			return 0
		}
		name := at + 2
		if bar := strings.IndexByte(rest[2:size], '|'); bar >= 0 {
			name += bar + 1
		}
		in.keep(start, at, look)
		in.keep(name, at+size, look|Link)
		return at + size + 2
	}
	label := at + 1
	if rest[0] == '!' {
		if len(rest) < 2 || rest[1] != '[' {
			return 0
		}
		label++
	}
	middle := strings.Index(in.src[label:to], "](")
	if middle < 0 || strings.ContainsRune(in.src[label:label+middle], '[') {
		return 0
	}
	close := strings.IndexByte(in.src[label+middle:to], ')')
	if close < 0 {
		return 0
	}
	address, end := label+middle+2, label+middle+close
	in.keep(start, at, look)
	in.inline(label, label+middle, look|Link)
	switch {
	case middle == 0:
		in.keep(address, end, look|Link)
	case !in.plain:
		in.put(" (", look|Faint)
		in.keep(address, end, look|Faint)
		in.put(")", look|Faint)
	}
	return end + 1
}

// tag shows the address in angle brackets, and leaves out tags and comments.
func (in inliner) tag(start, at, to int, look Look) (end int) {
	rest := in.src[at:to]
	if strings.HasPrefix(rest, "<!--") {
		size := strings.Index(rest, "-->")
		if size < 0 {
			return 0
		}
		in.keep(start, at, look)
		return at + size + 3
	}
	size := strings.IndexByte(rest, '>')
	if size < 2 {
		return 0
	}
	inside := rest[1:size]
	name, _, _ := strings.Cut(strings.ToLower(strings.Trim(inside, "/")), " ")
	switch {
	case !strings.Contains(inside, " ") && (strings.Contains(inside, "://") || strings.Contains(inside, "@")):
		in.keep(start, at, look)
		in.keep(at+1, at+size, look|Link)
	case slices.Contains(tags, name):
		in.keep(start, at, look)
	default:
		return 0
	}
	return at + size + 1
}
