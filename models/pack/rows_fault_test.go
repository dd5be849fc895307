package pack

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/models/pack/directio"
)

// TestRowsNoticeDamage: bytes that changed are found where checksums are compared,
// and a file that is cut while it is open is an error of the read that misses bytes,
// never a wrong byte. A file that takes its name goes unnoticed.
func TestRowsNoticeDamage(t *testing.T) {
	r := convert(t, decoderPack(t, rowShapes()["llama"]), 2, 8)
	l, buffer := r.Layout(), directio.AlignedBytes(1<<16)
	f, err := os.OpenFile(r.path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	at := r.header.Blocks[bundlePlace(1, GateUpBundle)].Offset + 77
	var old [1]byte
	if _, err := f.ReadAt(old[:], at); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte{old[0] ^ 4}, at); err != nil {
		t.Fatal(err)
	}
	if _, err := r.ReadBundle(1, QKVBundle, buffer); err != nil {
		t.Errorf("a bundle that is whole: %v", err)
	}
	for what, err := range map[string]error{
		"ReadBundle": second(r.ReadBundle(1, GateUpBundle, buffer)),
		"Verify":     r.Verify(t.Context()),
	} {
		if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "group.1.gateup") || !strings.Contains(err.Error(), "dowse models swap") {
			t.Errorf("%s of a damaged bundle: %v", what, err)
		}
	}
	if err := f.Truncate(at); err != nil {
		t.Fatal(err)
	}
	if _, err := r.ReadRecords(0, DownBundle, 0, l.Channels[DownBundle], buffer); err != nil {
		t.Errorf("records before the cut: %v", err)
	}
	for what, err := range map[string]error{
		"ReadRecords": second(r.ReadRecords(l.Layers-1, DownBundle, 3, 4, buffer)),
		"Verify":      r.Verify(t.Context()),
		"OpenRows":    second(OpenRows(r.path)),
	} {
		if !errors.Is(err, ErrTruncated) && (what != "Verify" || !errors.Is(err, ErrCorrupt)) || !strings.Contains(err.Error(), "dowse models swap") {
			t.Errorf("%s of what was cut off: %v", what, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestRowsGoOnReadingTheirFile: a row pack that is replaced or removed under its name
// is still there for who has it open.
func TestRowsGoOnReadingTheirFile(t *testing.T) {
	p := decoderPack(t, rowShapes()["llama"])
	r := convert(t, p, 2, 8)
	if err := WriteRows(t.Context(), p, r.path, RowOptions{GroupLayers: 1, Bits: 4, Replace: true}, nil); err != nil {
		t.Fatal(err)
	}
	if err := r.Verify(t.Context()); err != nil {
		t.Errorf("what was replaced: %v", err)
	}
	if l := openRows(t, r.path).Layout(); l.Bits != 4 || l.GroupLayers != 1 {
		t.Errorf("in its place lies %+v", l)
	}
}

// TestRowPackHeaders: a header that was changed is refused, with whatever checksum.
func TestRowPackHeaders(t *testing.T) {
	r := convert(t, decoderPack(t, rowShapes()["llama"]), 2, 8)
	whole, err := os.ReadFile(r.path)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(h *header){
		"another group":  func(h *header) { h.Rows.GroupLayers = 4 },
		"no group":       func(h *header) { h.Rows.GroupLayers = 0 },
		"a large group":  func(h *header) { h.Rows.GroupLayers = 1 << 40 },
		"other bits":     func(h *header) { h.Rows.Bits = 4 },
		"no bits":        func(h *header) { h.Rows.Bits = 0 },
		"no source":      func(h *header) { h.Rows.Source = "" },
		"a long source":  func(h *header) { h.Rows.Source += "00" },
		"no fingerprint": func(h *header) { h.Fingerprint = "x" },
		"an encoder":     func(h *header) { h.Config.Decoder = false },
		"fewer layers":   func(h *header) { h.Config.Layers-- },
		"a block less":   func(h *header) { h.Blocks = h.Blocks[1:] },
		"a block moved":  func(h *header) { h.Blocks[4].Offset += 100 },
	} {
		h, err := decodeHeader(whole, int64(len(whole)), rowsKind)
		if err != nil {
			t.Fatal(err)
		}
		change(h)
		start, err := h.encode(int64(len(whole)))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, append(start, whole[len(start):]...), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenRows(path); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	old := slices.Clone(whole)
	old[8]--
	path := filepath.Join(t.TempDir(), "old")
	if err := os.WriteFile(path, old, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenRows(path); !errors.Is(err, errVersion) || !strings.Contains(err.Error(), "dowse models swap") {
		t.Errorf("a row pack of an older version: %v", err)
	}
	for at := range fixedHeader + 64 {
		data := append([]byte{}, whole[:1<<13]...)
		data[at] ^= 0x20
		if h, err := decodeHeader(data, int64(len(whole)), rowsKind); err == nil && at != 20 && at != 21 && at != 22 && at != 23 { // reserved
			t.Errorf("byte %d changed, and it is %+v", at, h.Rows)
		}
	}
	if rows, err := IsRows(filepath.Join(t.TempDir(), "absent")); rows || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an absent file: %t, %v", rows, err)
	}
}

// TestWriteRowsLeavesNothing: what was cancelled, or cannot be, leaves the folder as
// it was.
func TestWriteRowsLeavesNothing(t *testing.T) {
	p := decoderPack(t, rowShapes()["llama"])
	folder := t.TempDir()
	path, o := filepath.Join(folder, "model.rows"), RowOptions{GroupLayers: 2, Bits: 4}
	for stop := range 12 {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		err := WriteRows(ctx, p, path, o, func(int64, int64) {
			if calls++; calls == stop {
				cancel()
			}
		})
		cancelled := ctx.Err() != nil
		cancel()
		if cancelled && !errors.Is(err, context.Canceled) {
			t.Errorf("stopped after %d reports: %v", stop, err)
		}
		left, err := os.ReadDir(folder)
		if cancelled && (err != nil || len(left) != 0) {
			t.Fatalf("stopped after %d reports: %v is left (%v)", stop, left, err)
		}
		_ = os.Remove(path)
	}
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := WriteRows(t.Context(), p, path, o, nil); !errors.Is(err, os.ErrExist) {
		t.Errorf("over a file: %v", err)
	}
	if data, err := os.ReadFile(path); string(data) != "mine" {
		t.Errorf("the file was changed: %v", err)
	}
	if err := WriteRows(t.Context(), p, filepath.Join(path, "below"), o, nil); err == nil {
		t.Error("written below a file")
	}
}
