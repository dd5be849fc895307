package testanswer

import (
	"context"
	"errors"
	"strings"

	"dowse/engine/answer"
)

// Likes is an answer.Reader that marks some words wherever they stand. One that likes
// nothing cannot be used.
type Likes string

// ErrNoReader is why one that likes nothing cannot be used.
var ErrNoReader = errors.New("there is no reader")

// Mark implements answer.Reader.
func (l Likes) Mark(_ context.Context, _ string, passages []string) (*answer.Marks, error) {
	if l == "" {
		return nil, ErrNoReader
	}
	marks := &answer.Marks{Calibration: answer.Calibration{Margin: 1, SureFrom: 0.9, PerhapsFrom: 0.5}}
	for _, text := range passages {
		p := answer.PassageMarks{None: answer.NoneLogits{Evidence: -3}}
		from := strings.Index(text, string(l))
		for at := range len(text) {
			logit := float32(-9)
			if from >= 0 && at >= from && at < from+len(l) {
				logit = 3
			}
			p.Tokens = append(p.Tokens, answer.Range{Start: at, End: at + 1})
			p.Start, p.End, p.Evidence = append(p.Start, -9), append(p.End, -9), append(p.Evidence, logit)
		}
		marks.Passages = append(marks.Passages, p)
	}
	return marks, nil
}

// GrepSentence answers who wrote grep.
const GrepSentence Likes = "Ken Thompson wrote grep overnight."
