package weights

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"dowse/engine/memory"
)

// numbered are layers that consist of their number.
func numbered(count int) Layers[int] {
	return Layers[int]{Count: count, Bytes: 64, Read: func(i int, buffer []byte) (int, error) {
		buffer[0] = byte(i)
		return i, nil
	}}
}

// lie lists the layers that lie in the slots, read to their end.
func (s *Streamer[L]) lie() map[int]bool {
	s.reads.Wait()
	there := map[int]bool{}
	for i := range s.slots {
		if s.slots[i].index >= 0 {
			there[s.slots[i].index] = true
		}
	}
	return there
}

// While layer l is in use, layer l+1 is read without being asked for, and
// layer l+2 as soon as l is released.
func TestG3_WindowReadsOneLayerAhead(t *testing.T) {
	const count = 5
	var ledger memory.Ledger
	s, err := NewWindow(numbered(count), &ledger)
	if err != nil {
		t.Fatal(err)
	}
	for i := range count {
		if there := s.lie(); !there[i] || i+1 < count && !there[i+1] {
			t.Errorf("before layer %d: %v", i, there)
		}
		got, err := s.Acquire(t.Context(), i)
		if err != nil || got != i || s.slotOf(i).buffer.Bytes()[0] != byte(i) {
			t.Fatalf("layer %d: %d (%v)", i, got, err)
		}
		if there := s.lie(); !there[i] || i+1 < count && !there[i+1] {
			t.Errorf("in use is layer %d, and there are %v", i, there)
		}
		s.Release(i)
		if there := s.lie(); i+2 < count && !there[i+2] {
			t.Errorf("released is layer %d, and there are %v", i, there)
		}
	}
	if got := s.Stats(); got.Stalls != 0 || got.LayersRead != count || got.BytesRead != count*64 {
		t.Errorf("%+v", got)
	}
	if page := int64(os.Getpagesize()); ledger.Peak() != 2*page { // two layers, and never a third
		t.Errorf("%d bytes were held", ledger.Peak())
	}
	if err := s.Close(); err != nil || ledger.Total() != 0 {
		t.Errorf("%v, %v", ledger.Snapshot(), err)
	}
}

// Passes follow each other: after the last layer the first ones are read, and
// layers that are to be kept stay in the pool for them.
func TestStreamerKeepsLayersAndGoesRound(t *testing.T) {
	const count = 6
	var ledger memory.Ledger
	s := NewStreamer(numbered(count), &ledger)
	pass := func() {
		t.Helper()
		for i := range count {
			if got, err := s.Acquire(t.Context(), i); err != nil || got != i {
				t.Fatalf("layer %d: %d (%v)", i, got, err)
			}
			s.Release(i)
		}
	}
	pass()
	if there := s.lie(); !there[0] || !there[1] {
		t.Errorf("after a pass: %v", there)
	}
	if err := s.Keep(3); err != nil {
		t.Fatal(err)
	}
	pass()
	if s.Kept() != 3 || s.Stats().LayersRead != 2*count {
		t.Errorf("%d kept, %+v", s.Kept(), s.Stats())
	}
	pass()
	if s.Stats().LayersRead != 3*count-3 {
		t.Errorf("%+v", s.Stats())
	}
	if err := s.Keep(0); err != nil || s.Kept() != 0 {
		t.Errorf("%d kept, %v", s.Kept(), err)
	}
	pass()
	if err := s.Close(); err != nil || ledger.Total() != 0 {
		t.Errorf("%v, %v", ledger.Snapshot(), err)
	}
}

// A layer that cannot be read is an error of its Acquire, which may be tried again;
// a context that ends ends the wait for a read alone.
func TestStreamerReturnsWhatIsWrong(t *testing.T) {
	wrong, gate := errors.New("wrong"), make(chan error, 1)
	layers := numbered(3)
	layers.Read = func(i int, _ []byte) (int, error) {
		if i == 1 {
			return i, <-gate
		}
		return i, nil
	}
	s, err := NewWindow(layers, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Acquire(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	s.Release(0)
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Acquire(done, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that is done: %v", err)
	}
	gate <- wrong
	if _, err := s.Acquire(t.Context(), 1); !errors.Is(err, wrong) || err.Error() != fmt.Sprintf("layer 1: %v", wrong) {
		t.Errorf("layer 1: %v", err)
	}
	gate <- nil
	if got, err := s.Acquire(t.Context(), 1); err != nil || got != 1 {
		t.Errorf("tried again: %d, %v", got, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// Any number of layers that are kept leaves the others spread over the model.
func TestKeptLayersAreSpread(t *testing.T) {
	for layers := 1; layers <= 70; layers++ {
		rank := keepRanks(layers)
		for keep := range layers + 1 {
			run, longest, kept := 0, 0, 0
			for _, r := range rank {
				if run++; r < keep {
					run, kept = 0, kept+1
				}
				longest = max(longest, run)
			}
			if kept != keep {
				t.Fatalf("%d of %d layers are kept, want %d", kept, layers, keep)
			}
			if even := (layers + keep) / (keep + 1); longest > 3*even {
				t.Errorf("%d of %d layers kept: %d in a row are read, %d if they were even", keep, layers, longest, even)
			}
		}
	}
}
