package local

import (
	"context"
	"fmt"

	"dowse/engine/answer"
	"dowse/engine/generate"
	"dowse/engine/kv/contexts"
	"dowse/engine/kv/disk"
	"dowse/engine/transformer"
)

// own is the bytes of the model's lease for a prompt's sequence.
func (o *Model) own() int64 {
	shape := o.Context.Shape()
	return shape.Held(o.window)
}

// longest is the most tokens of a conversation. Beside a model that is read
// from the disk it takes no more memory than a prompt.
func (o *Model) longest() int {
	tokens, shape := o.Decoder.MaxTokens(), o.Decoder.ConversationShape()
	for own := o.own(); !o.Decoder.Resident() && tokens > shape.ChunkTokens && shape.Held(tokens) > own; {
		tokens -= shape.ChunkTokens
	}
	return tokens
}

// converse opens the conversations' manager.
func (o *Model) converse(w *Writer) {
	made := contexts.Options{Decoder: o.Decoder, Memory: w.Memory}
	if o.shared {
		made.Own = o.own()
	}
	if w.keys == nil {
		o.conversations = contexts.New(made)
		return
	}
	made.Ratio, o.keys = w.keys.options.Ratio, w.keys
	w.keys.attach(o.key, contexts.Layout(o.Decoder.ConversationShape()), func(d *disk.Disk) *contexts.Manager {
		made.Disk = d
		o.conversations = contexts.New(made)
		return o.conversations
	})
}

// request is a prompt and where the model answers it.
type request struct {
	*prompt
	generator *generate.Generator
	sequence  *transformer.Sequence
	talk      *talk                 // nil outside a conversation
	note      string                // why it is outside its conversation
	progress  func(done, total int) // of reading the prompt; or nil
	aligned   bool                  // citations are found by alignment
}

// askOutside asks outside conversations.
func (o *Model) askOutside(w *writing) (*request, error) {
	o.conversations.Interrupt()
	p, err := o.prompt(w.question, w.passages)
	if err != nil {
		return nil, err
	}
	return &request{prompt: p, generator: o.generator, sequence: o.Context, aligned: o.reads}, nil
}

// ask asks in the question's conversation, or outside it when that fails: a
// conversation never prevents an answer.
func (o *Model) ask(ctx context.Context, w *writing) (*request, error) {
	if w.job.Conversation == "" {
		return o.askOutside(w)
	}
	t, err := o.join(ctx, &w.job)
	if err == nil {
		var p *prompt
		if p, err = t.prompt(w.question, w.passages); err == nil {
			if err = t.begin(ctx, p.ids); err == nil {
				return &request{prompt: p, generator: o.conversing, sequence: t.Sequence(), talk: t, aligned: o.reads}, nil
			}
		}
		if closed := t.leave(); closed != nil {
			err = closed
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	a, plainly := o.askOutside(w)
	if plainly != nil {
		return nil, plainly
	}
	a.note = fmt.Sprintf("the model answered without the questions before: %v", err)
	return a, nil
}

// close closes the conversation, unchanged unless an answer was kept.
func (a *request) close() error {
	if a.talk == nil {
		return nil
	}
	return a.talk.leave()
}

// cited is the model's text with citations: found by alignment where it reads
// the passages itself, or its own, as ranks.
func (a *request) cited(checker *answer.Checker, text string, final bool) string {
	switch {
	case a.aligned:
		return checker.Align(text, final)
	case a.talk == nil:
		return text
	}
	return a.talk.shown(text)
}
