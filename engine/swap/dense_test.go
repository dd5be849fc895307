package swap

import (
	"math/rand/v2"
	"testing"

	"dowse/engine/memory"
	"dowse/models/pack"
)

// A prompt reads each group once; with two buffers the next one is read while one is
// computed. A budget that holds all groups reads nothing twice, and active rows lie in
// them.
func TestDenseGroupsAreReadOnce(t *testing.T) {
	l := smallLayout(7, 2, 8)
	sizes := newSwapSizes(l, 2)
	for _, c := range []struct {
		name    string
		budget  int64
		buffers int64
		bundles int // that two prompts and a token read
	}{
		{"least", sizes.minimum(), 1, 2 * 4 * 4},
		{"whole", sizes.fixed + 4*sizes.group(), 4, 4 * 4},
	} {
		var ledger memory.Ledger
		records := newFakeRecords(l)
		s := newTestSwapper(t, records, Options{Budget: c.budget, Readers: 2, Ledger: &ledger})
		for range 2 {
			for layer := range l.Layers {
				lendDense(t, s, layer)
				if held := s.dense.bytes(); held > c.buffers*sizes.group() {
					t.Errorf("%s: %d bytes of groups", c.name, held)
				}
				s.ReleaseDense(layer)
			}
		}
		for layer := range l.Layers {
			lendRows(t.Context(), t, s, layer, pack.GateUpBundle, []int32{0, 50, 95})
			s.Release(layer)
		}
		if records.bundles != c.bundles {
			t.Errorf("%s: %d bundles were read, want %d", c.name, records.bundles, c.bundles)
		}
		if c.name == "whole" && records.records != 0 {
			t.Errorf("%d reads of rows beside the groups", records.records)
		}
	}
}

// While a group is lent, the one behind it is read without being asked for.
func TestNextGroupIsReadAhead(t *testing.T) {
	l := smallLayout(16, 2, 8)
	sizes := newSwapSizes(l, 2)
	var ledger memory.Ledger
	s := newTestSwapper(t, newFakeRecords(l), Options{Budget: sizes.minimum() + 4*sizes.group(), Readers: 2, Ledger: &ledger})
	for layer := range l.Layers {
		lendDense(t, s, layer)
		s.dense.running.Wait()
		if group := layer/2 + 1; group < 8 && s.dense.find(group) == nil {
			t.Errorf("layer %d is lent, and group %d is not read", layer, group)
		}
		s.ReleaseDense(layer)
	}
	if stats := s.Stats(); stats.Stalls > 1 {
		t.Errorf("%d stalls", stats.Stalls)
	}
}

// A cache that a prompt warmed needs no read for the channels that were active most.
func TestC3_WarmCachesCopyAndReadNothing(t *testing.T) {
	l := smallLayout(12, 2, 8)
	sizes := newSwapSizes(l, 2)
	budget := sizes.minimum() + 4*sizes.group()
	var ledger memory.Ledger
	records := newFakeRecords(l)
	s := newTestSwapper(t, records, Options{Budget: budget, Readers: 2, Ledger: &ledger})
	hot := []int32{2, 3, 5, 7, 11, 60}
	var counts [pack.Bundles][]int32
	for b := range counts {
		counts[b] = make([]int32, l.Channels[b])
		for c := range counts[b] {
			counts[b][c] = int32(c % 2)
		}
		for _, c := range hot {
			counts[b][c] = 100
		}
	}
	s.BeginSequence()
	for layer := range l.Layers {
		lendDense(t, s, layer)
		s.Warm(layer, counts)
		s.ReleaseDense(layer)
	}
	read := records.bundles
	for layer := range l.Layers {
		for b := range pack.Bundles {
			lendRows(t.Context(), t, s, layer, b, hot)
			keepsTo(t, &ledger, budget)
		}
		s.Release(layer)
	}
	stats := s.Stats()
	if stats.Hits != len(hot)*4*l.Layers || stats.Misses != 0 || records.records != 0 || records.bundles != read || stats.Warmed < stats.Hits {
		t.Errorf("%+v, %d reads of rows", stats, records.records)
	}
}

// switchPlan finds as many layers as any division of the pass among them does.
func TestSwitchPlanAgainstBruteForce(t *testing.T) {
	const seed = 72
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 500 {
		layers := 1 + rng.IntN(7)
		compute, load := make([]int64, layers), make([]int64, layers)
		for i := range layers {
			compute[i], load[i] = rng.Int64N(5), rng.Int64N(9)
		}
		if got, want := switchPlan(compute, load), mostHidden(compute, load, 0, 0); got != want {
			t.Fatalf("compute %v, load %v: %d layers, want %d", compute, load, got, want)
		}
	}
}

// mostHidden tries every number of layers for the next load.
func mostHidden(compute, load []int64, next, done int) int {
	most := done
	if done == len(load) {
		return most
	}
	hidden := int64(0)
	for end := next; end <= len(compute); end++ {
		if hidden >= load[len(load)-1-done] {
			most = max(most, mostHidden(compute, load, end, done+1))
		}
		if end < len(compute) {
			hidden += compute[end]
		}
	}
	return most
}

// Passes through whole layers, one after the other, keep as many groups as the budget
// holds and read the others alone; the first keeps what no row needs.
func TestDensePassesKeepGroups(t *testing.T) {
	l := smallLayout(16, 2, 8)
	sizes := newSwapSizes(l, 2)
	for _, kept := range []int64{4, 5, 7} { // besides the group that is computed
		var ledger memory.Ledger
		records := newFakeRecords(l)
		budget := sizes.fixed + (kept+1)*sizes.group()
		s := newTestSwapper(t, records, Options{Budget: budget, Readers: 2, Ledger: &ledger})
		for pass := range 4 {
			for layer := range l.Layers {
				lendRows(t.Context(), t, s, layer, pack.GateUpBundle, []int32{0, 50, 95})
				s.Release(layer)
				if pass > 0 {
					break
				}
			}
			read := 0
			for range 3 {
				read = records.bundles
				for layer := range l.Layers {
					lendDense(t, s, layer)
					s.dense.running.Wait()
					keepsTo(t, &ledger, budget)
					s.ReleaseDense(layer)
				}
				read = records.bundles - read
			}
			if most := 4 * (8 - int(kept)); read > most {
				t.Errorf("%d groups fit, and a pass reads %d bundles, want at most %d", kept+1, read, most)
			}
		}
	}
}
