package cli

import (
	"fmt"
	"unicode/utf8"

	"dowse/engine"
)

// reporter tells what a one-shot query finds: on a terminal the passages as soon
// as they are known, and below them an answer as it is written; otherwise all at
// the end. What went wrong, and what is sent elsewhere, it tells at once.
type reporter struct {
	*streams
	output outputFlags
	live   *liveAnswer // nil where nothing is shown before the end
	warned bool        // of what is sent
	noted  bool        // of what an answer that grows waits for
}

func newReporter(s *streams, q queryFlags) *reporter {
	r := &reporter{streams: s, output: q.output}
	if q.answer && q.output.format == formatText && q.output.budget == 0 && isTerminal(s.out) {
		r.live = &liveAnswer{out: s.out, paint: s.painter(), escapes: takesEscapes(s.out), lines: q.output.lines}
	}
	return r
}

// event takes an event of the search.
func (r *reporter) event(e engine.Event) {
	if e.Problem != "" {
		r.note(e.Problem)
	}
	if e.Answer != nil && e.Answer.Sent != nil && !r.warned {
		r.warned = true
		r.note(sentText(e.Answer.Sent))
	}
	if e.Answer != nil && e.Answer.Note != "" && !r.noted {
		r.noted = true
		r.note(e.Answer.Note)
	}
	switch {
	case r.live == nil:
	case e.Found != nil:
		r.live.found(e.Found)
	case e.Answer != nil:
		r.live.grow(e.Answer)
	}
}

// note writes a line for the person.
func (r *reporter) note(what string) {
	if r.live != nil {
		r.live.endLine()
	}
	fmt.Fprintln(r.err, "dowse: "+oneLine(what))
}

// abandon ends a line that has begun, or that has the ^C of an interrupt, for the prompt.
func (r *reporter) abandon(interrupted bool) {
	if r.live != nil {
		r.live.open = r.live.open || interrupted
		r.live.endLine()
	}
}

// finish tells the result, or what of it was not told yet, and returns how many passages that is.
func (r *reporter) finish(result *engine.Result, f found) (printed int, err error) {
	if r.live == nil {
		return r.output.print(r.streams, f)
	}
	if err := r.live.finish(result); err != nil {
		return 0, fmt.Errorf("cannot write the answer: %w", err)
	}
	return len(result.Passages), nil
}

// keepBytes notes the bytes of paths that JSON cannot hold: there such a path stands in two forms.
func keepBytes(passages []engine.Passage) {
	for i := range passages {
		passages[i].PathBytes = bytesOf(passages[i].Path)
	}
}

// bytesOf are the bytes of a path that is not UTF-8; nil of others.
func bytesOf(path string) []byte {
	if utf8.ValidString(path) {
		return nil
	}
	return []byte(path)
}

// sentElsewhere says what the search sent to servers that are not on this machine.
func sentElsewhere(r *engine.Result) (texts []string) {
	if s := r.Stats.Sent; s != nil && s.Remote {
		texts = append(texts, sentText(s))
	}
	if rerank := r.Stats.Rerank; rerank != nil && rerank.Sent != nil && rerank.Sent.Remote {
		texts = append(texts, sentText(rerank.Sent))
	}
	return texts
}

// sentText says what is sent where.
func sentText(s *engine.Sent) string {
	what := fmt.Sprintf("the question and %d passages of your files are sent to %s at %s", s.Passages, s.Model, s.To)
	switch {
	case s.Remote && s.Plain:
		return "warning: " + what + ", which is not this machine, unencrypted"
	case s.Remote:
		return "warning: " + what + ", which is not this machine"
	}
	return what + ", on this machine"
}
