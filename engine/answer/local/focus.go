package local

import (
	"context"
	"sync"
)

// focusing preloads conversations before their questions.
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

// begin opens the model if necessary and loads a conversation.
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
			return // the question will say why
		}
		model.conversations.Focus(id)
		_ = done() // closes a model that was replaced meanwhile
	}()
}

func (f *focusing) close() {
	f.mu.Lock()
	f.stop()
	f.mu.Unlock()
	f.working.Wait()
}
