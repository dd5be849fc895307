package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"dowse/engine"
	"dowse/engine/generate/draft"
	"dowse/engine/memory"
	"dowse/internal/home"
	"dowse/models"
)

// pastAnswers are drafted from.
type pastAnswers struct {
	*draft.History
	unlock  func() error // unlocks the folder; nil if it is not locked
	ledger  *memory.Ledger
	charged int64
}

const (
	// PastPool is the ledger's pool of past answers.
	PastPool = "answers.past"
	// pastMemory is their most bytes: some 100 for each of draft.DefaultHistory
	// tokens.
	pastMemory = 20 << 20
)

// openPast opens a model's past answers. One process may use the folder.
// Others, or one that cannot write there, remember their own answers until they
// end: only speed is lost.
func openPast(folder, model string, ledger *memory.Ledger) *pastAnswers {
	p := &pastAnswers{ledger: ledger}
	p.open(folder, model)
	p.charge()
	return p
}

func (p *pastAnswers) open(folder, model string) {
	if home.MakePrivate(folder) == nil {
		unlock, held, err := models.TryLock(filepath.Join(folder, "lock"))
		if err == nil && held {
			if h, err := draft.OpenHistory(folder, model, 0); err == nil {
				p.History, p.unlock = h, unlock
				return
			}
			_ = unlock() // no file was written
		}
	}
	p.History = draft.NewHistory(0)
}

// charge updates the ledger.
func (p *pastAnswers) charge() {
	held := int64(p.Bytes())
	p.ledger.Grow(PastPool, max(0, held-p.charged))
	p.ledger.Shrink(PastPool, max(0, p.charged-held))
	p.charged = held
}

// close releases the folder.
func (p *pastAnswers) close() error {
	if p == nil {
		return nil
	}
	p.ledger.Shrink(PastPool, p.charged)
	p.charged = 0
	err := p.Close()
	if p.unlock != nil {
		err = errors.Join(err, p.unlock())
	}
	return err
}

// Forget erases a folder's past answers, and closes the model, which holds some
// in memory with its last prompt. A nil Writer holds none.
func (w *Writer) Forget(ctx context.Context, folder string) (*engine.Forgotten, error) {
	if w == nil {
		return Erase(ctx, folder)
	}
	done, err := w.Rest(ctx)
	switch {
	case err == nil:
		defer done()
		return Erase(ctx, folder)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("the model cannot be closed: %w", err)
}

const (
	// erasePatience bounds the wait for another process that answers.
	erasePatience = 5 * time.Second
	erasePause    = 50 * time.Millisecond
)

// Erase erases a folder's past answers once no process has it open.
func Erase(ctx context.Context, folder string) (*engine.Forgotten, error) {
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return &engine.Forgotten{}, nil
	}
	for deadline := time.Now().Add(erasePatience); ; {
		unlock, held, err := models.TryLock(filepath.Join(folder, "lock"))
		if err != nil {
			return nil, fmt.Errorf("past answers cannot be erased: %w; give yourself access to %s, or remove it", err, folder)
		}
		if held {
			kept, err := draft.EraseFolder(folder)
			if err = errors.Join(err, unlock()); err != nil {
				return nil, fmt.Errorf("past answers cannot be erased: %w; remove %s by hand", err, folder)
			}
			return &engine.Forgotten{Answers: kept.Answers, Tokens: kept.Tokens, Models: kept.Models, Bytes: kept.Bytes}, nil
		}
		if time.Now().After(deadline) {
			return nil, errors.New("another dowse is answering; wait until it is done, or end it, and try again")
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(erasePause):
		}
	}
}
