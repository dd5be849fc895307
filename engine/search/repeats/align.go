package repeats

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/engine/lexical"
	"dowse/internal/fold"
)

// word is a word as texts are compared by: without its case and what stands around it.
type word struct {
	text  string
	named bool // begins with a capital
}

// number reports whether a word has digits.
func (w word) number() bool { return strings.ContainsFunc(w.text, unicode.IsDigit) }

// fact reports whether a word is a number, a sign, or one that turns a sentence round:
// nothing like it means the same.
func (w word) fact() bool {
	return turning[w.text] || w.number() || strings.ContainsAny(w.text[:1], "-!") || strings.ContainsAny(w.text, signs)
}

func equalWords(a, b word) bool { return a.text == b.text }

// turning are words by which two sentences differ that are alike otherwise.
var turning = map[string]bool{
	"not": true, "no": true, "never": true, "nor": true, "none": true, "without": true, "cannot": true,
	"t":  true, // of don't
	"on": true, "off": true, "before": true, "after": true, "up": true, "down": true, "left": true, "right": true,
	"nicht": true, "kein": true, "keine": true, "nie": true, "ohne": true, "ne": true, "pas": true, "sans": true, "sin": true,
}

// signs are what says something between words; other punctuation does not.
const signs = "+<>=%&|^~$@€£/\\"

// wordsOf cuts a text into words. In scripts without spaces each character is one, a
// minus or an exclamation mark right before a word belongs to it, and a sign is a
// word of its own.
func wordsOf(text string) []word {
	words := make([]word, 0, len(text)/5)
	before := ' '
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		end := at + size
		switch {
		case isSpaced(r):
			end += spacedLength(text[end:])
			from := at
			if (before == '-' || before == '!') && (at == 1 || !isWordBefore(text, at-1)) {
				from--
			}
			if plain := strings.Trim(fold.String(text[from:end]), "_"); plain != "" { // which emphasise
				words = append(words, word{text: plain, named: unicode.IsUpper(r)})
			}
		case r > ' ' && (lexical.IsDense(r) || strings.ContainsRune(signs, r)):
			words = append(words, word{text: text[at:end]})
		}
		before, at = r, end
	}
	return words
}

// spacedLength is how many bytes at the start of a text go on with a word.
func spacedLength(text string) int {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !isSpaced(r) {
			return at
		}
		at += size
	}
	return len(text)
}

// isSpaced reports whether a character belongs to a word of a script that puts spaces
// between them.
func isSpaced(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || r == '_'
	}
	return lexical.IsWord(r) && !lexical.IsDense(r)
}

// isWordBefore reports whether a word ends at a byte of a text, so that what
// stands there joins two.
func isWordBefore(text string, at int) bool {
	r, _ := utf8.DecodeLastRuneInString(text[:at])
	return lexical.IsWord(r)
}

// gap is where two texts differ between words that they share.
type gap struct {
	added   []word // by the worse one
	lacking []word // in it
	inside  bool   // the worse text goes on on both sides
}

// gapsOf aligns two texts by the longest sequence of words that they share, and
// returns what is between.
func gapsOf(better, worse []word) []gap {
	head := 0
	for head < min(len(better), len(worse)) && equalWords(better[head], worse[head]) {
		head++
	}
	tail := 0
	for tail < min(len(better), len(worse))-head && equalWords(better[len(better)-1-tail], worse[len(worse)-1-tail]) {
		tail++
	}
	a, b := better[head:len(better)-tail], worse[head:len(worse)-tail]
	longest := commonLengths(a, b)
	var gaps []gap
	var g gap
	i, j := 0, 0
	flush := func(end bool) {
		if len(g.added)+len(g.lacking) > 0 {
			g.inside = head+j-len(g.added) > 0 && (!end || tail > 0)
			gaps = append(gaps, g)
		}
		g = gap{}
	}
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && equalWords(a[i], b[j]):
			flush(false)
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && longest[i+1][j] >= longest[i][j+1]:
			g.lacking = append(g.lacking, a[i])
			i++
		default:
			g.added = append(g.added, b[j])
			j++
		}
	}
	flush(true)
	return gaps
}

// commonLengths returns, for each pair of tails, how many words they share in order.
func commonLengths(a, b []word) [][]uint16 {
	table := make([][]uint16, len(a)+1)
	for i := range table {
		table[i] = make([]uint16, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if equalWords(a[i], b[j]) {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}
