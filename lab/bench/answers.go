package bench

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"dowse/engine/answer"
	"dowse/lab/collection"
)

// Asker answers questions about notes.
type Asker interface {
	Ask(ctx context.Context, question string) (*Reply, error)
}

// Reply is an answer to a question about notes, and the passages that it was made
// from.
type Reply struct {
	Text       string
	Quoted     string // what Text was written from, or the nearest below a decline; "" where Text is quoted itself
	Confidence answer.Confidence
	Cited      []string         // what stands at the places that Text cites
	Passages   []answer.Passage // paths relative to the notes
	Problem    string           // why the answerer that was asked did not answer; "" if it did

	SearchMillis, AnswerMillis float64
}

// AnswererRow is how an answerer did.
type AnswererRow struct {
	Answerer string         `json:"answerer"`
	Kinds    []kindCounts   `json:"kinds"` // by name
	All      AnswerCounts   `json:"all"`
	Search   float64        `json:"search_ms_p50"`
	Answer   float64        `json:"answer_ms_p50"`
	Problems int            `json:"problems"`          // answers that another answerer had to give
	Problem  string         `json:"problem,omitempty"` // the first
	Answers  []judgedAnswer `json:"answers,omitempty"` // one by one, where they are asked for
}

// kindCounts is how an answerer did on one kind of questions.
type kindCounts struct {
	Kind string `json:"kind"`
	AnswerCounts
}

// judgedAnswer is one answer and its verdict.
type judgedAnswer struct {
	Verdict  verdict `json:"verdict"`
	Kind     string  `json:"kind"`
	Question string  `json:"question"`
	Wanted   string  `json:"wanted"` // a good answer
	Said     string  `json:"said"`
	Quoted   string  `json:"quoted,omitempty"` // what that was written from, or the nearest
}

// Answers asks every question in turn and counts. progress is told after each.
func Answers(ctx context.Context, questions []collection.NoteQuestion, asker Asker, progress func(done int)) (*AnswererRow, error) {
	row, kinds := &AnswererRow{}, map[string]*kindCounts{}
	var searches, answers []float64
	for i := range questions {
		j := newJudge(&questions[i])
		r, err := asker.Ask(ctx, j.Text)
		if err != nil {
			return nil, fmt.Errorf("ask %q: %w", j.Text, err)
		}
		if kinds[j.Kind] == nil {
			kinds[j.Kind] = &kindCounts{Kind: j.Kind}
		}
		v := j.verdict(r)
		kinds[j.Kind].add(j, r, v)
		row.All.add(j, r, v)
		row.Answers = append(row.Answers, judgedAnswer{Verdict: v, Kind: j.Kind, Question: j.Text, Wanted: j.Answer, Said: r.Text, Quoted: r.Quoted})
		searches, answers = append(searches, r.SearchMillis), append(answers, r.AnswerMillis)
		if r.Problem != "" {
			if row.Problem == "" {
				row.Problem = r.Problem
			}
			row.Problems++
		}
		progress(i + 1)
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		row.Kinds = append(row.Kinds, *kinds[kind])
	}
	row.Search, row.Answer = median(searches), median(answers)
	return row, nil
}

// AnswerCounts counts questions about notes and the answers to them.
type AnswerCounts struct {
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
func (c *AnswerCounts) add(j *judge, r *Reply, v verdict) {
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

// of returns the count of a verdict.
func (c *AnswerCounts) of(v verdict) *int {
	return map[verdict]*int{
		right: &c.Right, wrong: &c.Wrong, perhapsRight: &c.PerhapsRight, perhapsWrong: &c.PerhapsWrong, unjudged: &c.Unjudged,
		declinedWrong: &c.DeclinedWrong, declinedRight: &c.DeclinedRight, invented: &c.Invented, perhapsInvented: &c.PerhapsInvented,
	}[v]
}
