package encoded

import "strings"

// minDump is how many lines a dump has at least: 1 KiB of sixteen bytes each.
const minDump = 64

// lines returns the runs that are lines of other codes, as a whole.
func lines(text string) (runs []Run) {
	var open Run // the lines of one code so far
	var kind code
	var n, letters, digits int
	end := func() {
		switch long := open.End - open.Start; {
		case kind == dump && n >= minDump && letters*20 >= digits,
			(kind == uuencode || kind == patch) && long >= minRun:
			runs = append(runs, open)
		}
		kind, n, letters, digits = plain, 0, 0, 0
	}
	for at := 0; at < len(text); {
		line, rest, _ := strings.Cut(text[at:], "\n")
		line = strings.TrimSuffix(line, "\r")
		is, l, d := codeOf(line, kind)
		if is != kind {
			end()
			open.Start, kind = at, is
		}
		open.End = at + len(line)
		n, letters, digits = n+1, letters+l, digits+d
		at = len(text) - len(rest)
	}
	end()
	return runs
}

// code is what the bytes of a line are written in.
type code uint8

const (
	plain code = iota
	uuencode
	patch // base 85, in patches of git
	dump  // hexadecimal digits
)

// codeOf returns the code of a line behind one of some code; of a dump, how many of its digits are letters too. All but
// the last lines of uuencode and of patches are as long as they may be.
func codeOf(line string, before code) (is code, letters, digits int) {
	const most = 256
	if len(line) < 2 || len(line) > most {
		return plain, 0, 0
	}
	switch c := line[0]; {
	case (c == 'M' || before == uuencode) && isUuencoded(line):
		return uuencode, 0, 0
	case (c == 'z' || before == patch) && isPatch(line):
		return patch, 0, 0
	case c == ' ' || c == '\t' || digitsOf(line[:1]):
		return isDump(line)
	}
	return plain, 0, 0
}

// isUuencoded reports whether a line is one of uuencode: a sign for the number of bytes, four signs for three bytes.
func isUuencoded(line string) bool {
	n := int(line[0]) - ' '
	if n < 1 || n > 45 || len(line) != 1+(n+2)/3*4 {
		return false
	}
	for i := range len(line) {
		if line[i] < ' ' || line[i] > '`' {
			return false
		}
	}
	return true
}

// isPatch reports whether a line is one of git's binary patches: a letter for the number of bytes, five signs for
// four bytes.
func isPatch(line string) bool {
	n := 0
	switch c := line[0]; alphabet[c] {
	case upper:
		n = int(c) - 'A' + 1
	case lower:
		n = int(c) - 'a' + 27
	default:
		return false
	}
	if len(line) != 1+(n+3)/4*5 {
		return false
	}
	for i := range len(line) {
		if c := line[i]; (alphabet[c] == none || c == '/') && strings.IndexByte("!#$%&()*;<=>?@^`{|}~", c) < 0 {
			return false
		}
	}
	return true
}

// isDump reports whether a line is one of a dump: some bytes in pairs, fours or eights of hexadecimal digits, or as 0x89.
// Behind an offset there may be no more than the same as text.
func isDump(line string) (is code, letters, digits int) {
	const fewest = 16 // digits in a line; the last one has fewer
	rest := strings.TrimLeft(line, " \t")
	if head, behind, found := strings.Cut(rest, " "); found && len(head) >= 4 && digitsOf(strings.TrimSuffix(head, ":")) {
		rest = behind // the offset, or the first bytes
	}
	for {
		word, behind, _ := strings.Cut(strings.TrimLeft(rest, " \t"), " ")
		word = strings.TrimPrefix(strings.TrimRight(word, ","), "0x")
		if n := len(word); n != 2 && n != 4 && n != 8 || !digitsOf(word) {
			break
		}
		for i := range len(word) {
			if digits++; alphabet[word[i]] != digit {
				letters++
			}
		}
		rest = behind
	}
	if digits < fewest || len(strings.TrimSpace(rest)) > digits {
		return plain, 0, 0
	}
	return dump, letters, digits
}

// digitsOf reports whether a word is hexadecimal digits alone.
func digitsOf(word string) bool {
	for i := range len(word) {
		if c := word[i] | 0x20; alphabet[word[i]] != digit && (c < 'a' || c > 'f') {
			return false
		}
	}
	return word != ""
}
