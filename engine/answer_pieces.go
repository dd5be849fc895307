package engine

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"dowse/internal/pattern"
)

// AnswerPiece is a stretch of an answer's text that is shown in one way. At
// most one of its first three marks is set.
type AnswerPiece struct {
	Text      string
	Citation  int  // the passage that it cites, in a piece that is "[3]"; 0 in others
	Highlight bool // the answer in short
	Doubt     bool // unsupported by what is cited for it, or the mark that says so
	Drafted   bool // guessed before the model agreed
}

// DoubtMark stands behind what an answer says without support.
const DoubtMark = "(?)"

// CitationMark matches a citation in the text of an answer: [1] and [1, 2].
var CitationMark = pattern.New(`\[[0-9]{1,4}(?:, ?[0-9]{1,4})*\]`)

// Pieces divides the text for the eye: citations, the answer in short, and
// what is unsupported, with a DoubtMark behind it that is not in Text.
func (a *Answer) Pieces() []AnswerPiece {
	cited := a.citationRanges()
	doubts, marks := a.doubts()
	cuts := []int{0, len(a.Text)}
	for _, ranges := range [][]Range{cited, doubts, a.Highlights, a.Drafted} {
		for _, r := range ranges {
			cuts = append(cuts, r.Start, r.End)
		}
	}
	// A citation is one piece, whichever part of it was drafted; and a screen may
	// have shortened the text.
	cuts = slices.DeleteFunc(cuts, func(at int) bool { return at < 0 || at > len(a.Text) || inside(cited, at) })
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var pieces []AnswerPiece
	for i, start := range cuts[:len(cuts)-1] {
		end := cuts[i+1]
		p := AnswerPiece{Text: a.Text[start:end], Drafted: covered(a.Drafted, start, end)}
		switch {
		case covered(cited, start, end):
			pieces = append(pieces, splitCitation(p)...)
		default:
			p.Doubt = covered(doubts, start, end)
			p.Highlight = !p.Doubt && covered(a.Highlights, start, end)
			pieces = append(pieces, p)
		}
		if mark, ok := marks[end]; ok {
			pieces = append(pieces, AnswerPiece{Text: mark, Doubt: true})
		}
	}
	return pieces
}

// Doubtful reports whether a piece of the answer lacks support.
func (a *Answer) Doubtful() bool {
	return slices.ContainsFunc(a.Sentences, func(s AnswerSentence) bool { return len(s.Unsupported) > 0 })
}

// citationRanges finds the citations in the text whose passages are cited.
// Anything else in brackets may be part of what a passage says.
func (a *Answer) citationRanges() []Range {
	known := map[int]bool{}
	for _, c := range a.Citations {
		known[c.N] = true
	}
	var ranges []Range
	for _, at := range CitationMark.FindAllStringIndex(a.Text, -1) {
		numbers := numbersIn(a.Text[at[0]:at[1]])
		if !slices.ContainsFunc(numbers, func(n int) bool { return !known[n] }) {
			ranges = append(ranges, Range{at[0], at[1]})
		}
	}
	return ranges
}

// numbersIn reads the numbers of a citation.
func numbersIn(mark string) []int {
	var numbers []int
	for field := range strings.SplitSeq(strings.Trim(mark, "[]"), ",") {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil {
			return nil // CitationMark matches digits alone
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// splitCitation makes [1, 2] into the pieces [1] and [2].
func splitCitation(mark AnswerPiece) []AnswerPiece {
	var pieces []AnswerPiece
	for _, n := range numbersIn(mark.Text) {
		pieces = append(pieces, AnswerPiece{Text: "[" + strconv.Itoa(n) + "]", Citation: n, Drafted: mark.Drafted})
	}
	return pieces
}

// doubts are the unsupported pieces, and what stands behind those that end at
// a byte: the mark, with the passage that does hold the piece.
func (a *Answer) doubts() (ranges []Range, marks map[int]string) {
	marks = map[int]string{}
	for _, s := range a.Sentences {
		for _, u := range s.Unsupported {
			ranges = append(ranges, u.Range)
			switch {
			case u.Elsewhere > 0:
				marks[u.End] = "(? [" + strconv.Itoa(u.Elsewhere) + "])"
			case marks[u.End] == "":
				marks[u.End] = DoubtMark
			}
		}
	}
	slices.SortFunc(ranges, func(x, y Range) int { return cmp.Compare(x.Start, y.Start) })
	return ranges, marks
}

// covered reports whether one of ranges holds all of [start, end).
func covered(ranges []Range, start, end int) bool {
	return slices.ContainsFunc(ranges, func(r Range) bool { return r.Start <= start && end <= r.End })
}

// inside reports whether a place is between the ends of one of ranges.
func inside(ranges []Range, at int) bool {
	return slices.ContainsFunc(ranges, func(r Range) bool { return r.Start < at && at < r.End })
}
