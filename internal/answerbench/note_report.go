package answerbench

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// NoteReport is how answerers did on questions about the notes of a folder.
type NoteReport struct {
	Folder    string          `json:"folder"`
	Questions int             `json:"questions"`
	Stages    string          `json:"stages,omitempty"` // what ranked; "" for the default
	Answerers []NoteRow       `json:"answerers"`
	Unread    []UnreadPattern `json:"unread_patterns,omitempty"`
}

// UnreadPattern is a pattern of a question that RE2 cannot read.
type UnreadPattern struct {
	Question string `json:"question"`
	Pattern  string `json:"pattern"`
	Problem  string `json:"problem"`
}

// UnreadPatterns names the patterns of questions that cannot be read, one of each
// question.
func UnreadPatterns(questions []NoteQuestion) (unread []UnreadPattern) {
	for i := range questions {
		if j := newJudge(&questions[i]); j.problem != nil {
			unread = append(unread, UnreadPattern{Question: j.Text, Pattern: j.pattern, Problem: j.problem.Error()})
		}
	}
	return unread
}

// saidLetters bounds how much of an answer is printed.
const saidLetters = 200

// Write prints the report for people.
func (r *NoteReport) Write(w io.Writer) error {
	fmt.Fprintf(w, "%d questions over %s\n", r.Questions, r.Folder)
	for i := range r.Answerers {
		if err := r.Answerers[i].write(w); err != nil {
			return err
		}
	}
	for _, u := range r.Unread {
		fmt.Fprintf(w, "not judged: %q, since its pattern %s cannot be read: %s\n", u.Question, u.Pattern, u.Problem)
	}
	return nil
}

// write prints how an answerer did.
func (row *NoteRow) write(w io.Writer) error {
	fmt.Fprintf(w, "\n%s: search %.0f ms, answer %.0f ms a question in the median\n", row.Answerer, row.Search, row.Answer)
	if row.Problems > 0 {
		fmt.Fprintf(w, "%d questions had another answerer; the first: %s\n", row.Problems, row.Problem)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "kind\tanswerable\tnote\tevidence\tquote\tright\tperhaps\twrong\tperhaps\tdeclined\tunanswerable\tdeclined\tinvented\tperhaps\t")
	for _, k := range row.Kinds {
		k.writeRow(t, k.Kind)
	}
	row.All.writeRow(t, "all")
	row.All.writeShares(t)
	if err := t.Flush(); err != nil {
		return err
	}
	for _, a := range row.Answers {
		said := []rune(strings.Join(strings.Fields(a.Said), " "))
		fmt.Fprintf(w, "%s | %s | %s | %s | %s\n", a.Verdict, a.Kind, a.Question, a.Wanted, string(said[:min(saidLetters, len(said))]))
	}
	return nil
}

// ofAnswerable and ofUnanswerable are the counts in the order of the columns.
func (c *NoteCounts) ofAnswerable() []int {
	return []int{c.Note, c.Evidence, c.Quote, c.Right, c.PerhapsRight, c.Wrong, c.PerhapsWrong, c.DeclinedWrong}
}

func (c *NoteCounts) ofUnanswerable() []int {
	return []int{c.DeclinedRight, c.Invented, c.PerhapsInvented}
}

// writeRow writes counts as a row of the table.
func (c *NoteCounts) writeRow(w io.Writer, name string) {
	fmt.Fprintf(w, "%s\t%d\t", name, c.Answerable)
	for _, n := range c.ofAnswerable() {
		fmt.Fprintf(w, "%d\t", n)
	}
	fmt.Fprintf(w, "%d\t", c.Unanswerable)
	for _, n := range c.ofUnanswerable() {
		fmt.Fprintf(w, "%d\t", n)
	}
	fmt.Fprintln(w)
}

// writeShares writes the row of shares, each of the questions that it could be of.
func (c *NoteCounts) writeShares(w io.Writer) {
	write := func(of int, counts []int) {
		fmt.Fprint(w, "\t")
		for _, n := range counts {
			if of > 0 {
				fmt.Fprintf(w, "%.0f%%", 100*float64(n)/float64(of))
			}
			fmt.Fprint(w, "\t")
		}
	}
	fmt.Fprint(w, "share\t")
	write(c.Answerable, c.ofAnswerable())
	write(c.Unanswerable, c.ofUnanswerable())
	fmt.Fprintln(w)
}
