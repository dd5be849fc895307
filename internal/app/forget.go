package app

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
	"dowse/internal/daemon"
	"dowse/models"
)

// pastFolder is where past answers lie, a log for each model.
func (a *App) pastFolder() string { return filepath.Join(a.Home.Data, "answers") }

// ForgetAnswers erases past answers, those too that the owner of the store holds
// in memory. It needs neither an index nor a model.
func (a *App) ForgetAnswers(ctx context.Context) (*engine.Forgotten, error) {
	client, err := daemon.Dial(ctx, a.Home.Socket())
	if err == nil {
		forgotten, err := client.ForgetAnswers(ctx)
		if !lost(err) {
			return forgotten, err
		}
	} else if !lost(err) {
		return nil, err
	}
	return eraseAnswers(ctx, a.pastFolder())
}

// ForgetAnswers implements engine.Service.
func (s *stack) ForgetAnswers(ctx context.Context) (*engine.Forgotten, error) {
	ctx, leave, err := s.gate.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	done, err := s.model.generator.rest(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	return eraseAnswers(ctx, s.past)
}

// rest closes the model, which holds its last answer and its prompt as well, and
// keeps it from being opened until done is called.
func (g *generator) rest(ctx context.Context) (done func(), err error) {
	if g == nil {
		return func() {}, nil
	}
	select {
	case <-g.turn:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err = g.shut(); err != nil {
		g.release()
		return nil, fmt.Errorf("the model cannot be closed: %w", err)
	}
	return g.release, nil
}

const (
	// erasePatience is how long another process that answers is waited for.
	erasePatience = 5 * time.Second
	erasePause    = 50 * time.Millisecond
)

// eraseAnswers erases the past answers in a folder once nobody has it open.
func eraseAnswers(ctx context.Context, folder string) (*engine.Forgotten, error) {
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
