package answerbench

// NoteCounts counts questions about notes and the answers to them.
type NoteCounts struct {
	Answerable    int `json:"answerable"`
	Right         int `json:"right"`
	Wrong         int `json:"wrong"`
	DeclinedWrong int `json:"declined_wrong"`
	PerhapsRight  int `json:"perhaps_right"`
	PerhapsWrong  int `json:"perhaps_wrong"`
	Unjudged      int `json:"unjudged"` // answers to questions whose patterns cannot be read

	// Of the answerable: the note that answers is among the passages, an answer
	// is, and one of the quotes is in what is shown.
	Note     int `json:"note_in_top"`
	Evidence int `json:"evidence_in_top"`
	Quote    int `json:"quote_shown"`

	Unanswerable    int `json:"unanswerable"`
	DeclinedRight   int `json:"declined_right"`
	Invented        int `json:"invented"`
	PerhapsInvented int `json:"perhaps_invented"`
}

// add counts one answer.
func (c *NoteCounts) add(j *judge, r *NoteReply, v Verdict) {
	*c.of(v)++
	if !j.Answerable {
		c.Unanswerable++
		return
	}
	c.Answerable++
	note, evidence := j.found(r.Passages)
	countIf(&c.Note, note)
	countIf(&c.Evidence, evidence)
	countIf(&c.Quote, j.quoteShown(r))
}

// countIf adds one to a count of what is so.
func countIf(count *int, is bool) {
	if is {
		*count++
	}
}

// of returns the count of a verdict.
func (c *NoteCounts) of(v Verdict) *int {
	switch v {
	case Right:
		return &c.Right
	case Wrong:
		return &c.Wrong
	case PerhapsRight:
		return &c.PerhapsRight
	case PerhapsWrong:
		return &c.PerhapsWrong
	case DeclinedWrong:
		return &c.DeclinedWrong
	case DeclinedRight:
		return &c.DeclinedRight
	case Invented:
		return &c.Invented
	case PerhapsInvented:
		return &c.PerhapsInvented
	}
	return &c.Unjudged
}
