package swap

import (
	"math/rand/v2"
	"testing"

	"dowse/engine/memory"
)

// Rows keep their bytes while blocks come and go, and memory is given back.
func TestSlabKeepsRows(t *testing.T) {
	const seed, rows, perBlock = 7, 300, 256
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	var ledger memory.Ledger
	s := slab{ledger: &ledger, block: 16 << 10, row: 64, perBlock: perBlock}
	slots := make([]int32, rows)
	check := func() {
		t.Helper()
		live := 0
		for c, slot := range slots {
			if slot == 0 {
				continue
			}
			live++
			if b := s.bytes(slot); b[0] != int8(c) || b[63] != int8(c>>4) || s.owner[slot-1].channel != int32(c) {
				t.Fatalf("row %d: %d %d", c, b[0], b[63])
			}
		}
		if s.used() != live || ledger.Total() != int64(s.held*s.block) {
			t.Fatalf("%d slots are used by %d rows, %d bytes are held in %d blocks", s.used(), live, ledger.Total(), s.held)
		}
	}
	for range 2000 {
		switch c := rng.IntN(rows); {
		case rng.IntN(20) == 0:
			limit := rng.IntN(3)
			if err := s.shrink(limit, func(of rowOf, slot int32) { slots[of.channel] = slot }); err != nil {
				t.Fatal(err)
			}
			if s.held > max(limit, (s.used()+perBlock-1)/perBlock) {
				t.Fatalf("%d blocks for %d rows, the limit is %d", s.held, s.used(), limit)
			}
		case slots[c] != 0:
			s.drop(slots[c])
			slots[c] = 0
		default:
			slot, err := s.take(rowOf{0, int32(c)}, 2)
			if err != nil {
				t.Fatal(err)
			}
			if slots[c] = slot; slot != 0 {
				s.bytes(slot)[0], s.bytes(slot)[63] = int8(c), int8(c>>4)
			}
		}
		check()
	}
	for c, slot := range slots {
		if slot != 0 {
			s.drop(slot)
			slots[c] = 0
		}
	}
	if err := s.shrink(0, nil); err != nil || ledger.Total() != 0 {
		t.Errorf("%v, %v", ledger.Snapshot(), err)
	}
}
