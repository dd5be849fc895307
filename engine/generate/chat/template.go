package chat

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Message is one turn of a conversation.
type Message struct {
	Role    string // "system", "user" or "assistant"
	Content string
}

// Options are the variables of a template beside the messages.
type Options struct {
	AddGenerationPrompt bool            // end with the start of an answer
	BOS, EOS            string          // the model's tokens that begin and end a text
	Flags               map[string]bool // further variables, as enable_thinking of Qwen3
	Now                 time.Time       // the time that strftime_now returns
}

// ErrNoTemplate is returned for a model without a chat template.
var ErrNoTemplate = errors.New("the model has no chat template, so it is not known how to talk to it; choose an instruction-tuned model")

// maxSource bounds the length of a template in bytes; real ones have less than
// a hundredth of it.
const maxSource = 1 << 20

// Template is a chat template, ready to render.
type Template struct {
	body []statement
}

// Parse reads a template. It returns ErrNoTemplate for an empty one, and an *Error for
// a broken one or one that fails for every conversation.
func Parse(source string) (t *Template, err error) {
	defer catch(&err, nil)
	if strings.TrimSpace(source) == "" {
		return nil, ErrNoTemplate
	}
	if len(source) > maxSource {
		return nil, &Error{Line: 1, Reason: fmt.Sprintf("%d bytes, more than %d", len(source), maxSource)}
	}
	p := &parser{tokens: lex(source)}
	t = &Template{body: p.body()}
	if p.here().kind != endOfTemplate {
		return nil, p.fault("%s without its beginning", p.tokens[p.at+1])
	}
	if err := t.try(); err != nil {
		return nil, err
	}
	return t, nil
}

// try renders a system message and a question. It returns an error if that reaches
// something unsupported; other faults may be of these messages.
func (t *Template) try() error {
	_, err := t.Render([]Message{{Role: "system", Content: "x"}, {Role: "user", Content: "x"}}, Options{AddGenerationPrompt: true})
	var told *Error
	if errors.As(err, &told) && told.unsupported {
		return told
	}
	return nil
}

// Render makes the prompt. A template that finds fault with the messages, by
// raise_exception, gives an *Error with its words.
func (t *Template) Render(messages []Message, o Options) (p Prompt, err error) {
	list := make([]value, len(messages))
	for i, m := range messages {
		list[i] = dict{"role": content(m.Role), "content": content(m.Content)}
	}
	e := &evaluator{now: o.Now, out: &builder{}, scope: &scope{vars: map[string]value{
		"messages": list, "add_generation_prompt": o.AddGenerationPrompt,
		"bos_token": written(o.BOS), "eos_token": written(o.EOS),
	}}}
	for flag, on := range o.Flags {
		e.scope.vars[flag] = on
	}
	defer catch(&err, &e.line)
	e.run(t.body)
	return Prompt(e.out.text()), nil
}
