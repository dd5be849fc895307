package generate

import "time"

// Finish is why a text ended.
type Finish int

// The reasons.
const (
	Unfinished Finish = iota // an error ended the run
	StopToken                // the model stopped
	MaxTokens                // Options.MaxTokens
	WindowFull               // the window is full
	Refused                  // before its first token, by Options.Refusal
)

func (f Finish) String() string {
	switch f {
	case Unfinished:
		return "unfinished"
	case StopToken:
		return "stop token"
	case MaxTokens:
		return "length"
	case WindowFull:
		return "window full"
	case Refused:
		return "refused"
	}
	return "unknown"
}

// Result is the outcome of a run.
type Result struct {
	Text   string  // all emitted text
	Tokens []int32 // without a stop token
	Finish Finish
	Stats  Stats
	// Refusal is the probability of Options.Refusal's token; 0 without.
	Refusal float64
}

// Stats counts a run. Times end with the run.
type Stats struct {
	PromptTokens int           // tokens of the prompt
	Reused       int           // tokens of the prompt that the Sequence had already
	PromptTime   time.Duration // until the prompt was computed
	FirstToken   time.Duration // from the start until the first token was drawn
	DecodeTime   time.Duration // after PromptTime
	DraftTime    time.Duration // spent by the Drafter
	Steps        []Step
}

// Step is one pass of the model.
type Step struct {
	Nodes   int // of the tree, at least 1
	Emitted int // tokens, at least 1; all but one were drafted
}

// Drafted returns the number of guessed tokens.
func (s *Stats) Drafted() int {
	n := 0
	for _, step := range s.Steps {
		n += step.Nodes - 1
	}
	return n
}

// Accepted returns the number of right guesses.
func (s *Stats) Accepted() int {
	n := 0
	for _, step := range s.Steps {
		n += step.Emitted - 1
	}
	return n
}

// PromptSpeed returns the prompt's tokens computed per second; 0 without any.
func (s *Stats) PromptSpeed() float64 { return speed(s.PromptTokens-1-s.Reused, s.PromptTime) }

// DecodeSpeed returns the emitted tokens per second; 0 without any.
func (s *Stats) DecodeSpeed() float64 { return speed(s.Accepted()+len(s.Steps), s.DecodeTime) }

func speed(n int, d time.Duration) float64 {
	if n <= 0 || d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}
