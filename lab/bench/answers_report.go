package bench

import (
	"fmt"
	"io"
	"strings"

	"dowse/lab/collection"
)

// AnswersReport is how answerers did on questions about the notes of a folder.
type AnswersReport struct {
	Folder    string          `json:"folder"`
	Questions int             `json:"questions"`
	Stages    string          `json:"stages,omitempty"` // what ranked; "" for the default
	Answerers []AnswererRow   `json:"answerers"`
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
func UnreadPatterns(questions []collection.NoteQuestion) (unread []UnreadPattern) {
	for i := range questions {
		if j := newJudge(&questions[i]); j.problem != nil {
			unread = append(unread, UnreadPattern{Question: j.Text, Pattern: j.pattern, Problem: j.problem.Error()})
		}
	}
	return unread
}

// Write implements Report.
func (r *AnswersReport) Write(w io.Writer) error {
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

// saidLetters bounds how much of an answer is printed.
const saidLetters = 200

// write prints how an answerer did.
func (row *AnswererRow) write(w io.Writer) error {
	fmt.Fprintf(w, "\n%s: search %.0f ms, answer %.0f ms a question in the median\n", row.Answerer, row.Search, row.Answer)
	if row.Problems > 0 {
		fmt.Fprintf(w, "%d questions had another answerer; the first: %s\n", row.Problems, row.Problem)
	}
	t := newTable(w, "kind\tanswerable\tnote\tevidence\tquote\tright\tperhaps\twrong\tperhaps\tdeclined\tunanswerable\tdeclined\tinvented\tperhaps")
	for _, k := range row.Kinds {
		k.counts(t, k.Kind)
	}
	row.All.counts(t, "all")
	row.All.shares(t)
	if err := t.flush(); err != nil {
		return err
	}
	for _, a := range row.Answers {
		said := []rune(strings.Join(strings.Fields(a.Said), " "))
		fmt.Fprintf(w, "%s | %s | %s | %s | %s\n", a.Verdict, a.Kind, a.Question, a.Wanted, string(said[:min(saidLetters, len(said))]))
	}
	return nil
}

// ofAnswerable and ofUnanswerable are the counts in the order of the columns.
func (c *AnswerCounts) ofAnswerable() []int {
	return []int{c.Note, c.Evidence, c.Quote, c.Right, c.PerhapsRight, c.Wrong, c.PerhapsWrong, c.DeclinedWrong}
}

func (c *AnswerCounts) ofUnanswerable() []int {
	return []int{c.DeclinedRight, c.Invented, c.PerhapsInvented}
}

// counts adds the row of the counts.
func (c *AnswerCounts) counts(t table, name string) {
	number := func(n int) string { return fmt.Sprint(n) }
	t.row("%s\t%d\t%s\t%d\t%s", name, c.Answerable, cells(c.ofAnswerable(), number), c.Unanswerable, cells(c.ofUnanswerable(), number))
}

// shares adds the row of shares, each of the questions that it could be of.
func (c *AnswerCounts) shares(t table) {
	shareOf := func(whole int) func(n int) string {
		return func(n int) string {
			if whole == 0 {
				return ""
			}
			return percent(ratio(n, whole))
		}
	}
	t.row("share\t\t%s\t\t%s", cells(c.ofAnswerable(), shareOf(c.Answerable)), cells(c.ofUnanswerable(), shareOf(c.Unanswerable)))
}

// cells words numbers for a row.
func cells(numbers []int, word func(n int) string) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = word(n)
	}
	return strings.Join(words, "\t")
}
