package passage

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/engine/lexical"
)

// People type a sentence without its markup, and its quotation marks, apostrophes, dashes and
// dots as their keyboard has them. softened is a folded text in which these do not matter:
// emphasis, quotation marks and the syntax of links and quoted lines are left out, and dashes,
// apostrophes and rows of dots are blanks, each where it stands at the edge of a word or between two.
type softened struct {
	text string
	at   []int32 // by byte: where it stands in the folded text; nil where nothing is left out
}

// softMarks are bytes of folded texts without which softening changes nothing.
const softMarks = "*_`~=\"'-[>#.\u2014\u2015\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a\u201a\u201b\u201f"

// Runs of these at the edge of a word are emphasis or quotation marks.
const edgeMarks = "*`~=\"'\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a\u201a\u201b\u201f"

// soften softens a folded text.
func soften(folded string) softened {
	if !strings.ContainsAny(folded, softMarks) {
		return softened{text: folded}
	}
	s := softener{text: folded, out: make([]byte, 0, len(folded)), at: make([]int32, 0, len(folded))}
	return s.run()
}

// withoutMarkup is a text softened but for its dashes.
func withoutMarkup(text string) string {
	s := softener{text: text, dashes: true}
	return s.run().text
}

// place returns the bytes of the folded text that bytes of the softened one stand for.
func (s *softened) place(start, end int) (from, to int) {
	if s.at == nil {
		return start, end
	}
	return int(s.at[start]), int(s.at[end-1]) + 1
}

type softener struct {
	text string
	next int // byte to look at
	out  []byte
	at   []int32

	closing []int // places of marks that close a pair whose first mark was left out
	dashes  bool  // stay
}

func (s *softener) run() softened {
	for s.next < len(s.text) {
		s.step()
	}
	return softened{string(s.out), s.at}
}

// step takes a character, a run of marks or the syntax of a link.
func (s *softener) step() {
	rest := s.text[s.next:]
	c := rest[0]
	if n := len(s.closing); n > 0 && s.closing[n-1] == s.next {
		s.closing = s.closing[:n-1]
		s.next++
		return
	}
	if s.next == 0 || s.text[s.next-1] == '\n' {
		if n := quoting(rest); n > 0 {
			s.next += n
			return
		}
	}
	switch c {
	case '[':
		if lead, body, tail := link(rest); tail > 0 {
			s.softenLink(lead, body, tail)
			return
		}
	case '_':
		if end := s.closes(); end > 0 {
			s.closing = append(s.closing, end)
			s.next++
			return
		}
	}
	if r, _ := utf8.DecodeRuneInString(rest); strings.ContainsRune(edgeMarks, r) {
		s.edge(runOf(rest, func(other rune) bool { return other == r }))
		return
	}
	if n := runOf(rest, isDash); n > 0 && !s.dashes {
		s.between(n)
		return
	}
	if n := runOf(rest, func(r rune) bool { return r == '.' }); n > 1 {
		s.blank(n)
		return
	}
	_, size := utf8.DecodeRuneInString(rest)
	s.keep(size)
}

// keep takes bytes over.
func (s *softener) keep(n int) {
	for i := range n {
		s.out, s.at = append(s.out, s.text[s.next+i]), append(s.at, int32(s.next+i))
	}
	s.next += n
}

// blank puts a blank in the place of bytes.
func (s *softener) blank(n int) {
	s.out, s.at = append(s.out, ' '), append(s.at, int32(s.next))
	s.next += n
}

// neighbours are the characters beside n bytes, but for marks that are left out; RuneError at an
// end of the text.
func (s *softener) neighbours(n int) (before, after rune) {
	before, _ = utf8.DecodeLastRune(s.out)
	after, _ = utf8.DecodeRuneInString(strings.TrimLeft(s.text[s.next+n:], "`\"*"))
	return before, after
}

func isOutside(r rune) bool { return r == utf8.RuneError || unicode.IsSpace(r) }

// edge leaves out marks that quote, of which one between two words is a blank, and marks of
// emphasis at the edge of a word or of what stands between blanks. Others stay.
func (s *softener) edge(n int) {
	before, after := s.neighbours(n)
	first, last := lexical.IsWord(before), lexical.IsWord(after)
	quotes := !strings.ContainsRune("*~=", rune(s.text[s.next]))
	switch {
	case quotes && first && last:
		s.blank(n)
	case quotes:
		s.next += n
	case s.text[s.next] == '=' && n < 2, first && last, isOutside(before) && isOutside(after):
		s.keep(n)
	case first || last || isOutside(before) || isOutside(after):
		s.next += n
	default:
		s.keep(n)
	}
}

