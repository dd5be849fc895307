package tokenizer

import (
	"unicode"
	"unicode/utf8"
)

// Spelled returns the share of the letters of a text, 0 to 1, that the vocabulary has no
// words or parts of words for: they are unknown, or stand alone in pieces of one letter
// within a word. A model that was not trained on a language spells its words so. A Chinese
// character is a word to many models and counts only where it is unknown.
func (t *Tokenizer) Spelled(text string) float64 {
	ids, spans := t.EncodeSpans(text)
	unknown, hasUnknown := t.Unknown()
	letters, spelled := 0, 0
	first := 0 // span that may cover the letter
	for at, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		end := at + utf8.RuneLen(r)
		if r == utf8.RuneError {
			continue
		}
		for first < len(spans) && spans[first].End <= at {
			first++
		}
		covered, known := false, false
		for i := first; i < len(spans) && spans[i].Start < end; i++ {
			s := spans[i]
			if s.End <= at {
				continue
			}
			covered = true
			if hasUnknown && ids[i] == unknown {
				continue
			}
			known = known || unicode.Is(unicode.Han, r) || !alone(text, max(0, min(at, s.Start)), max(end, s.End))
		}
		if !covered { // normalised away
			continue
		}
		letters++
		if !known {
			spelled++
		}
	}
	if letters == 0 {
		return 0
	}
	return float64(spelled) / float64(letters)
}

// alone reports whether a stretch of a text holds one letter, and a word goes on before or
// behind it.
func alone(text string, start, end int) bool {
	letters := 0
	for _, r := range text[start:end] {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	behind, _ := utf8.DecodeRuneInString(text[end:])
	return letters == 1 && (inWord(before) || inWord(behind))
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }
