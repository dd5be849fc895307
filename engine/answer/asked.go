package answer

import (
	"slices"
	"strings"

	"dowse/engine"
)

// Asked is a question as a Reader is asked it.
type Asked struct {
	Question string
	// Follows are the earlier questions that say what Question leaves unsaid, the first
	// one first; nil where it stands alone.
	Follows []string
	Files   []string // that answered these, by their paths
}

// AskedIn is what a job asks.
func AskedIn(job *engine.AnswerJob) Asked { return Asked{job.Question, job.Follows, job.Files} }

// filePrior is what a passage of one of the Files adds to the logits of its pieces. Of 280
// follow-ups that choices are made on (engine/search/followup.go) .686 are quoted right
// without it, .704 by 1, .718 by 2 and .743 by 4; of the 14 among them whose file is another
// one 7, 6, 6 and 5.
const filePrior = 4

// prior is what the file of a passage adds to the logits of its pieces and to that of there
// being none, so that a passage is preferred and no evidence made.
func (a *Asked) prior(p *Passage) float64 {
	if slices.Contains(a.Files, p.Path) {
		return filePrior
	}
	return 0
}

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
