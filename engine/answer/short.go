package answer

import (
	"regexp"
	"slices"
	"strings"
)

// briefWords is how many words pass for a short answer by themselves.
const briefWords = 5

// Short reads the answer of a model that is trained to begin with the answer in
// short: the words up to the first citation, followed by the sentence that they
// stand in.
//
//	October 1973. [2] The 1973 oil crisis began in October 1973. [2]
//
// It is nil where no such sentence follows and the words are not few, or where
// the cited passage does not hold them. Its Text is as the answer has it.
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

// withoutStop takes the full stop of a sentence off words that are none; that of
// an abbreviation, as in U.S., stays.
func withoutStop(words string) string {
	cut := strings.TrimSuffix(words, ".")
	if strings.Contains(cut[strings.LastIndexByte(cut, ' ')+1:], ".") {
		return words
	}
	return strings.TrimSpace(cut)
}

// find cites where a passage holds some words, however they are spaced or
// capitalised: first in a piece that the rest of the answer quotes.
func (s *source) find(words, rest string) *Citation {
	list := strings.Fields(strings.Trim(words, "`"))
	for i, w := range list {
		list[i] = regexp.QuoteMeta(w)
	}
	expression, err := regexp.Compile(`(?i)` + strings.Join(list, `\s+`))
	if err != nil || len(list) == 0 { // of a text that is no UTF-8, or of marks alone
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
