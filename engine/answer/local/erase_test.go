package local

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/generate/draft"
	"dowse/internal/testanswer"
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
	if _, err := Erase(ctx, folder); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("erased below another process: %v", err)
	}
	time.AfterFunc(100*time.Millisecond, func() {
		if err := unlock(); err != nil {
			t.Error(err)
		}
	})
	forgotten, err := Erase(t.Context(), folder)
	if err != nil || forgotten.Answers != 1 || forgotten.Tokens != 3 || forgotten.Models != 1 {
		t.Errorf("%+v, %v", forgotten, err)
	}
	if forgotten, err := Erase(t.Context(), filepath.Join(folder, "none")); err != nil || *forgotten != (engine.Forgotten{}) {
		t.Errorf("no folder: %+v, %v", forgotten, err)
	}
}

// TestForgettingClosesTheModel: nothing of what was said stays in memory, and the
// next question opens it again.
func TestForgettingClosesTheModel(t *testing.T) {
	a, ledger := newModelAnswerer(t, install(t, testanswer.WriterFiles(t)))
	if _, err := a.Answer(t.Context(), grepJob()); err != nil {
		t.Fatal(err)
	}
	forgotten, err := a.writer.Forget(t.Context(), a.writer.past)
	if err != nil || forgotten.Answers != 1 || ledger.Total() != 0 {
		t.Errorf("%+v, %v; %d bytes are left", forgotten, err, ledger.Total())
	}
	again, err := a.Answer(t.Context(), grepJob())
	if err != nil || again.Problem != "" || again.Generation.Reused != 0 {
		t.Errorf("asked again: %+v, %v", again, err)
	}
	_, done, err := a.writer.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.writer.Forget(ctx, a.writer.past); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while an answer is written: %v", err)
	}
	if err := done(); err != nil {
		t.Fatal(err)
	}
	if forgotten, err := (*Writer)(nil).Forget(t.Context(), a.writer.past); err == nil {
		t.Errorf("erased while the model has the folder: %+v", forgotten)
	}
}
