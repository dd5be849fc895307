package weights

import (
	"math/rand/v2"
	"testing"

	"dowse/engine/memory"
	"dowse/models/pack"
)

// Whatever the budget, and however it changes, rows are right and the ledger never
// shows more than the budget; so do whole layers between them.
func TestA6_RandomBudgetsAndTraffic(t *testing.T) {
	const seed = 46
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, l := range []pack.RowLayout{smallLayout(7, 2, 8), smallLayout(9, 4, 4), smallLayout(3, 1, 8)} {
		var ledger memory.Ledger
		records := &fakeRecords{layout: l}
		least := newSwapSizes(l, 3)
		most := least.minimum() + int64(least.layout.Groups()+1)*least.group()
		budget := least.minimum()
		s := newTestSwapper(t, records, SwapOptions{Budget: budget, Readers: 3, Ledger: &ledger})
		change := func() {
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
		for range 350 {
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
		}
		stats := s.Stats()
		t.Logf("%+v: %+v", l, stats)
	}
}
