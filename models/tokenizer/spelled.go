package tokenizer

import (
	"unicode"
	"unicode/utf8"
)

// Spelled returns the share of a text's letters, 0 to 1, without words in the
// vocabulary: unknown ones, or pieces of one letter within a word. A model
// spells languages outside its training so. Chinese characters count only where
// unknown.
func (t *Tokenizer) Spelled(text string) float64 {
	ids, spans := t.EncodeSpans(text)
	unknown, hasUnknown := t.Unknown()
	letters, spelled := 0, 0
	first := 0 // may cover the letter
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

// alone reports whether a stretch holds one letter of a longer word.
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