// between puts a blank in the place of a dash between two words or blanks, and of a long one.
// Others belong to what they begin, as in --force.
func (s *softener) between(n int) {
	before, after := s.neighbours(n)
	dash, _ := utf8.DecodeRuneInString(s.text[s.next:])
	if dash != '-' || isOutside(before) && isOutside(after) || lexical.IsWord(before) && lexical.IsWord(after) {
		s.blank(n)
		return
	}
	s.keep(n)
}

// pairBytes is the most bytes between two underscores of emphasis.
const pairBytes = 300

// closes returns where the underscore closes that begins here as emphasis; 0 where it does not.
func (s *softener) closes() int {
	before, after := s.neighbours(1)
	if lexical.IsWord(before) && before != utf8.RuneError || isOutside(after) || after == '_' {
		return 0
	}
	for at := s.next + 1; at < min(len(s.text), s.next+pairBytes) && !strings.HasPrefix(s.text[at:], "\n\n"); at++ {
		if s.text[at] != '_' {
			continue
		}
		next, size := utf8.DecodeRuneInString(s.text[at+1:])
		if last, _ := utf8.DecodeLastRuneInString(s.text[:at]); !isOutside(last) && last != '_' && (size == 0 || !lexical.IsWord(next)) {
			return at
		}
	}
	return 0
}

// softenLink leaves out the syntax of a link, and softens what it shows.
func (s *softener) softenLink(lead, body, tail int) {
	start := s.next + lead
	inner := softener{text: s.text[start : start+body], dashes: s.dashes}
	shown := inner.run()
	for i := range len(shown.text) {
		from, _ := shown.place(i, i+1)
		s.out, s.at = append(s.out, shown.text[i]), append(s.at, int32(start+from))
	}
	s.next += lead + body + tail
}

// linkBytes is the most bytes of what a link shows, or of its address.
const linkBytes = 500

// link returns the bytes of a link before what it shows, of that, and behind it: [[page|shown]],
// [shown](address), and [^1], which shows nothing; 0 where none begins. Lines may break in it.
func link(text string) (lead, body, tail int) {
	text = text[:min(len(text), 2*linkBytes)]
	if blank := strings.Index(text, "\n\n"); blank >= 0 {
		text = text[:blank]
	}
	if strings.HasPrefix(text, "[[") {
		end := strings.Index(text, "]]")
		if end < 0 {
			return 0, 0, 0
		}
		lead = 2
		if bar := strings.LastIndexByte(text[:end], '|'); bar > 0 {
			lead = bar + 1
		}
		return lead, end - lead, 2
	}
	if strings.HasPrefix(text, "[^") {
		if end := strings.IndexAny(text, "] \n"); end > 0 && text[end] == ']' {
			return end, 0, 1
		}
		return 0, 0, 0
	}
	end := strings.Index(text, "](")
	if end < 0 || end > linkBytes || strings.Contains(text[1:end], "[") {
		return 0, 0, 0
	}
	if last := strings.IndexByte(text[end:], ')'); last > 0 {
		return 1, end - 1, last + 1
	}
	return 0, 0, 0
}

// quoting is how many bytes of a line quote it or make it a heading.
func quoting(line string) int {
	rest := strings.TrimLeft(line, " \t>")
	if n := len(line) - len(rest); strings.Contains(line[:n], ">") {
		return n
	}
	if marks := len(line) - len(strings.TrimLeft(line, "#")); marks > 0 && marks <= 6 && strings.HasPrefix(line[marks:], " ") {
		return marks + 1
	}
	return 0
}

// isDash reports whether a character of a folded text is a dash; fold has made one of the others.
func isDash(r rune) bool { return r == '-' || r == 0x2014 || r == 0x2015 }

// runOf is how many bytes at the front of a text are of a kind.
func runOf(text string, is func(r rune) bool) int {
	if end := strings.IndexFunc(text, func(r rune) bool { return !is(r) }); end >= 0 {
		return end
	}
	return len(text)
}
