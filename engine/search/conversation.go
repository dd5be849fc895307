package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"dowse/engine"
)

// Conversations keeps what is asked in conversations: *conversation.Folder, which says more.
type Conversations interface {
	CleanName(name string) (string, error)
	// Begin returns a conversation as it was kept, or a new one that nothing is kept of.
	Begin(name string) (*engine.Conversation, error)
	// Focus brings back what a model had computed of it.
	Focus(c *engine.Conversation)
	// Keep adds a turn.
	Keep(ctx context.Context, c *engine.Conversation, turn engine.Turn) (*engine.ContextUse, error)
	// Abandon removes a conversation without turns.
	Abandon(ctx context.Context, c *engine.Conversation) error
}

// inquiry is a request, and the conversation that it goes on with.
type inquiry struct {
	engine.Request
	id      string        // of the conversation; "" outside of one
	earlier []engine.Turn // of the conversation so far
	// standalone is the question as it was searched for and answered, where the
	// earlier turns changed it.
	standalone string
	engines    []*Engine // that are asked
	machines   *machines // that are asked besides; nil: none is
}

// errNoConversations answers a request that goes on with a conversation where none are
// kept.
var errNoConversations = errors.New("conversations are not kept here; ask without one")

// converse answers a request that goes on with a conversation. Whatever is wrong with
// what was kept, the search is made, and a sentence says so.
func (e *Engine) converse(ctx context.Context, req engine.Request, m *machines, emit func(engine.Event)) (*engine.Result, error) {
	if e.opts.Conversations == nil {
		return nil, errNoConversations
	}
	name, err := e.opts.Conversations.CleanName(req.Context)
	if err != nil {
		return nil, err
	}
	keep := (req.Keep || req.Answer) && !req.Estimate
	if keep {
		leave, err := e.turns.enter(ctx, name)
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	asked := time.Now().UTC()
	c, lost := e.opts.Conversations.Begin(name)
	if lost != nil {
		c = &engine.Conversation{Name: name}
		lost = fmt.Errorf("this is asked outside of the conversation, and is not kept: %w", lost)
	}
	if req.Answer && !req.Estimate && continued(c.Turns) {
		e.opts.Conversations.Focus(c) // it comes back while the question is searched for
	}
	in := &inquiry{Request: req, machines: m, id: c.ID, earlier: c.Turns}
	result, err := e.inquire(ctx, in, emit)
	if err != nil {
		if keep && lost == nil {
			_ = e.opts.Conversations.Abandon(context.WithoutCancel(ctx), c) // the error of the search says more
		}
		return nil, err
	}
	result.Context = &engine.ContextUse{Name: c.Name, Turn: len(c.Turns) + 1, Standalone: in.standalone}
	if keep && lost == nil {
		lost = e.keep(ctx, c, engine.MakeTurn(req.Query, result, asked), result.Context)
	}
	if lost != nil {
		result.Context.Problem = lost.Error()
	}
	if problem := result.Context.Problem; problem != "" && emit != nil && !req.Estimate {
		emit(engine.Event{Problem: problem})
	}
	return result, nil
}

// continued reports whether a language model of this machine has read or written turns, so
// that there are keys and values which the next one goes on with.
func continued(turns []engine.Turn) bool {
	return slices.ContainsFunc(turns, func(t engine.Turn) bool {
		return t.Answer != nil && t.Answer.Generation != nil && t.Answer.Generation.Conversation > 0
	})
}

// keep adds a turn to its conversation.
func (e *Engine) keep(ctx context.Context, c *engine.Conversation, turn engine.Turn, use *engine.ContextUse) error {
	kept, err := e.opts.Conversations.Keep(context.WithoutCancel(ctx), c, turn)
	if err != nil {
		return fmt.Errorf("this question was not kept: %w", err)
	}
	*use = *kept
	return nil
}

// turnstile lets one question at a time into a conversation, so that the next one goes
// on with its answer.
type turnstile struct {
	mu   sync.Mutex
	busy map[string]chan struct{} // by name; closed when the question has left
}

// enter waits for the question before.
func (t *turnstile) enter(ctx context.Context, name string) (leave func(), err error) {
	for {
		t.mu.Lock()
		before, busy := t.busy[name]
		if !busy {
			if t.busy == nil {
				t.busy = map[string]chan struct{}{}
			}
			here := make(chan struct{})
			t.busy[name] = here
			t.mu.Unlock()
			return func() {
				t.mu.Lock()
				delete(t.busy, name)
				t.mu.Unlock()
				close(here)
			}, nil
		}
		t.mu.Unlock()
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-before:
		}
	}
}
