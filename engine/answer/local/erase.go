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
	"dowse/models"
)

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
