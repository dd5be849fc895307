package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// term is a word with its possible senses in an injection.
type term struct {
	sense
	start    int  // byte of the text
	sentence int  // index of its sentence
	place    int  // index in its sentence
	paused   bool // a comma or a colon follows
	colon    bool // a colon and more of its line follow
}

// termScanner reads words. Accents, zero-width characters, marks of emphasis
// and hyphens at line ends do not hide any.
type termScanner struct {
	found    []term
	word     strings.Builder // the word so far: small letters without accents
	start    int             // of the word
	capitals bool            // the word is all capitals
	sentence int
	place    int
	urged    bool // the next word begins an order: a sentence, or what follows a comma or "please"
}

func termsOf(text string, r Range) []term {
	s := termScanner{urged: true}
	for i := r.Start; i < r.End; {
		c, size := utf8.DecodeRuneInString(text[i:r.End])
		rest := text[i+size : r.End]
		switch {
		case unicode.Is(unicode.Cf, c) || unicode.Is(unicode.Mn, c):
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			s.letter(c, i)
		case c == ' ' && isSpaced(text[:i], rest):
		case c == '-' && s.word.Len() > 0 && hyphened(rest) > 0:
			size += hyphened(rest)
		default:
			s.end()
			s.mark(c, rest)
		}
		i += size
	}
	s.end()
	name(s.found)
	return s.found
}

func (s *termScanner) letter(c rune, at int) {
	if s.word.Len() == 0 {
		s.start, s.capitals = at, true
	}
	s.capitals = s.capitals && unicode.IsUpper(c)
	s.word.WriteString(bare(c))
}

// mark handles a character between words.
func (s *termScanner) mark(c rune, rest string) {
	next, _ := utf8.DecodeRuneInString(rest)
	switch {
	case isTerminator(c) && (rest == "" || unicode.IsSpace(next)):
		s.sentence, s.place, s.urged = s.sentence+1, 0, true
	case strings.ContainsRune(",:;|>\"“«", c):
		s.urged = true
		if n := len(s.found); n > 0 && (c == ',' || c == ':') {
			s.found[n-1].paused, s.found[n-1].colon = true, c == ':' && next == ' '
		}
	}
}

func (s *termScanner) end() {
	if s.word.Len() == 0 {
		return
	}
	t := term{sense: senseOf(s.word.String(), s.capitals), start: s.start, sentence: s.sentence, place: s.place}
	if t.sense&(saying|stating|giving) != 0 && s.urged {
		t.sense |= told
	}
	s.urged = t.sense&urging != 0
	s.found = append(s.found, t)
	s.place++
	s.word.Reset()
}

// bare is a letter in lower case without accents.
func bare(c rune) string {
	if c < utf8.RuneSelf {
		return string(unicode.ToLower(c))
	}
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(string(c))))
}

// hyphened is the bytes between a hyphen at a line's end and the rest of its
// word; 0 elsewhere.
func hyphened(after string) int {
	rest := strings.TrimLeft(after, space)
	if gap := after[:len(after)-len(rest)]; strings.Contains(gap, "\n") && unicode.IsLower(firstRune(rest)) {
		return len(gap)
	}
	return 0
}

// stemLeast is the fewest letters of a stem.
const stemLeast = 3

// sensesOf and stems are the senses by word and by beginning of words.
var sensesOf, stems = func() (sensesOf, stems map[string]sense) {
	sensesOf, stems = map[string]sense{}, map[string]sense{}
	for s, list := range senses {
		for _, w := range strings.Fields(list) {
			if stem, ok := strings.CutSuffix(w, "*"); ok {
				stems[stem] |= s
			} else {
				sensesOf[w] |= s
			}
		}
	}
	return sensesOf, stems
}()

// isSpaced reports whether a space separates single letters, as in w o r d.
func isSpaced(before, after string) bool {
	alone := func(a, b, c string) bool { return isLetter(b) && !isLetter(a) && !isLetter(c) }
	n := len(before)
	return n > 0 && len(after) > 0 && alone(before[max(0, n-2):n-1], before[n-1:], " ") && alone(" ", after[:1], after[1:min(2, len(after))])
}

// isLetter reports whether a text is a letter of ASCII.
func isLetter(s string) bool {
	return len(s) == 1 && (s[0] >= 'a' && s[0] <= 'z' || s[0] >= 'A' && s[0] <= 'Z')
}

// senseOf returns a word's senses. AI, IA and KI are machines in capitals
// alone.
func senseOf(word string, capitals bool) sense {
	s := sensesOf[word]
	if capitals && (word == "ai" || word == "ia" || word == "ki") {
		s |= machine
	}
	for n := range word {
		if n >= stemLeast {
			s |= stems[word[:n]]
		}
	}
	return s | stems[word]
}

// Bounds of addressing a machine, in words.
const (
	calledWithin = 4  // from the beginning of its sentence: "Dear assistant AI:"
	hailedWithin = 10 // to a colon: "to whichever AI reads this:"
)

// name turns helpers and devices into machines where words beside them say so:
// language model, retrieval system, modelo de lenguaje. It marks addressed
// ones.
func name(terms []term) {
	beside := func(i, k int, s sense) bool {
		return k >= 0 && k < len(terms) && terms[k].sentence == terms[i].sentence && terms[k].sense&s != 0
	}
	for i := range terms {
		t := &terms[i]
		if t.sense&helper != 0 && (beside(i, i-1, kindOf|machine) || beside(i, i+1, kindOf|machine) || beside(i, i+2, kindOf|machine)) ||
			t.sense&device != 0 && beside(i, i-1, kindOf|machine) {
			t.sense |= machine
		}
		if t.sense&machine == 0 {
			continue
		}
		if t.paused && t.place < calledWithin {
			t.sense |= called
		}
		for k := i + 1; k < len(terms) && k <= i+hailedWithin && terms[k].sentence == t.sentence; k++ {
			if terms[k].colon {
				t.sense |= hailed
			}
		}
	}
}
