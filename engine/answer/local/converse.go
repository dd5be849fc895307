package local

import (
	"context"
	"fmt"

	"dowse/engine/generate"
	"dowse/engine/kv/contexts"
	"dowse/engine/kv/disk"
	"dowse/engine/transformer"
)

// own is the bytes that the lease of the model holds for the sequence of a prompt.
func (o *Model) own() int64 {
	shape := o.Context.Shape()
	return shape.Held(o.window)
}

// longest is how many tokens a conversation may have. Beside a model that is read from
// the disk it takes no more memory than a prompt.
func (o *Model) longest() int {
	tokens, shape := o.Decoder.MaxTokens(), o.Decoder.ConversationShape()
	for own := o.own(); !o.Decoder.Resident() && tokens > shape.ChunkTokens && shape.Held(tokens) > own; {
		tokens -= shape.ChunkTokens
	}
	return tokens
}

// converse makes ready for conversations.
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

// asked is what a model is asked, and where it writes.
type asked struct {
	*prompt
	generator *generate.Generator
	sequence  *transformer.Sequence
	talk      *talk  // nil outside of a conversation
	note      string // why it is outside of the one that it was asked in
}

// alone asks outside of conversations.
func (o *Model) alone(w *writing) (*asked, error) {
	o.conversations.Interrupt()
	p, err := o.prompt(w.question, w.passages)
	if err != nil {
		return nil, err
	}
	return &asked{prompt: p, generator: o.generator, sequence: o.Context}, nil
}

// ask asks in the conversation that a question goes on with, or outside of one. What
// stands in the way of a conversation never stands in the way of an answer.
func (o *Model) ask(ctx context.Context, w *writing) (*asked, error) {
	if w.job.Conversation == "" {
		return o.alone(w)
	}
	t, err := o.join(ctx, &w.job)
	if err == nil {
		var p *prompt
		if p, err = t.prompt(w.question, w.passages); err == nil {
			if err = t.begin(ctx, p.ids); err == nil {
				return &asked{prompt: p, generator: o.conversing, sequence: t.Sequence(), talk: t}, nil
			}
		}
		if closed := t.leave(); closed != nil {
			err = closed
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	a, plainly := o.alone(w)
	if plainly != nil {
		return nil, plainly
	}
	a.note = fmt.Sprintf("the model answered without the questions before: %v", err)
	return a, nil
}

// close lets go of the conversation, which has what it had before unless an answer was
// kept.
func (a *asked) close() error {
	if a.talk == nil {
		return nil
	}
	return a.talk.leave()
}

// shown is what a model wrote, with the ranks of passages.
func (a *asked) shown(text string) string {
	if a.talk == nil {
		return text
	}
	return a.talk.shown(text)
}
