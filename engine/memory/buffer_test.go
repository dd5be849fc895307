package memory

import (
	"bytes"
	"os"
	"path/filepath"
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
	if got := b.Uint8(); got[9] != 255 || b.Int32()[0] != 0x3f800000 {
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

func TestMapFile(t *testing.T) {
	for name, content := range map[string][]byte{"some": []byte("weights"), "none": {}} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "pack")
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			var l Ledger
			m, err := MapFile(&l, "weights", path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(m.Bytes(), content) || l.Total() != int64(len(content)) {
				t.Errorf("read %q, charged %d", m.Bytes(), l.Total())
			}
			for range 2 {
				if err := m.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if l.Total() != 0 {
				t.Errorf("still charged with %d bytes", l.Total())
			}
		})
	}
}

func TestMapFileRefuses(t *testing.T) {
	if _, err := MapFile(nil, "weights", filepath.Join(t.TempDir(), "absent")); !os.IsNotExist(err) {
		t.Errorf("absent file: %v", err)
	}
	if _, err := MapFile(nil, "weights", t.TempDir()); err == nil {
		t.Error("a folder was mapped")
	}
}

func TestViewsCheckLengthAndAlignment(t *testing.T) {
	data := make([]float32, 4)
	b := unsafe.Slice((*byte)(unsafe.Pointer(&data[0])), 16)
	if v, err := Float32s(b); err != nil || len(v) != 4 {
		t.Errorf("aligned: %v, %v", v, err)
	}
	if _, err := Float32s(b[:15]); err == nil {
		t.Error("15 bytes became floats")
	}
	if _, err := Int32s(b[1:13]); err == nil {
		t.Error("unaligned bytes became integers")
	}
	if v := Int8s(b[1:4]); len(v) != 3 {
		t.Errorf("%d signed bytes, want 3", len(v))
	}
	if v, err := Int32s(nil); err != nil || v != nil {
		t.Errorf("no bytes: %v, %v", v, err)
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
