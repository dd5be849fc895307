package memory

import "testing"

// TestLeasesGrow into what is free, and into what idle holders have.
func TestLeasesGrow(t *testing.T) {
	a := NewArbiter(100)
	a.Reserve(10)
	var idle, stubborn *Lease
	yielded := 0
	idle = a.Lease(func() (bool, error) { yielded++; idle.Give(); return true, nil })
	stubborn = a.Lease(func() (bool, error) { return false, nil })
	l := a.Lease(func() (bool, error) { t.Error("a lease yields for itself"); return false, nil })
	if !idle.Grow(30) || !stubborn.Grow(20) || !l.Grow(40) || l.Grow(1) {
		t.Fatal("90 bytes are 30, 20 and 40")
	}
	l.Busy()
	idle.Busy()
	stubborn.Busy()
	if ok, err := l.Claim(1); ok || err != nil {
		t.Errorf("claimed from holders at work (%v)", err)
	}
	idle.Idle()
	if ok, err := l.Claim(31); ok || err != nil || yielded != 0 {
		t.Errorf("31 of 30 bytes: %v, %v, %d yielded", ok, err, yielded)
	}
	stubborn.Idle()
	if ok, err := l.Claim(31); ok || err != nil || yielded != 1 {
		t.Errorf("31 bytes where 30 are given up: %v, %v, %d yielded", ok, err, yielded)
	}
	if ok, err := l.Claim(30); !ok || err != nil {
		t.Errorf("30 free bytes: %v, %v", ok, err)
	}
	l.Shrink(70)
	l.Idle()
	if granted, err := idle.Take(t.Context(), 70); granted != 70 || err != nil {
		t.Errorf("%d of 70 bytes that were given back, %v", granted, err)
	}
	var any *Lease
	any.Shrink(5)
	if ok, err := any.Claim(1 << 40); !ok || err != nil || !any.Grow(1<<40) {
		t.Errorf("no budget: %v, %v", ok, err)
	}
}
