package ignore

import "strings"

// parseClass reads a bracket expression from behind its "[" and returns the set
// of bytes it matches and the number of bytes read, with the closing "]". A
// malformed expression returns -1: a pattern that has one matches nothing.
// No class matches a slash.
func parseClass(p string) (set byteSet, n int) {
	i := 0
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	// last is the byte before a "-" that may begin a range, 0 where there is none.
	var last byte
	for first := true; first || i >= len(p) || p[i] != ']'; first = false {
		if i >= len(p) {
			return set, -1
		}
		member, read := parseMember(p[i:], last, &set)
		if read < 0 {
			return set, -1
		}
		last = member
		i += read
	}
	if negated {
		set.invert()
	}
	set.remove('/')
	return set, i + 1
}

// parseMember reads one member of a bracket expression, adds what it stands for
// to set, and returns the byte that a following "-" would begin a range with (0
// for none) and the number of bytes read, -1 when malformed.
func parseMember(p string, last byte, set *byteSet) (member byte, n int) {
	switch {
	case p[0] == '\\':
		if len(p) < 2 {
			return 0, -1
		}
		set.add(p[1])
		return p[1], 2
	case p[0] == '-' && last != 0 && len(p) > 1 && p[1] != ']':
		hi, n := p[1], 2
		if hi == '\\' {
			if len(p) < 3 {
				return 0, -1
			}
			hi, n = p[2], 3
		}
		set.addRange(last, hi)
		return 0, n
	case strings.HasPrefix(p, "[:"):
		return parseNamedClass(p, set)
	}
	set.add(p[0])
	return p[0], 1
}

// parseNamedClass reads "[:name:]". Where the closing ":]" is missing, the "["
// is an ordinary member; where there is no "]" at all or the name is unknown,
// the expression is malformed.
func parseNamedClass(p string, set *byteSet) (member byte, n int) {
	end := strings.IndexByte(p[2:], ']')
	if end < 0 {
		return 0, -1
	}
	name, ok := strings.CutSuffix(p[2:2+end], ":")
	if !ok {
		set.add('[')
		return '[', 1
	}
	in, known := namedClasses[name]
	if !known {
		return 0, -1
	}
	for b := range 256 {
		if in(byte(b)) {
			set.add(byte(b))
		}
	}
	return 0, 2 + end + 1
}

// namedClasses are the POSIX classes over ASCII. White space leaves out the
// vertical tab and the form feed, as in git.
var namedClasses = map[string]func(byte) bool{
	"alnum":  func(b byte) bool { return isAlpha(b) || isDigit(b) },
	"alpha":  isAlpha,
	"blank":  func(b byte) bool { return b == ' ' || b == '\t' },
	"cntrl":  func(b byte) bool { return b < 0x20 || b == 0x7f },
	"digit":  isDigit,
	"graph":  func(b byte) bool { return b > 0x20 && b < 0x7f },
	"lower":  func(b byte) bool { return 'a' <= b && b <= 'z' },
	"print":  func(b byte) bool { return 0x20 <= b && b < 0x7f },
	"punct":  func(b byte) bool { return b > 0x20 && b < 0x7f && !isAlpha(b) && !isDigit(b) },
	"space":  func(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' },
	"upper":  func(b byte) bool { return 'A' <= b && b <= 'Z' },
	"xdigit": func(b byte) bool { return isDigit(b) || 'a' <= b|0x20 && b|0x20 <= 'f' },
}

func isAlpha(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
func isDigit(b byte) bool { return '0' <= b && b <= '9' }
