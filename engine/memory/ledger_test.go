package memory

import (
	"slices"
	"sync"
	"testing"
)

func TestLedgerRemembersPeaks(t *testing.T) {
	var l Ledger
	l.Grow("pq", 10)
	l.Grow("acts", 100)
	l.Shrink("acts", 60)
	l.Grow("acts", 20)
	want := []Pool{{"acts", 60, 100}, {"pq", 10, 10}}
	if got := l.Snapshot(); !slices.Equal(got, want) {
		t.Errorf("snapshot %v, want %v", got, want)
	}
	if got := l.Total(); got != 70 {
		t.Errorf("total %d, want 70", got)
	}
	if got := l.Peak(); got != 110 {
		t.Errorf("peak %d, want 110", got)
	}
}

func TestNilLedgerCountsNothing(t *testing.T) {
	var l *Ledger
	l.Grow("acts", 1)
	l.Shrink("acts", 2)
	if got := l.Snapshot(); got != nil || l.Total() != 0 || l.Peak() != 0 {
		t.Errorf("a nil ledger: %v, %d bytes, at most %d", got, l.Total(), l.Peak())
	}
}

func TestLedgerPanicsOnDoubleFree(t *testing.T) {
	for name, misuse := range map[string]func(*Ledger){
		"below zero":      func(l *Ledger) { l.Shrink("acts", 11) },
		"negative grow":   func(l *Ledger) { l.Grow("acts", -1) },
		"negative shrink": func(l *Ledger) { l.Shrink("acts", -1) },
	} {
		t.Run(name, func(t *testing.T) {
			var l Ledger
			l.Grow("acts", 10)
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			misuse(&l)
		})
	}
}

func TestLedgerIsSafeForConcurrentUse(t *testing.T) {
	var l Ledger
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 1000 {
				l.Grow("acts", 3)
				_ = l.Snapshot()
				l.Shrink("acts", 3)
			}
		})
	}
	group.Wait()
	pool := l.Snapshot()[0]
	if pool.Bytes != 0 || pool.Peak < 3 || pool.Peak > 24 {
		t.Errorf("after balanced use: %+v", pool)
	}
}
