package answer

import (
	"regexp"
	"slices"
	"strings"
)

// briefWords is the most words of a short answer on its own.
const briefWords = 5

// Short reads an answer that begins in short: the words up to the first
// citation, followed by their sentence.
// stand in.
//
//	October 1973. [2] The 1973 oil crisis began in October 1973. [2]
//
// It is nil where no such sentence follows and the words are many, or where the
// cited passage does not hold them. Its Text is the answer's.
func (c *Checker) Short(a Answer) *Citation {
	if a.Declined {
		return nil
	}
	marks := citationMarks(a.Text, Range{Start: 0, End: len(a.Text)})
	if len(marks) == 0 || len(marks[0].numbers) == 0 {
		return nil
	}
	words := withoutStop(strings.TrimSpace(a.Text[:marks[0].Start]))
	rest := flatten(a.Text[marks[0].End:])
	if words == "" || len(strings.Fields(words)) > briefWords && !strings.Contains(rest, flatten(words)) {
		return nil
	}
	for i := range c.passages {
		if p := &c.passages[i]; p.Number == marks[0].numbers[0] {
			return p.find(words, rest)
		}
	}
	return nil
}

// withoutStop removes a sentence's full stop from a phrase; an abbreviation
// keeps it, as in U.S.
func withoutStop(words string) string {
	cut := strings.TrimSuffix(words, ".")
	if strings.Contains(cut[strings.LastIndexByte(cut, ' ')+1:], ".") {
		return words
	}
	return strings.TrimSpace(cut)
}

// find cites words in a passage, whatever their spacing and case, preferably in
// a piece that the answer quotes.
func (s *source) find(words, rest string) *Citation {
	list := strings.Fields(strings.Trim(words, "`"))
	for i, w := range list {
		list[i] = regexp.QuoteMeta(w)
	}
	expression, err := regexp.Compile(`(?i)` + strings.Join(list, `\s+`))
	if err != nil || len(list) == 0 { // invalid UTF-8, or marks alone
		return nil
	}
	places := expression.FindAllStringIndex(s.Text, -1)
	if len(places) == 0 {
		return nil
	}
	best := places[0]
	for _, at := range places {
		quoted := func(p Piece) bool {
			return p.Start <= at[0] && at[1] <= p.End && strings.Contains(rest, flatten(s.Text[p.Start:p.End]))
		}
		if slices.ContainsFunc(s.pieces, quoted) {
			best = at
			break
		}
	}
	found := cite(s.Passage, Range{Start: best[0], End: best[1]}, Prose)
	found.Text = words
	return &found
}
