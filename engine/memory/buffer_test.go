package memory

import (
	"os"
	"testing"
	"unsafe"
)

func TestBufferViewsShareMemory(t *testing.T) {
	var l Ledger
	b, err := NewBuffer(&l, "acts", 10)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(b.Bytes()) + len(b.Int8()) + len(b.Float32()) + len(b.Int32()); got != 10+10+2+2 {
		t.Errorf("views have %d elements together", got)
	}
	if at := uintptr(unsafe.Pointer(&b.Bytes()[0])); at%uintptr(os.Getpagesize()) != 0 {
		t.Errorf("buffer at %#x is not aligned to a page", at)
	}
	b.Int8()[9] = -1
	b.Float32()[0] = 1
	if got := b.Bytes(); got[9] != 255 || b.Int32()[0] != 0x3f800000 {
		t.Errorf("views do not share memory: %v", got)
	}
	page := int64(os.Getpagesize())
	if got := l.Total(); got != page {
		t.Errorf("charged %d bytes, want one page of %d", got, page)
	}
	for range 2 { // the second Free does nothing
		if err := b.Free(); err != nil {
			t.Fatal(err)
		}
	}
	if got := l.Snapshot()[0]; got.Bytes != 0 || got.Peak != page {
		t.Errorf("after Free: %+v", got)
	}
}

func TestBufferChangesPools(t *testing.T) {
	var l Ledger
	b, err := NewBuffer(&l, "weights.window", 1)
	if err != nil {
		t.Fatal(err)
	}
	b.Charge("weights.cache")
	page := int64(os.Getpagesize())
	if got := l.Snapshot(); got[0] != (Pool{"weights.cache", page, page}) || got[1] != (Pool{"weights.window", 0, page}) {
		t.Errorf("%+v", got)
	}
	if err := b.Free(); err != nil || l.Total() != 0 {
		t.Errorf("after Free: %v, %d bytes", err, l.Total())
	}
}

func TestEmptyBuffer(t *testing.T) {
	b, err := NewBuffer(nil, "acts", 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Float32()) != 0 || len(b.Int8()) != 0 {
		t.Error("an empty buffer has elements")
	}
	if err := b.Free(); err != nil {
		t.Error(err)
	}
	if _, err := NewBuffer(nil, "acts", -1); err == nil {
		t.Error("a buffer of -1 bytes")
	}
}

func TestRSSIsPlausible(t *testing.T) {
	if _, err := os.Stat("/proc/self/statm"); err != nil {
		t.Skip("no /proc/self/statm on this system")
	}
	if got := RSS(); got < 1<<20 || got > 1<<40 {
		t.Errorf("resident: %d bytes", got)
	}
}
