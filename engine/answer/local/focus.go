package local

import (
	"context"
	"sync"
)

// focusing loads conversations for questions that are about to come.
type focusing struct {
	writer  *Writer
	ctx     context.Context // until the writer is closed
	stop    context.CancelFunc
	mu      sync.Mutex
	working sync.WaitGroup
}

func (f *focusing) init(w *Writer) {
	f.writer = w
	f.ctx, f.stop = context.WithCancel(context.Background())
	if w.keys != nil {
		w.keys.focus = f.begin
	}
}

// begin opens the model, if need be, and has it load a conversation.
func (f *focusing) begin(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ctx.Err() != nil {
		return
	}
	f.working.Add(1)
	go func() {
		defer f.working.Done()
		model, done, err := f.writer.Acquire(f.ctx)
		if err != nil {
			return // the question that comes says why
		}
		model.conversations.Focus(id)
		_ = done() // closes a model that was replaced meanwhile
	}()
}

// close waits for what was begun.
func (f *focusing) close() {
	f.mu.Lock()
	f.stop()
	f.mu.Unlock()
	f.working.Wait()
}
