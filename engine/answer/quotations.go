package answer

import (
	"slices"
	"strconv"
	"strings"
)

// quoted builds an Answer from quotations, each with its passage's number.
type quoted struct {
	Answer
	text strings.Builder
}

// add appends a quotation that begins with a piece of kind first and ends with
// one of kind last: after code the number has a line of its own.
func (q *quoted) add(said string, cited Citation, first, last Kind) {
	if q.text.Len() > 0 {
		q.text.WriteString(separator(first))
	}
	start := q.text.Len()
	q.text.WriteString(said)
	mark := " [" + strconv.Itoa(cited.N) + "]"
	if last == Code {
		mark = "\n" + mark[1:]
	}
	q.text.WriteString(mark)
	q.Sentences = append(q.Sentences, Sentence{Range: Range{Start: start, End: q.text.Len()}, Citations: []int{cited.N}})
	q.Citations = append(q.Citations, cited)
}

func (q *quoted) answer() Answer {
	q.Text = q.text.String()
	return q.Answer
}

// Quoted returns the quoted passages cut to the quotations, for a model to
// write from. They have no line numbers.
func (a *Answer) Quoted(passages []Passage) []Passage {
	var found []Passage
	for i, s := range a.Sentences {
		number := s.Citations[0]
		said := strings.TrimRight(strings.TrimSuffix(a.Text[s.Start:s.End], "["+strconv.Itoa(number)+"]"), " \n")
		at := slices.IndexFunc(found, func(p Passage) bool { return p.Number == number })
		if at >= 0 {
			found[at].Text += "\n" + said
			continue
		}
		p := Passage{Number: number, Path: a.Citations[i].Path, Text: said}
		if at := slices.IndexFunc(passages, func(p Passage) bool { return p.Number == number }); at >= 0 {
			p.Heading, p.Score = passages[at].Heading, passages[at].Score
		}
		found = append(found, p)
	}
	return found
}

// separator precedes a quotation that begins with kind k.
func separator(k Kind) string {
	if k == Prose {
		return " "
	}
	return "\n"
}
