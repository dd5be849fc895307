package endpoint

import "strings"

const (
	thoughtBegins = "<think>"
	thoughtEnds   = "</think>"
)

// thought drops a leading <think>...</think> and the white space before the
// answer.
type thought struct {
	held  string // undecided text
	state thoughtState
}

type thoughtState int

const (
	undecided thoughtState = iota // the text may begin with a thought
	thinking                      // inside it
	leading                       // before the answer's first letter
	answering
)

// add takes text and returns the answer's part.
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

// end returns the held text.
func (t *thought) end() string {
	if t.state != undecided {
		return ""
	}
	t.state = answering
	return t.held
}
