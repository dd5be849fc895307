package swap

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// errDisk is what a read of a broken sector returns.
var errDisk = fmt.Errorf("read model.rows: %w", syscall.EIO)

// Whatever waits for a disk that stands still tells so, and ends at once when its context
// ends.
func TestStallsAreToldAndEnd(t *testing.T) {
	for name, acquire := range map[string]func(ctx context.Context, s *Swapper) error{
		"rows": func(ctx context.Context, s *Swapper) error {
			return s.Rows(ctx, 0, pack.DownBundle, []int32{3}, make([]*int8, 1))
		},
		"groups": func(ctx context.Context, s *Swapper) error { _, err := s.AcquireDense(ctx, 0); return err },
	} {
		t.Run(name, func(t *testing.T) {
			gate, waits := make(chan struct{}), weights.NewWaits(time.Millisecond)
			layout := smallLayout(4, 1, 8)
			r := newFakeRecords(layout)
			r.before = func(string, int, pack.Bundle, int, int) error { <-gate; return nil }
			s := newTestSwapper(t, r, Options{Budget: Least(layout), Ledger: &memory.Ledger{}, Waits: waits})
			ctx, cancel := context.WithCancel(t.Context())
			told := 0
			waits.Tell(func(time.Duration) {
				if told++; told == 2 {
					cancel() // as Ctrl-C does
				}
			})
			if err := acquire(ctx, s); !errors.Is(err, context.Canceled) || told != 2 {
				t.Errorf("told %d times, %v", told, err)
			}
			waits.Tell(nil)
			close(gate) // the disk goes on
			if err := acquire(t.Context(), s); err != nil {
				t.Errorf("after the stall: %v", err)
			}
		})
	}
}

// A disk that fails now and then is an error of the call that needed the bytes, which says
// so, or is not noticed; what is lent is what lies in the file, and once the disk is well
// everything is there again.
func TestSwapperOnABrokenDisk(t *testing.T) {
	layout := smallLayout(6, 2, 8)
	r, rng := newFakeRecords(layout), rand.New(rand.NewPCG(5, 0))
	broken := rand.New(rand.NewPCG(6, 0)) // under fakeRecords' lock
	share := .3
	r.before = func(string, int, pack.Bundle, int, int) error {
		r.mu.Lock()
		defer r.mu.Unlock()
		if broken.Float64() < share {
			return errDisk
		}
		return nil
	}
	ledger := &memory.Ledger{}
	budget := Least(layout) + 3<<20
	s := newTestSwapper(t, r, Options{Budget: budget, Ledger: ledger})
	failed, lent := 0, 0
	pass := func() {
		for layer := range layout.Layers {
			for b := range pack.Bundles {
				channels := active(rng, layout.Channels[b], .5)
				rows := make([]*int8, len(channels))
				switch err := s.Rows(t.Context(), layer, b, channels, rows); {
				case err == nil:
					lent++
					checkLent(t, s, layer, b, channels, rows)
				case errors.Is(err, syscall.EIO):
					failed++
				default:
					t.Fatal(err)
				}
				s.Hint(layer, b, channels)
				keepsTo(t, ledger, budget)
			}
			s.Release(layer)
		}
		for layer := range layout.Layers {
			switch _, err := s.AcquireDense(t.Context(), layer); {
			case err == nil:
				s.ReleaseDense(layer)
				lendDense(t, s, layer)
				s.ReleaseDense(layer)
			case errors.Is(err, syscall.EIO):
				failed++
			default:
				t.Fatal(err)
			}
		}
	}
	for range 6 {
		pass()
	}
	if failed == 0 || lent == 0 {
		t.Errorf("%d calls failed, %d did not", failed, lent)
	}
	r.mu.Lock()
	share = 0
	r.mu.Unlock()
	for layer := range layout.Layers { // of reads ahead that failed none is left
		_, _ = s.AcquireDense(t.Context(), layer)
		s.ReleaseDense(layer)
	}
	failed = 0
	if pass(); failed > 0 {
		t.Errorf("%d calls failed once the disk was well", failed)
	}
}
