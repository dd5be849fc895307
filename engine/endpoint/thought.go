package endpoint

import "strings"

const (
	thoughtBegins = "<think>"
	thoughtEnds   = "</think>"
)

// thought leaves out what a model thinks before it answers: a text that begins
// with <think>, up to </think>. White space before the answer goes too.
type thought struct {
	held  string // not decided yet
	state thoughtState
}

type thoughtState int

const (
	undecided thoughtState = iota // whether the text begins with a thought
	thinking                      // within it
	leading                       // before the first letter of the answer
	answering
)

// add takes more text and returns what of the answer it brings.
func (t *thought) add(text string) string {
	t.held += text
	if t.state == undecided {
		begin := strings.TrimLeft(t.held, " \t\r\n")
		switch {
		case strings.HasPrefix(begin, thoughtBegins):
			t.held, t.state = begin[len(thoughtBegins):], thinking
		case strings.HasPrefix(thoughtBegins, begin): // also ""
			t.held = begin
			return ""
		default:
			t.state = leading
		}
	}
	if t.state == thinking {
		_, after, ended := strings.Cut(t.held, thoughtEnds)
		if !ended {
			t.held = t.held[max(len(t.held)-len(thoughtEnds)+1, 0):]
			return ""
		}
		t.held, t.state = after, leading
	}
	if t.state == leading {
		if t.held = strings.TrimLeft(t.held, " \t\r\n"); t.held != "" {
			t.state = answering
		}
	}
	out := t.held
	t.held = ""
	return out
}

// end returns what was held back, now that no more comes.
func (t *thought) end() string {
	if t.state != undecided {
		return ""
	}
	t.state = answering
	return t.held
}
