package swap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// byteDisk is a disk of which every byte takes its time and a read none: rows come alone
// then.
var byteDisk = DiskProfile{Sizes: []int{16, 1 << 20}, Rates: []float64{1e9, 1e9}, Sequential: 1e9, Memory: 1e10}

// Whatever the budget, and however it changes, rows are right and the ledger never
// shows more than the budget; so do whole layers between them.
func TestA6_RandomBudgetsAndTraffic(t *testing.T) {
	const seed = 46
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for i, l := range []pack.RowLayout{smallLayout(7, 2, 8), smallLayout(9, 4, 4), smallLayout(12, 1, 8), smallLayout(11, 4, 8)} {
		var ledger memory.Ledger
		records := newFakeRecords(l)
		least := newSwapSizes(l, 3)
		most := least.minimum() + int64(least.layout.Groups()+1)*least.group()
		budget := least.minimum()
		s := newTestSwapper(t, records, Options{Budget: budget, Readers: 3, Disk: []DiskProfile{{}, byteDisk}[i%2], Ledger: &ledger})
		changes := 0
		change := func() {
			changes++
			next := least.minimum() + rng.Int64N(most-least.minimum())
			if err := s.SetBudget(next); err != nil {
				if s.lending < 0 {
					t.Fatalf("%d bytes: %v", next, err)
				}
			} else {
				budget = next
			}
			keepsTo(t, &ledger, budget)
		}
		for range 90 {
			if rng.IntN(4) == 0 {
				for layer := range l.Layers {
					lendDense(t, s, layer)
					keepsTo(t, &ledger, budget)
					if rng.IntN(3) == 0 {
						var counts [pack.Bundles][]int32
						for b := range counts {
							counts[b] = make([]int32, l.Channels[b])
							for c := range counts[b] {
								counts[b][c] = int32(rng.IntN(9))
							}
						}
						s.Warm(layer, counts)
					}
					s.ReleaseDense(layer)
				}
				change()
				continue
			}
			if rng.IntN(5) == 0 {
				s.BeginSequence()
			}
			share := rng.Float64()
			for layer := range l.Layers {
				for b := range pack.Bundles {
					channels := active(rng, l.Channels[b], share)
					lendRows(t.Context(), t, s, layer, b, channels)
					s.Hint(layer, b, channels)
					keepsTo(t, &ledger, budget)
				}
				if rng.IntN(10) == 0 {
					change()
				}
				s.Release(layer)
			}
			change()
			change()
		}
		t.Logf("%d layers: %d changes", l.Layers, changes)
	}
}

// A predictor that is right, wrong or absent changes how rows come and no row: with
// the right one none is read on demand but those of the first group.
func TestA4_PredictorsChangeCountsAlone(t *testing.T) {
	const seed = 44
	t.Logf("seed %d", seed)
	l := smallLayout(8, 2, 8)
	sizes := newSwapSizes(l, 2)
	budget := sizes.minimum() + sizes.group()
	if sizes.whole(budget) {
		t.Fatal("the budget holds everything")
	}
	demand := map[string]int{}
	for _, name := range []string{"perfect", "none", "wrong"} {
		var ledger memory.Ledger
		s := newTestSwapper(t, newFakeRecords(l), Options{Budget: budget, Readers: 2, Ledger: &ledger})
		rng := rand.New(rand.NewPCG(seed, 0))
		for range 4 {
			s.BeginSequence() // so that no counts help
			channels := active(rng, 96, 0.3)
			var others []int32
			for c := range int32(96) {
				if len(others) < 20 && !slices.Contains(channels, c) {
					others = append(others, c)
				}
			}
			for layer := range l.Layers {
				for _, b := range []pack.Bundle{pack.QKVBundle, pack.GateUpBundle} {
					lendRows(t.Context(), t, s, layer, b, channels)
					switch name {
					case "perfect":
						s.Hint(layer, b, channels)
					case "wrong":
						s.Hint(layer, b, others)
					}
				}
				s.Release(layer)
				keepsTo(t, &ledger, budget)
			}
			stats := s.Stats()
			if stats.PreloadUsed+stats.OnDemand != stats.Misses || stats.PreloadUsed > stats.Preloaded {
				t.Errorf("%s: %+v", name, stats)
			}
			demand[name] += stats.OnDemand
		}
	}
	t.Logf("on demand: %v", demand)
	if demand["perfect"] >= demand["none"]*3/4 || demand["wrong"] < demand["none"] {
		t.Errorf("on demand: %v", demand)
	}
}

