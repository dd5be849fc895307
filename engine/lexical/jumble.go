package lexical

// A jumble is a machine-made word: a hash, a key, an id, base64. Its beginning is its only term,
// so people find it by as much as they type or programs show, and it is one entry of the
// dictionary. The kept part does not depend on capitals, since queries may lack them.

const (
	hexBytes   = 7  // kept of a hash, as git shows
	mixedBytes = 12 // kept of other jumbles; many share a prefix
	longHex    = 16 // least length of a hash with only one letter from a to f
	longKey    = 20 // least length of a jumble of letters and digits
	leastMixed = 10 // least length at which capitals may mean nothing
	fewLines   = 16 // base64 has at most one underscore in so many characters, names have more
)

// jumbleBytes returns how many bytes of a jumble are kept, or 0 for other words.
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
		return 0 // numbers with the same beginning are different numbers
	case digits+hexLetters == len(word) && (hexLetters > 1 || len(word) >= longHex || len(word) == hexBytes):
		return hexBytes
	case len(word) >= longKey && isKey(word):
		return mixedBytes
	}
	return 0
}

// isKey reports whether a word has more digits and rare letters than names have: a third of all
// characters in random ones, a tenth in names.
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

// isMixed reports whether a word switches between small letters, capitals and digits more often
// than names do, and so has no parts. A capital before a small letter belongs to it.
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

// kindOf returns the class of a character; letters beyond ASCII count as small.
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
