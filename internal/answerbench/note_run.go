package answerbench

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"dowse/engine/answer"
)

// NoteAsker answers questions about notes.
type NoteAsker interface {
	Ask(ctx context.Context, question string) (*NoteReply, error)
}

// NoteReply is an answer to a question about notes, and the passages that it was
// made from.
type NoteReply struct {
	Text       string
	Quoted     string // what Text was written from; "" where Text is quoted itself
	Confidence answer.Confidence
	Cited      []string         // what stands at the places that Text cites
	Passages   []answer.Passage // paths relative to the notes
	Problem    string           // why the answerer that was asked did not answer; "" if it did

	SearchMillis, AnswerMillis float64
}

// NoteRow is how an answerer did.
type NoteRow struct {
	Answerer string       `json:"answerer"`
	Kinds    []NoteKind   `json:"kinds"` // by name
	All      NoteCounts   `json:"all"`
	Search   float64      `json:"search_ms_p50"`
	Answer   float64      `json:"answer_ms_p50"`
	Problems int          `json:"problems"`          // answers that another answerer had to give
	Problem  string       `json:"problem,omitempty"` // the first
	Answers  []NoteAnswer `json:"answers,omitempty"` // one by one, where they are asked for
}

// NoteKind is how an answerer did on one kind of questions.
type NoteKind struct {
	Kind string `json:"kind"`
	NoteCounts
}

// NoteAnswer is one answer and its verdict.
type NoteAnswer struct {
	Verdict  Verdict `json:"verdict"`
	Kind     string  `json:"kind"`
	Question string  `json:"question"`
	Wanted   string  `json:"wanted"` // a good answer
	Said     string  `json:"said"`
	Quoted   string  `json:"quoted,omitempty"` // what that was written from
}

// AskNotes asks every question in turn and counts. progress, when not nil, is told
// after each.
func AskNotes(ctx context.Context, questions []NoteQuestion, asker NoteAsker, progress func(done int)) (*NoteRow, error) {
	row, kinds := &NoteRow{}, map[string]*NoteKind{}
	var searches, answers []float64
	for i := range questions {
		j := newJudge(&questions[i])
		r, err := asker.Ask(ctx, j.Text)
		if err != nil {
			return nil, fmt.Errorf("ask %q: %w", j.Text, err)
		}
		if kinds[j.Kind] == nil {
			kinds[j.Kind] = &NoteKind{Kind: j.Kind}
		}
		v := j.verdict(r)
		kinds[j.Kind].add(j, r, v)
		row.All.add(j, r, v)
		row.Answers = append(row.Answers, NoteAnswer{Verdict: v, Kind: j.Kind, Question: j.Text, Wanted: j.Answer, Said: r.Text, Quoted: r.Quoted})
		searches, answers = append(searches, r.SearchMillis), append(answers, r.AnswerMillis)
		if r.Problem != "" {
			if row.Problem == "" {
				row.Problem = r.Problem
			}
			row.Problems++
		}
		if progress != nil {
			progress(i + 1)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		row.Kinds = append(row.Kinds, *kinds[kind])
	}
	row.Search, row.Answer = median(searches), median(answers)
	return row, nil
}

// median is the middle of some values; the higher one of an even number, 0 of none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}