// The rows of channels that are always active are cached, and are not read again.
func TestCachedRowsAreNotReadAgain(t *testing.T) {
	l := smallLayout(12, 2, 8)
	sizes := newSwapSizes(l, 2)
	var ledger memory.Ledger
	s := newTestSwapper(t, newFakeRecords(l), Options{Budget: sizes.minimum() + 2*sizes.group(), Readers: 2, Ledger: &ledger})
	channels := []int32{1, 2, 3, 30, 31, 70}
	pass := func() Stats {
		s.BeginSequence()
		for layer := range l.Layers {
			for b := range pack.Bundles {
				lendRows(t.Context(), t, s, layer, b, channels)
			}
			s.Release(layer)
		}
		return s.Stats()
	}
	if first := pass(); first.Misses != 12*4*6 || first.BytesRead == 0 {
		t.Errorf("first text: %+v", first)
	}
	if second := pass(); second.Misses != 0 || second.Hits != 12*4*6 || second.Reads != 0 {
		t.Errorf("second text: %+v", second)
	}
}

// Where reads cost nothing but their bytes, a row that no later layer of its group wants
// comes alone; where bytes cost little, one read brings all.
func TestA8_RowsComeAloneOrTogether(t *testing.T) {
	l := smallLayout(8, 4, 8)
	sizes := newSwapSizes(l, 2)
	channels := []int32{3, 9, 20}
	for _, c := range []struct {
		disk   DiskProfile
		layer  int
		bundle pack.Bundle
		reads  int
		rows   int // whose bytes are read
	}{
		{byteDisk, 0, pack.DownBundle, 3, 3},
		{byteDisk, 3, pack.QKVBundle, 3, 3},
		{UsualDisk, 0, pack.DownBundle, 1, 18},
		{UsualDisk, 0, pack.QKVBundle, 1, 4 * 18},
	} {
		var ledger memory.Ledger
		s := newTestSwapper(t, newFakeRecords(l), Options{Budget: sizes.minimum(), Readers: 2, Disk: c.disk, Ledger: &ledger})
		lendRows(t.Context(), t, s, c.layer, c.bundle, channels)
		s.Release(c.layer)
		if stats := s.Stats(); stats.Reads != c.reads || stats.BytesRead != int64(c.rows*l.RowBytes(c.bundle)) {
			t.Errorf("layer %d, %v: %+v", c.layer, c.bundle, stats)
		}
	}
}

// A read that fails is the error of the call that wants it, and of no other; the call
// may be made again.
func TestFailedReadsAreErrors(t *testing.T) {
	l := smallLayout(4, 2, 8)
	sizes := newSwapSizes(l, 2)
	records := newFakeRecords(l)
	wrong := fmt.Errorf("read 100 of 4096 bytes: %w", io.ErrUnexpectedEOF)
	var fail atomic.Bool
	records.before = func(string, int, pack.Bundle, int, int) error {
		if fail.Load() {
			return wrong
		}
		return nil
	}
	var ledger memory.Ledger
	s := newTestSwapper(t, records, Options{Budget: sizes.minimum(), Readers: 2, Ledger: &ledger})
	channels, rows := []int32{1, 5, 9}, make([]*int8, 3)
	fail.Store(true)
	if err := s.Rows(t.Context(), 0, pack.DownBundle, channels, rows); !errors.Is(err, wrong) || !strings.Contains(err.Error(), "layer 0") {
		t.Errorf("rows: %v", err)
	}
	s.Hint(0, pack.QKVBundle, channels) // what cannot be read ahead is read again
	s.Release(0)
	if _, err := s.AcquireDense(t.Context(), 2); !errors.Is(err, wrong) {
		t.Errorf("dense: %v", err)
	}
	fail.Store(false)
	lendDense(t, s, 2)
	s.ReleaseDense(2)
	for layer := range l.Layers {
		lendRows(t.Context(), t, s, layer, pack.DownBundle, channels)
		lendRows(t.Context(), t, s, layer, pack.QKVBundle, channels)
		s.Release(layer)
	}
}

