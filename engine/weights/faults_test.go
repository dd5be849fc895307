package weights

import (
	"context"
	"errors"
	"testing"
	"time"

	"dowse/engine/memory"
)

// Whatever waits for a disk that stands still tells so again and again, goes on when the
// disk does, and ends at once when its context ends.
func TestStallsAreToldAndEnd(t *testing.T) {
	for name, open := range map[string]func(t *testing.T, gate chan struct{}, waits *Waits) (acquire func(ctx context.Context) error){
		"layers": func(t *testing.T, gate chan struct{}, waits *Waits) func(ctx context.Context) error {
			layers := numbered(4)
			read := layers.Read
			layers.Read = func(i int, buffer []byte) (int, error) { <-gate; return read(i, buffer) }
			s := NewStreamer(layers, nil)
			s.Tell(waits)
			t.Cleanup(func() { mustClose(t, s.Close) })
			return func(ctx context.Context) error { _, err := s.Acquire(ctx, 0); return err }
		},
		"experts": func(t *testing.T, gate chan struct{}, waits *Waits) func(ctx context.Context) error {
			c := NewExpertCache(Experts[int]{Layers: 1, Count: 4, Bytes: 64, Read: func(_, e int, _ []byte) (int, error) { <-gate; return e, nil }}, nil)
			c.Tell(waits)
			if err := c.SetBudget(4 * memory.InPages(64)); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { mustClose(t, c.Close) })
			return func(ctx context.Context) error { _, err := c.Acquire(ctx, 0, 1); return err }
		},
	} {
		t.Run(name, func(t *testing.T) {
			gate, waits := make(chan struct{}), NewWaits(time.Millisecond)
			acquire := open(t, gate, waits)
			ctx, cancel := context.WithCancel(t.Context())
			told, last := 0, time.Duration(0)
			waits.Tell(func(waited time.Duration) {
				if told++; waited < last {
					t.Errorf("waited %v after %v", waited, last)
				}
				if last = waited; told == 2 {
					cancel() // as Ctrl-C does
				}
			})
			if err := acquire(ctx); !errors.Is(err, context.Canceled) || told != 2 {
				t.Errorf("told %d times, %v", told, err)
			}
			waits.Tell(func(time.Duration) { // the disk goes on
				waits.Tell(nil)
				close(gate)
			})
			if err := acquire(t.Context()); err != nil {
				t.Errorf("after the stall: %v", err)
			}
		})
	}
}

func mustClose(t *testing.T, closing func() error) {
	t.Helper()
	if err := closing(); err != nil {
		t.Error(err)
	}
}
