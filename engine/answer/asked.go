package answer

import (
	"strings"

	"dowse/engine"
)

// Asked is a question as a Reader is asked it.
type Asked struct {
	Question string
	// Follows are the earlier questions that say what Question leaves unsaid, the first
	// one first; nil where it stands alone.
	Follows []string
}

// AskedIn is what a job asks.
func AskedIn(job *engine.AnswerJob) Asked { return Asked{job.Question, job.Follows} }

// behind stands between a follow-up and the questions that it follows: readers that
// learned follow-ups learned it (train/evidence_data.py has the same).
const behind = " ; "

// read is what a Reader reads: the question, and behind it those that it follows. Of 60
// follow-ups with their evidence among five passages a reader that had learned none marked
// the answer to 38 so, and to 29 with the earlier questions in front.
func (a *Asked) read() string {
	if len(a.Follows) == 0 {
		return unmarked(a.Question)
	}
	return unmarked(a.Question) + behind + unmarked(strings.Join(a.Follows, " "))
}

// inFull are the words of the question and of those that it follows.
func (a *Asked) inFull() string {
	return strings.Join(append([]string{a.Question}, a.Follows...), " ")
}

// unmarked writes a question without capitals and without its mark, so that one
// quotation comes however it was typed. Most people type so, and most questions that
// readers learn from are written so.
func unmarked(question string) string {
	return strings.ToLower(strings.TrimRight(question, "?!. \t\n"))
}
