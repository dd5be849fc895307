package weights_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"dowse/engine/memory"
	"dowse/engine/weights"
)

// shelf is experts on a disk: what is read of one is its name.
type shelf struct {
	mu     sync.Mutex
	reads  map[string]int
	broken string        // the name of one that cannot be read
	gate   chan struct{} // unless nil, a read takes a value of it first
}

const shelfBytes = 4096

func (s *shelf) experts(layers, count int) weights.Experts[string] {
	return weights.Experts[string]{Layers: layers, Count: count, Bytes: shelfBytes, Read: func(layer, expert int, buffer []byte) (string, error) {
		if s.gate != nil {
			<-s.gate
		}
		name := fmt.Sprintf("%d.%d", layer, expert)
		s.mu.Lock()
		s.reads[name]++
		s.mu.Unlock()
		if name == s.broken {
			return "", errors.New("the disk is broken")
		}
		copy(buffer, name)
		return string(buffer[:len(name)]), nil
	}}
}

func newShelf() *shelf { return &shelf{reads: map[string]int{}} }

func openExperts(t *testing.T, s *shelf, layers, count, slots int) (*weights.ExpertCache[string], *memory.Ledger) {
	t.Helper()
	ledger := &memory.Ledger{}
	c := weights.NewExpertCache(s.experts(layers, count), ledger)
	if err := c.SetBudget(int64(slots) * memory.InPages(shelfBytes)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil || ledger.Total() != 0 {
			t.Errorf("%d bytes are left (%v)", ledger.Total(), err)
		}
	})
	return c, ledger
}

// use acquires experts of a layer one after the other.
func use(t *testing.T, c *weights.ExpertCache[string], layer int, experts []int32) {
	t.Helper()
	c.Want(layer, experts, slices.Repeat([]int32{1}, len(experts)))
	for _, e := range experts {
		got, err := c.Acquire(t.Context(), layer, int(e))
		if want := fmt.Sprintf("%d.%d", layer, e); err != nil || got != want {
			t.Fatalf("got %q (%v), want %q", got, err, want)
		}
		c.Release(layer, int(e))
	}
}

// However few slots there are, and whatever is guessed, each expert is the one that was
// asked for, no more memory is held than there may be, and an expert is read once a layer.
func TestExpertsAreThoseAskedFor(t *testing.T) {
	const seed = 3
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	some := func(of int) (list []int32) {
		for e := range of {
			if rng.IntN(3) == 0 {
				list = append(list, int32(e))
			}
		}
		return list
	}
	for _, slots := range []int{2, 3, 7, 40} {
		s := newShelf()
		c, ledger := openExperts(t, s, 4, 10, slots)
		chosen := 0
		for range 60 {
			for layer := range 4 {
				if rng.IntN(2) == 0 {
					c.Hint(layer, some(10))
				}
				list := some(10)
				chosen += len(list)
				use(t, c, layer, list)
			}
		}
		stats := c.Stats()
		if stats.Chosen != chosen || stats.Hits+stats.Foreseen+stats.Demanded != chosen || ledger.Peak() > int64(slots)*memory.InPages(shelfBytes) {
			t.Errorf("%d slots: %+v, %d bytes held", slots, stats, ledger.Peak())
		}
		if slots == 40 && (stats.Reads > 40 || len(s.reads) != stats.Reads) {
			t.Errorf("room for all, and %d reads of %d experts", stats.Reads, len(s.reads))
		}
	}
}

// What is chosen most often stays while others come and go; with another text that is
// forgotten.
func TestExpertsThatAreChosenOftenStay(t *testing.T) {
	s := newShelf()
	c, _ := openExperts(t, s, 1, 20, 4)
	use(t, c, 0, []int32{1, 2})
	use(t, c, 0, []int32{1, 2})
	for e := int32(5); e < 15; e++ {
		use(t, c, 0, []int32{1, 2, e})
	}
	if s.reads["0.1"] != 1 || s.reads["0.2"] != 1 || c.Stats().Hits != 22 {
		t.Errorf("%+v, %v", c.Stats(), s.reads)
	}
	c.BeginSequence()
	for range 2 {
		for e := int32(16); e < 20; e++ {
			use(t, c, 0, []int32{e})
		}
	}
	before := s.reads["0.1"]
	use(t, c, 0, []int32{1})
	if s.reads["0.1"] != before+1 {
		t.Error("an expert of another text stayed before those of this one")
	}
}

// A guess that is right is read before it is chosen; one that is wrong is counted.
func TestGuessedExpertsAreReadAhead(t *testing.T) {
	s := newShelf()
	s.gate = make(chan struct{})
	c, _ := openExperts(t, s, 2, 8, 8)
	c.Hint(1, []int32{2, 3, 6})
	for range 3 {
		s.gate <- struct{}{} // the reads began without anybody waiting
	}
	close(s.gate)
	use(t, c, 1, []int32{2, 4, 6})
	got := c.Stats()
	want := weights.ExpertStats{Chosen: 3, Foreseen: 2, Demanded: 1, Guessable: 3, Guessed: 2, Reads: 4, Wasted: 1, BytesRead: 4 * shelfBytes}
	got.Stalls, got.StallTime = 0, 0
	if got != want {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
}

// A budget that shrinks is kept at once, also while experts are read ahead; what is still
// there is found.
func TestExpertBudgetShrinks(t *testing.T) {
	s := newShelf()
	c, ledger := openExperts(t, s, 1, 20, 12)
	all := []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	use(t, c, 0, all)
	c.Hint(0, []int32{11, 12, 13})
	if err := c.SetBudget(3 * memory.InPages(shelfBytes)); err != nil {
		t.Fatal(err)
	}
	if ledger.Total() > 3*memory.InPages(shelfBytes) {
		t.Errorf("%d bytes are held", ledger.Total())
	}
	use(t, c, 0, all)
	var short *weights.BudgetError
	if err := c.SetBudget(memory.InPages(shelfBytes)); !errors.Is(err, weights.ErrBudget) || !errors.As(err, &short) || short.Least != 2*memory.InPages(shelfBytes) {
		t.Errorf("error %v", err)
	}
}

// An expert that cannot be read is an error of who wants it, and of nobody else; a pass
// that is broken off leaves the cache of use.
func TestExpertsThatCannotBeRead(t *testing.T) {
	s := newShelf()
	s.broken = "0.3"
	c, _ := openExperts(t, s, 1, 6, 3)
	c.Hint(0, []int32{3})
	c.Want(0, []int32{2, 3, 4}, []int32{1, 1, 1})
	if _, err := c.Acquire(t.Context(), 0, 2); err != nil {
		t.Fatal(err)
	}
	c.Release(0, 2)
	if _, err := c.Acquire(t.Context(), 0, 3); err == nil || !strings.Contains(err.Error(), "layer 0: the disk is broken") {
		t.Errorf("error %v", err)
	}
	use(t, c, 0, []int32{2, 4, 5})
	s.gate = make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c.Want(0, []int32{0, 1}, []int32{1, 1})
	if _, err := c.Acquire(ctx, 0, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	close(s.gate)
	use(t, c, 0, []int32{0, 1, 2})
}
