package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/internal/pattern"
)

// Piece is a sentence of a text, or its equivalent.
type Piece struct {
	Range      // in bytes, without marks of lists, headings and fences
	Kind  Kind // of its block
	// Block numbers the text's blocks: pieces of a paragraph or item share one.
	Block int
}

// Kind is a kind of block.
type Kind uint8

// The kinds of blocks.
const (
	Prose Kind = iota
	Item       // of a list
	Heading
	Code
	Row // of a table
)

// Split cuts Markdown or plain text into sentences and deliberate lines: in
// order, not empty, disjoint, trimmed. A block of code, with its first line's
// indentation, a heading and a table's row are one piece each.
func Split(text string) []Piece {
	var pieces []Piece
	for n, b := range blocks(text) {
		switch {
		case b.kind == Prose && isTable(text, b.Range):
			for _, line := range linesOf(text, b.Range) {
				for _, r := range appendTrimmed(nil, text, line) {
					pieces = append(pieces, Piece{r, Row, n})
				}
			}
		case b.kind == Prose, b.kind == Item:
			for _, line := range hardLines(text, b.Range) {
				for _, r := range sentences(text, line) {
					pieces = append(pieces, Piece{r, b.kind, n})
				}
			}
		default:
			pieces = append(pieces, Piece{b.Range, b.kind, n})
		}
	}
	return pieces
}

func sentences(text string, block Range) []Range {
	var found []Range
	start, inCode := block.Start, false
	for i := block.Start; i < block.End; {
		r, size := utf8.DecodeRuneInString(text[i:block.End])
		next := i + size
		if r == '`' {
			inCode = !inCode && strings.IndexByte(text[next:block.End], '`') >= 0
		}
		if !inCode && isTerminator(r) {
			if end, ok := sentenceEnd(text, start, i, block.End); ok {
				found = appendTrimmed(found, text, Range{Start: start, End: end})
				start, next = end, end
			}
		}
		i = next
	}
	return appendTrimmed(found, text, Range{Start: start, End: block.End})
}

func isTerminator(r rune) bool {
	switch r {
	case '.', '!', '?', '…', '。', '！', '？':
		return true
	}
	return false
}

// leadingReferences belong to the sentence before them: "... in 1066.[3] The
// tower ...".
var leadingReferences = pattern.New(`^(?:\[[0-9]{1,3}\])+`)

// sentenceEnd reports whether the terminator at text[at] ends the sentence
// begun at start, and where, closing marks included.
func sentenceEnd(text string, start, at, limit int) (end int, ok bool) {
	first, size := utf8.DecodeRuneInString(text[at:])
	end = at + size
	for end < limit {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !isTerminator(r) && !strings.ContainsRune("\"'”’»)]*_", r) {
			break
		}
		end += size
	}
	end += len(leadingReferences.FindString(text[end:limit]))
	if end == limit || first == '。' || first == '！' || first == '？' {
		return end, true
	}
	after, width := utf8.DecodeRuneInString(text[end:])
	if !unicode.IsSpace(after) {
		return end, false
	}
	next := followingRune(text[end+width : limit])
	if next == 0 {
		return end, true
	}
	if unicode.IsLower(next) {
		return end, false
	}
	return end, first != '.' || !isAbbreviation(text[start:at], text[end:limit])
}

// followingRune is the first letter or digit after opening marks, or 0.
func followingRune(text string) rune {
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
	}
	return 0
}

// abbreviations do not end a sentence with their point, whatever follows.
var abbreviations = wordSet(`mr mrs ms dr prof st sr gen col lt capt sgt cpl rev hon gov sen rep pres
	vs cf e.g i.e eg ie viz approx ca c no nos vol vols fig figs eq eqs sec ch pp p ed eds al op cit
	jan feb mar apr jun jul aug sep sept oct nov dec mt ft inc ltd co corp dept univ assn bros est
	ave blvd rd lat long max min ver resp`)

// endingAbbreviations may end a sentence, before a word that usually begins
// one.
var endingAbbreviations = wordSet(`inc ltd co corp etc jr sr bros st al ave rd`)

// sentenceStarters, with a capital, mostly begin a sentence.
var sentenceStarters = wordSet(`the a an it its he she they we you i in on at by for from to this that
	these those there his her their our as after before when while although however but and or if
	since during with under use run then also some many most one`)

// isAbbreviation reports whether the point after before belongs to an
// abbreviation or initials.
func isAbbreviation(before, after string) bool {
	word := before[strings.LastIndexFunc(before, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("([\"'“‘", r)
	})+1:]
	word = strings.TrimLeftFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	lower := strings.ToLower(word)
	starts := sentenceStarters[strings.ToLower(firstWord(after))]
	if abbreviations[lower] || endingAbbreviations[lower] {
		// "no. 5", but "The answer is no."
		if lower == "no" || lower == "nos" || lower == "fig" || lower == "figs" {
			return unicode.IsDigit(followingRune(after))
		}
		return !endingAbbreviations[lower] || !starts
	}
	if utf8.RuneCountInString(word) == 1 { // an initial
		return unicode.IsUpper([]rune(word)[0])
	}
	if isInitials(word) { // U.S, a.m
		return !starts
	}
	return false
}

// isInitials reports whether a word is single letters between points.
func isInitials(word string) bool {
	parts := strings.Split(word, ".")
	for _, p := range parts {
		if utf8.RuneCountInString(p) != 1 || !unicode.IsLetter([]rune(p)[0]) {
			return false
		}
	}
	return len(parts) > 1
}

func firstWord(text string) string {
	text = strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); end >= 0 {
		return text[:end]
	}
	return text
}

// appendTrimmed appends a trimmed range unless it is empty.
func appendTrimmed(ranges []Range, text string, r Range) []Range {
	if r = trim(text, r); r.Start < r.End {
		ranges = append(ranges, r)
	}
	return ranges
}

func trim(text string, r Range) Range {
	body := text[r.Start:r.End]
	r.End -= len(body) - len(strings.TrimRightFunc(body, unicode.IsSpace))
	r.Start += len(text[r.Start:r.End]) - len(strings.TrimLeftFunc(text[r.Start:r.End], unicode.IsSpace))
	return r
}

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
