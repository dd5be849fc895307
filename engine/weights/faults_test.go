package weights

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"dowse/engine/memory"
	"dowse/models/pack"
)

// errDisk is what a read of a broken sector returns.
var errDisk = fmt.Errorf("read model.rows: %w", syscall.EIO)

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
		"rows": swapperThatStalls(func(ctx context.Context, s *Swapper) error {
			return s.Rows(ctx, 0, pack.DownBundle, []int32{3}, make([]*int8, 1))
		}),
		"groups": swapperThatStalls(func(ctx context.Context, s *Swapper) error { _, err := s.AcquireDense(ctx, 0); return err }),
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

// swapperThatStalls opens a Swapper whose reads wait for a gate.
func swapperThatStalls(acquire func(ctx context.Context, s *Swapper) error) func(t *testing.T, gate chan struct{}, waits *Waits) func(ctx context.Context) error {
	return func(t *testing.T, gate chan struct{}, waits *Waits) func(ctx context.Context) error {
		layout := smallLayout(4, 1, 8)
		r := newFakeRecords(layout)
		r.before = func(string, int, pack.Bundle, int, int) error { <-gate; return nil }
		s := newTestSwapper(t, r, SwapOptions{Budget: LeastSwap(layout), Ledger: &memory.Ledger{}, Waits: waits})
		return func(ctx context.Context) error { return acquire(ctx, s) }
	}
}

func mustClose(t *testing.T, closing func() error) {
	t.Helper()
	if err := closing(); err != nil {
		t.Error(err)
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
	budget := LeastSwap(layout) + 3<<20
	s := newTestSwapper(t, r, SwapOptions{Budget: budget, Ledger: ledger})
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
