package app

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/generate/draft"
	"dowse/models"
)

// TestEraseWaitsForWhoAnswers: while another process has the folder nothing is
// erased, and as soon as it has not, everything is.
func TestEraseWaitsForWhoAnswers(t *testing.T) {
	folder := t.TempDir()
	past, err := draft.OpenHistory(folder, "writer", 0)
	if err == nil {
		err = errors.Join(past.Add("today", []int32{1, 2, 3}), past.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	unlock, held, err := models.TryLock(filepath.Join(folder, "lock"))
	if err != nil || !held {
		t.Fatal(held, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := eraseAnswers(ctx, folder); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("erased below another process: %v", err)
	}
	time.AfterFunc(100*time.Millisecond, func() {
		if err := unlock(); err != nil {
			t.Error(err)
		}
	})
	forgotten, err := eraseAnswers(t.Context(), folder)
	if err != nil || forgotten.Answers != 1 || forgotten.Tokens != 3 || forgotten.Models != 1 {
		t.Errorf("%+v, %v", forgotten, err)
	}
	if forgotten, err := eraseAnswers(t.Context(), filepath.Join(folder, "none")); err != nil || *forgotten != (engine.Forgotten{}) {
		t.Errorf("no folder: %+v, %v", forgotten, err)
	}
}

// TestForgettingClosesTheModel: nothing of what was said stays in memory, and the
// next question opens it again.
func TestForgettingClosesTheModel(t *testing.T) {
	a, ledger := newModelAnswerer(t, install(t, writerFiles(t)))
	if _, err := a.Answer(t.Context(), grepJob()); err != nil {
		t.Fatal(err)
	}
	s := &stack{model: &model{generator: a.generator}, past: a.generator.past}
	forgotten, err := s.ForgetAnswers(t.Context())
	if err != nil || forgotten.Answers != 1 || ledger.Total() != 0 {
		t.Errorf("%+v, %v; %d bytes are left", forgotten, err, ledger.Total())
	}
	again, err := a.Answer(t.Context(), grepJob())
	if err != nil || again.Problem != "" || again.Generation.Reused != 0 {
		t.Errorf("asked again: %+v, %v", again, err)
	}
	if _, err := a.generator.acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.ForgetAnswers(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while an answer is written: %v", err)
	}
	a.generator.release()
	if forgotten, err := (&stack{model: &model{}, past: a.generator.past}).ForgetAnswers(t.Context()); err == nil {
		t.Errorf("erased while the model has the folder: %+v", forgotten)
	}
}
