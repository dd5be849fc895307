package directio

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadsWhatLiesInTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	want := bytes.Repeat([]byte("0123456789abcdef"), 2*Align/16)
	if err := os.WriteFile(path, want, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	t.Logf("direct: %v", f.Direct())
	got := AlignedBytes(len(want))
	if err := f.ReadAt(got, 0); err != nil || !bytes.Equal(got, want) {
		t.Errorf("read: %v", err)
	}
	if err := f.ReadAt(got, Align); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("past the end: %v", err)
	}
	if err := f.ReadAt(got[:Align], 8*Align); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("behind the end: %v", err)
	}
	for _, c := range []struct {
		b      []byte
		offset int64
	}{{got[:100], 0}, {got[:Align], 7}, {got[1:][:Align], 0}} {
		if err := f.ReadAt(c.b, c.offset); err == nil || !strings.Contains(err.Error(), "multiples") {
			t.Errorf("%d bytes at %d: %v", len(c.b), c.offset, err)
		}
	}
	if size, err := f.Size(); err != nil || size != int64(len(want)) {
		t.Errorf("size %d, %v", size, err)
	}
}

func TestTemporaryFilesLeaveNothing(t *testing.T) {
	folder := t.TempDir()
	f, err := CreateTemp(folder)
	if err != nil {
		t.Fatal(err)
	}
	page := AlignedBytes(Align)
	copy(page, "hidden states")
	if err := f.WriteAt(page, Align); err != nil {
		t.Fatal(err)
	}
	got := AlignedBytes(Align)
	if err := f.ReadAt(got, Align); err != nil || !bytes.Equal(got, page) {
		t.Errorf("read back: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("%v are left (%v)", left, err)
	}
}

func TestAbsentFile(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "absent")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if _, err := CreateTemp(filepath.Join(t.TempDir(), "absent")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// A file system without direct access is served all the same: /proc is one.
func TestFallsBackToOrdinaryFiles(t *testing.T) {
	f, err := Open("/proc/self/status")
	if err != nil {
		t.Skipf("no /proc: %v", err)
	}
	if f.Direct() {
		t.Error("/proc claims direct access")
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