// A disk that hangs holds up nobody whose context ends, and Close until it goes on.
func TestStalledDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := smallLayout(4, 2, 8)
		sizes := newSwapSizes(l, 1)
		records := newFakeRecords(l)
		gate := make(chan struct{})
		records.before = func(string, int, pack.Bundle, int, int) error { <-gate; return nil }
		var ledger memory.Ledger
		s, err := New(records, Options{Budget: sizes.minimum(), Readers: 1, Ledger: &ledger})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() { synctest.Wait(); cancel() }()
		if err := s.Rows(ctx, 1, pack.QKVBundle, []int32{3}, make([]*int8, 1)); !errors.Is(err, context.Canceled) {
			t.Errorf("rows: %v", err)
		}
		s.Release(1)
		if _, err := s.AcquireDense(ctx, 0); !errors.Is(err, context.Canceled) {
			t.Errorf("dense: %v", err)
		}
		if err := s.Rows(ctx, 1, pack.QKVBundle, []int32{3}, make([]*int8, 1)); !errors.Is(err, context.Canceled) {
			t.Errorf("rows after that: %v", err)
		}
		s.Release(1)
		closed := make(chan error, 1)
		go func() { closed <- s.Close() }()
		synctest.Wait()
		select {
		case <-closed:
			t.Error("closed during a read")
		default:
		}
		close(gate)
		if err := <-closed; err != nil || ledger.Total() != 0 {
			t.Errorf("close: %v, %v", ledger.Snapshot(), err)
		}
	})
}

// What cannot be done is said, with what can.
func TestSwapperRefuses(t *testing.T) {
	l := smallLayout(6, 2, 8)
	least := newSwapSizes(l, 2)
	var ledger memory.Ledger
	o := Options{Budget: least.minimum() - 1, Readers: 2, Ledger: &ledger}
	var short *weights.BudgetError
	if _, err := New(newFakeRecords(l), o); !errors.Is(err, weights.ErrBudget) || !errors.As(err, &short) || short.Least != least.minimum() || short.Budget != o.Budget {
		t.Errorf("a budget too small: %v", err)
	}
	o.Budget++
	s := newTestSwapper(t, newFakeRecords(l), o)
	if err := s.SetBudget(o.Budget - 1); !errors.Is(err, weights.ErrBudget) {
		t.Errorf("a budget that becomes too small: %v", err)
	}
	rows := make([]*int8, 2)
	for _, c := range []struct {
		layer    int
		bundle   pack.Bundle
		channels []int32
	}{{6, 0, nil}, {-1, 0, nil}, {0, pack.Bundles, nil}, {0, 0, []int32{1, 2, 3}}, {0, 0, []int32{2, 1}}, {0, 0, []int32{96}}, {0, 0, []int32{-1}}} {
		if err := s.Rows(t.Context(), c.layer, c.bundle, c.channels, rows); err == nil {
			t.Errorf("%+v is lent", c)
		}
	}
	lendRows(t.Context(), t, s, 3, pack.QKVBundle, []int32{1})
	if err := s.Rows(t.Context(), 4, pack.QKVBundle, []int32{1}, rows); err == nil || !strings.Contains(err.Error(), "layer 3") {
		t.Errorf("a second layer: %v", err)
	}
	if _, err := s.AcquireDense(t.Context(), 4); err == nil {
		t.Error("a layer beside lent rows")
	}
	s.Release(3)
}

// All channels of a layer may be active with the least memory there is.
func TestLeastBudgetHoldsAWholeLayer(t *testing.T) {
	for _, l := range []pack.RowLayout{smallLayout(5, 1, 8), smallLayout(8, 4, 4)} {
		var ledger memory.Ledger
		least := newSwapSizes(l, 0)
		s := newTestSwapper(t, newFakeRecords(l), Options{Budget: least.minimum(), Ledger: &ledger})
		for range 2 {
			for layer := range l.Layers {
				for b := range pack.Bundles {
					all := active(rand.New(rand.NewPCG(0, 0)), l.Channels[b], 1)
					lendRows(t.Context(), t, s, layer, b, all)
					s.Hint(layer, b, all)
					keepsTo(t, &ledger, least.minimum())
				}
				s.Release(layer)
			}
		}
	}
}
