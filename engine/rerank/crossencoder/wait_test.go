package crossencoder

import (
	"context"
	"errors"
	"testing"
	"time"

	"dowse/engine/opened"
	"dowse/internal/testwait"
	"dowse/models"
)

// TestWaitingForARerankerEndsWithContext: while one search opens the model,
// from a disk that does not answer, one that is cancelled waits no longer.
func TestWaitingForARerankerEndsWithContext(t *testing.T) {
	opens, goes := make(chan struct{}), make(chan struct{})
	errGone := errors.New("no such model")
	r := New(opened.Machine{Find: func(string) (models.Installation, error) {
		close(opens)
		<-goes
		return models.Installation{}, errGone
	}}, Options{Name: "slow"})
	first := make(chan error, 1)
	go func() {
		_, _, err := r.Acquire(t.Context())
		first <- err
	}()
	<-opens
	ctx, cancel := context.WithCancel(t.Context())
	second := make(chan error, 1)
	go func() {
		_, _, err := r.Acquire(ctx)
		second <- err
	}()
	cancel()
	select {
	case err := <-second:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	case <-time.After(testwait.Patience):
		t.Error("a cancelled search waits for the model")
	}
	close(goes)
	if err := <-first; !errors.Is(err, errGone) {
		t.Errorf("the search that opened it: %v", err)
	}
}
