package generate

import "time"

// Finish is the reason why a text ended.
type Finish int

// Why a text ended.
const (
	Unfinished Finish = iota // an error ended the run
	StopToken                // the model said that it is done
	StopString               // one of Options.Stop
	MaxTokens                // as many tokens as were asked for
	WindowFull               // the model takes no more tokens
	Refused                  // before its first token, by Options.Refusal
)

// String names the reason.
func (f Finish) String() string {
	switch f {
	case Unfinished:
		return "unfinished"
	case StopToken:
		return "stop token"
	case StopString:
		return "stop string"
	case MaxTokens:
		return "length"
	case WindowFull:
		return "window full"
	case Refused:
		return "refused"
	}
	return "unknown"
}

// Result is what a run made.
type Result struct {
	Text   string  // all that was emitted
	Tokens []int32 // those drawn, without a stop token; a stop string's are among them
	Finish Finish
	Stats  Stats
	// Refusal is the probability of the token of Options.Refusal, 0 without.
	Refusal float64
}

// Stats counts what a run did. Times end with the run.
type Stats struct {
	PromptTokens int           // of the prompt
	Reused       int           // of those, the ones that the Sequence had already
	PromptTime   time.Duration // until the prompt was computed
	FirstToken   time.Duration // from the start until the first token was drawn
	DecodeTime   time.Duration // after PromptTime
	DraftTime    time.Duration // of both, spent by the Drafter
	Steps        []Step
}

// Step is one pass of the model.
type Step struct {
	Nodes   int // of the tree, at least 1
	Emitted int // tokens, at least 1; all but one of them were drafted
}

// Drafted returns how many tokens were guessed.
func (s *Stats) Drafted() int {
	n := 0
	for _, step := range s.Steps {
		n += step.Nodes - 1
	}
	return n
}

// Accepted returns how many of the guesses were right and were emitted.
func (s *Stats) Accepted() int {
	n := 0
	for _, step := range s.Steps {
		n += step.Emitted - 1
	}
	return n
}

// PromptSpeed returns how many tokens of a prompt were computed a second, 0 if none
// were.
func (s *Stats) PromptSpeed() float64 { return speed(s.PromptTokens-1-s.Reused, s.PromptTime) }

// DecodeSpeed returns how many tokens were emitted a second, 0 if none were.
func (s *Stats) DecodeSpeed() float64 { return speed(s.Accepted()+len(s.Steps), s.DecodeTime) }

func speed(n int, d time.Duration) float64 {
	if n <= 0 || d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}
