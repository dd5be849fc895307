package chat

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"dowse/models/tokenizer"
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

// Prompt is a rendered conversation.
type Prompt []Segment

// String returns the text of the prompt.
func (p Prompt) String() string { return text(p).String() }

// Encode returns the token ids of the prompt. Special tokens count as such in
// what the template wrote, and are plain text in the content of messages.
func (p Prompt) Encode(t *tokenizer.Tokenizer) []int32 {
	var ids []int32
	var plain strings.Builder // since the last special token
	flush := func() {
		if plain.Len() > 0 {
			ids = t.AppendLiteral(ids, plain.String())
			plain.Reset()
		}
	}
	for _, s := range p {
		if s.Content {
			plain.WriteString(s.Text)
			continue
		}
		at := 0
		encoded, spans := t.EncodeSpans(s.Text)
		for i, id := range encoded {
			if !special(t, id, s.Text[spans[i].Start:spans[i].End]) {
				continue
			}
			plain.WriteString(s.Text[at:spans[i].Start])
			flush()
			ids, at = append(ids, id), spans[i].End
		}
		plain.WriteString(s.Text[at:])
	}
	flush()
	return ids
}

// special reports whether a token steers the model: its source spells it out, white
// space around it aside, and it decodes to nothing.
func special(t *tokenizer.Tokenizer, id int32, source string) bool {
	word := t.Token(id)
	return word != "" && strings.TrimSpace(source) == strings.TrimSpace(word) && t.Decode([]int32{id}) == ""
}

// Error is a fault of a template.
type Error struct {
	Line   int
	Reason string

	unsupported bool // the template may be right, but this package lacks what it uses
}

// Error returns line and reason.
func (e *Error) Error() string { return fmt.Sprintf("chat template, line %d: %s", e.Line, e.Reason) }

// here stands for the line that is evaluated, in a fault of what knows no lines.
const here = 0

// fault is what ends parsing and rendering: it is panicked with, and caught at the edge
// of the package, so that what lies between reads like the grammar.
func fault(line int, format string, arguments ...any) *Error {
	return &Error{Line: line, Reason: fmt.Sprintf(format, arguments...)}
}

// catch turns the fault that a function ends with into its error. line, unless nil, is
// that of a fault which knows none.
func catch(err *error, line *int) {
	cause := recover()
	told, ok := cause.(*Error)
	if !ok && cause != nil {
		panic(cause)
	}
	if ok {
		if told.Line == here && line != nil {
			told.Line = *line
		}
		*err = told
	}
}
