package ocr

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// paragraphs joins the lines of each block. A word that is divided at the end of a line is
// joined if it goes on in small letters.
func paragraphs(text string) string {
	var out []string
	var block strings.Builder
	end := func() {
		if block.Len() > 0 {
			out = append(out, block.String())
			block.Reset()
		}
	}
	for line := range strings.Lines(strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\f", "\n\n")) {
		line = strings.Join(strings.Fields(line), " ")
		if line == "" {
			end()
			continue
		}
		if !strings.ContainsFunc(line, isSaying) {
			continue
		}
		before := block.String()
		switch left, divided := divides(before); {
		case before == "":
		case divided && startsSmall(line):
			block.Reset()
			block.WriteString(left)
		default:
			block.WriteByte(' ')
		}
		block.WriteString(line)
	}
	end()
	return strings.Join(out, "\n\n")
}

// divides returns a text without the hyphen at its end, which divides a word.
func divides(text string) (left string, divided bool) {
	for _, hyphen := range []string{"-", "\u2010", "\u00ad", "\u00ac"} {
		if left, divided = strings.CutSuffix(text, hyphen); divided {
			last, _ := utf8.DecodeLastRuneInString(left)
			return left, unicode.IsLetter(last)
		}
	}
	return text, false
}

func startsSmall(line string) bool {
	first, _ := utf8.DecodeRuneInString(line)
	return unicode.IsLower(first)
}

func isSaying(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

const (
	// fewLetters in words are what a picture of anything gives.
	fewLetters = 30
	// wordShare of what is found in a picture of text are words.
	wordShare = 0.5
)

// telling reports whether a text is more than what specks and edges of a picture become: a
// few dozen letters in words, which are most of it.
func telling(text string) bool {
	letters, all := 0, 0
	for word := range strings.FieldsSeq(text) {
		all += utf8.RuneCountInString(word)
	}
	for word := range strings.FieldsFuncSeq(text, notOfWord) {
		if n := utf8.RuneCountInString(word); n > 2 || word[0] >= utf8.RuneSelf {
			letters += n
		}
	}
	return letters >= fewLetters && float64(letters) >= wordShare*float64(all)
}

func notOfWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '-' && r != '\'' && r != '\u2019'
}
