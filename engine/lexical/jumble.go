package lexical

// A jumble is a word that a machine made up: a hash, a key, an id, a stretch of base64.
// Its beginning is its only term, so that one is found by as much of it as people
// type or as programs show, and is one entry in the dictionary: what looks like
// names in it are none.
//
// What is kept of a word does not depend on capitals, since a query need not have them.

const (
	// hexBytes is what is kept of a hash: as much as git shows of one.
	hexBytes = 7
	// mixedBytes is what is kept of other jumbles. Many of one kind begin alike.
	mixedBytes = 12
	// longHex is from where on a word of digits and of one letter from a to f is a hash.
	longHex = 16
	// longKey is from where on a word of letters and digits can be a jumble, and
	// leastMixed from where on its capitals need not begin names.
	longKey    = 20
	leastMixed = 10
	// fewLines is one underscore in as many characters: base64 has no more, names have.
	fewLines = 16
)

// jumbleBytes returns how many bytes of a word are its term, because it is a jumble, and
// 0 if it is none.
func jumbleBytes(word string) int {
	if len(word) < hexBytes {
		return 0
	}
	digits, hexLetters := 0, 0
	for i := range len(word) {
		switch c := word[i]; {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F':
			hexLetters++
		case c >= 0x80:
			return 0
		}
	}
	switch {
	case digits == 0 || digits == len(word):
		return 0 // numbers that begin alike are different numbers
	case digits+hexLetters == len(word) && (hexLetters > 1 || len(word) >= longHex || len(word) == hexBytes):
		return hexBytes
	case len(word) >= longKey && isKey(word):
		return mixedBytes
	}
	return 0
}

// isKey reports whether a word has more numbers and rare letters than names have. In
// random letters and digits they are a third of all characters, in names a tenth.
func isKey(word string) bool {
	signs, lines, last := 0, 0, byte(0)
	for i := range len(word) {
		kind := kindOf(word[i])
		switch c := word[i] | 0x20; {
		case kind == '0' && last != '0':
			signs++
		case kind == '_':
			lines++
		case c == 'j' || c == 'k' || c == 'q' || c == 'v' || c == 'w' || c == 'x' || c == 'z':
			signs++
		}
		last = kind
	}
	if lines*fewLines > len(word) {
		return false
	}
	return 10*signs >= 3*len(word) || len(word) >= 32 && 4*signs >= len(word)
}

// isMixed reports whether a word changes between small letters, capitals and digits
// more often than names do: then it has no parts. A capital before a small letter is of
// the same stretch.
func isMixed(word string) bool {
	stretches := 0
	var last, before byte // kinds of the two characters before
	for i := range len(word) {
		kind := kindOf(word[i])
		if kind == '_' && len(word) < longKey {
			return false
		}
		if kind != last && kind != '_' && (kind != 'a' || last != 'A' || before == 'A') {
			stretches++
		}
		last, before = kind, last
	}
	return len(word) >= leastMixed && 2*stretches > len(word)
}

// kindOf returns a character that stands for those of its kind; letters beyond ASCII
// count as small ones.
func kindOf(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return '0'
	case 'A' <= c && c <= 'Z':
		return 'A'
	case c == '_':
		return '_'
	}
	return 'a'
}
