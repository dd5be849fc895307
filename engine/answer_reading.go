package engine

import (
	"fmt"
	"math"
)

// Reading is how far a language model has come with the passages that it reads
// before its first word. One of no tokens is being opened.
type Reading struct {
	Passages int     `json:"passages"` // in its prompt
	Done     int     `json:"done"`     // tokens of the prompt, with those read for an earlier question
	Tokens   int     `json:"tokens"`   // of the prompt
	Seconds  float64 `json:"seconds"`  // that the others are expected to take; 0 where unknown
}

// Text says what a person waits for: "reading 5 passages, 2 s".
func (r *Reading) Text() string {
	if r.Tokens == 0 {
		return "being opened"
	}
	text := fmt.Sprintf("reading %d passages", r.Passages)
	if r.Passages == 1 {
		text = "reading 1 passage"
	}
	if seconds := math.Ceil(r.Seconds); seconds >= 1 && !math.IsInf(seconds, 0) {
		text += fmt.Sprintf(", %.0f s", seconds)
	}
	return text
}
