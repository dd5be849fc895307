package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// divisions says how words that are divided at the ends of lines are spelt elsewhere in
// the file.
type divisions map[string]bool

// divisionsOf looks for the words of a file that are divided somewhere in it, and for their
// parts.
func divisionsOf(pages [][]row) divisions {
	wanted := map[string]bool{}
	for _, rows := range pages {
		for i := range len(rows) - 1 {
			if left, is := open(&rows[i]); is {
				right := firstWord(rows[i+1].text())
				for _, word := range []string{left + right, left + "-" + right, left, right} {
					wanted[strings.ToLower(word)] = true
				}
			}
		}
	}
	found := divisions{}
	if len(wanted) == 0 {
		return found
	}
	for _, rows := range pages {
		divided := false // the word that a row begins with
		for i := range rows {
			words := strings.FieldsFunc(rows[i].text(), notOfWord)
			if divided {
				words = words[min(1, len(words)):]
			}
			if _, divided = open(&rows[i]); divided {
				words = words[:max(len(words)-1, 0)]
			}
			for _, word := range words {
				if word = strings.ToLower(word); wanted[word] {
					found[word] = true
				}
			}
		}
	}
	return found
}

// open returns the first part of the word that a row ends within.
func open(r *row) (left string, is bool) {
	text := r.text()
	if !r.hyphen() {
		if text, is = strings.CutSuffix(text, "-"); !is {
			return "", false
		}
	}
	left = text[strings.LastIndexFunc(text, notOfWord)+1:]
	return left, left != ""
}

func notOfWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '\''
}

// firstWord returns the word that a line begins with, "" of none.
func firstWord(s string) string {
	if end := strings.IndexFunc(s, notOfWord); end >= 0 {
		return s[:end]
	}
	return s
}

// join returns two lines as one text. hyphen says that the first one ends with a hyphen
// that is left out.
func (d divisions) join(line string, hyphen bool, next string) string {
	plain, has := strings.CutSuffix(line, "-")
	if !hyphen && has && unicode.IsLetter(lastRune(plain)) && unicode.IsLower(firstRune(next)) {
		line, hyphen = plain, true
	}
	if hyphen {
		left, right := line[strings.LastIndexFunc(line, notOfWord)+1:], firstWord(next)
		switch whole, parted := strings.ToLower(left+right), strings.ToLower(left+"-"+right); {
		case right == "":
			return line + "- " + next
		case d[whole]:
			return line + next
		case d[parted], !unicode.IsLower(firstRune(right)), d.compound(strings.ToLower(left), strings.ToLower(right)):
			return line + "-" + next
		}
		return line + next
	}
	if isWide(lastRune(line)) && isWide(firstRune(next)) {
		return line + next
	}
	return line + " " + next
}

// maxCompound is how many letters a compound may have that is indexed by its joined form too:
// a shorter word that was divided after all is found by it.
const maxCompound = 10

// compound reports whether a word that is nowhere else in the file is more likely divided at a
// hyphen of its own: well-known, of which both parts are words of the file, and e-mail, since
// no rules of hyphenation part a single letter.
func (d divisions) compound(left, right string) bool {
	if utf8.RuneCountInString(left) == 1 {
		return unicode.IsLetter(firstRune(left))
	}
	return d[left] && d[right] && utf8.RuneCountInString(left+right) <= maxCompound
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
