package lent

import (
	"context"
	"testing"
	"time"

	"dowse/engine"
	"dowse/internal/testwait"
)

// closes is a service that tells when it is closed.
type closes struct {
	engine.Service
	closed chan struct{}
}

func (c *closes) Close() error {
	c.closed <- struct{}{}
	return nil
}

// TestIndexIsClosedSoon: others could not write while an agent is silent.
func TestIndexIsClosedSoon(t *testing.T) {
	opened := 0
	f := &closes{closed: make(chan struct{}, 9)}
	l := &Lender{Idle: time.Millisecond, Open: func(context.Context) (engine.Service, error) { opened++; return f, nil }}
	use := func() {
		t.Helper()
		if err := l.With(t.Context(), func(engine.Service) error {
			select {
			case <-f.closed:
				t.Error("closed while it is used")
			default:
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	use()
	testwait.Until(t, "it is not closed", func() bool { return len(f.closed) == 1 })
	<-f.closed
	l.Idle = time.Hour
	use()
	use()
	if err := l.Close(); err != nil || opened != 2 || len(f.closed) != 1 {
		t.Errorf("opened %d times, closed %d times, %v", opened, len(f.closed), err)
	}
}
