package indexer

import (
	"testing"
	"time"

	"dowse/engine/memory"
)

// TestRoomIsOwed has a file hold more than it took, and more than there is.
func TestRoomIsOwed(t *testing.T) {
	ledger := &memory.Ledger{}
	r := newRoom(1000, ledger)
	held := func() int64 { return ledger.Snapshot()[0].Bytes }
	if !r.try(300) || !r.try(600) {
		t.Fatal("no room for the first")
	}
	small, large := &prepared{text: 100}, &prepared{text: 5000}
	r.settle(small, 300)
	r.settle(large, 600)
	if held() != 5100 || r.owed != 4400 {
		t.Errorf("%d held, %d owed", held(), r.owed)
	}
	waited := make(chan error, 1)
	go func() { waited <- r.wait(t.Context(), 1000) }()
	r.leave(small)
	select {
	case <-waited:
		t.Error("room is given before what is owed is paid")
	case <-time.After(time.Millisecond):
	}
	r.leave(large)
	if err := <-waited; err != nil {
		t.Error(err)
	}
	r.release(1000)
	if held() != 0 || r.owed != 0 || !r.try(1000) {
		t.Errorf("%d held, %d owed, when all have left", held(), r.owed)
	}
}
