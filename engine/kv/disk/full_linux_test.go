package disk_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dowse/engine/kv"
	"dowse/engine/kv/disk"
	"dowse/internal/testenv"
)

// A full disk is said, loses nothing that was there, and is no hindrance once there is
// room again.
func TestFullDisk(t *testing.T) {
	folder := testenv.SmallDisk(t, "256k")
	d := open(t, folder)
	t.Cleanup(func() { _ = d.Close() }) // before the file system goes
	tokens, had := text(1, 400), 0
	of := ids(d, tokens, "")
	var err error
	for had = 0; err == nil; had++ {
		must(t, d.Append("a", tokens[had*4:had*4+4]))
		err = put(d, "a", had, kv.Level8, of[had])
	}
	had--
	if !errors.Is(err, disk.ErrFull) || had < 5 {
		t.Fatalf("%d chunks, then %v", had, err)
	}
	requireTokens(t, d, "a", tokens[:had*4+4])
	requireChunks(t, d, kv.Level8, of[:had]...)
	requireMissing(t, d, of[had])
	requireSound(t, d)
	must(t, fill(folder))
	if err := d.Append("a", text(1, 5000)); !errors.Is(err, disk.ErrFull) { // more than fits the log's last page
		t.Errorf("on a full disk: %v", err)
	}
	if err := d.Append("b", text(2, 5000)); !errors.Is(err, disk.ErrFull) {
		t.Errorf("a new conversation on a full disk: %v", err)
	}
	requireTokens(t, d, "a", tokens[:had*4+4])
	requireTokens(t, d, "b", nil)
	must(t, d.Truncate("a", had*4+2)) // a record finds room in the log's last page, a new log does not
	requireTokens(t, d, "a", tokens[:had*4+2])
	d = reopen(t, d, folder)
	requireChunks(t, d, kv.Level8, of[:had]...)
	requireSound(t, d)
	must(t, os.Remove(filepath.Join(folder, "filler")))
	must(t, d.Truncate("a", 8))
	must(t, d.Append("a", tokens[8:]))
	must(t, put(d, "a", 2, kv.Level8, of[2:had]...))
	requireChunks(t, d, kv.Level8, of[:had]...)
	requireSound(t, d)
}

// fill takes all room that a folder has.
func fill(folder string) error {
	file, err := os.OpenFile(filepath.Join(folder, "filler"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	for err == nil {
		_, err = file.Write(make([]byte, 1024))
	}
	return file.Close()
}

// Chunks of other conversations are deleted on a full disk, where the index has no room
// to say so.
func TestDeleteOnAFullDisk(t *testing.T) {
	folder := testenv.SmallDisk(t, "256k")
	d := open(t, folder)
	t.Cleanup(func() { _ = d.Close() })
	a, b := keep(t, d, "a", text(1, 20), kv.Level8), keep(t, d, "b", text(2, 20), kv.Level8)
	must(t, fill(folder))
	must(t, d.Delete("a"))
	requireMissing(t, d, a...)
	requireNowhere(t, folder, kv.Level8, a...)
	c := keep(t, d, "c", text(3, 20), kv.Level8) // what was freed is enough
	for range 2 {
		requireChunks(t, d, kv.Level8, slices.Concat(b, c)...)
		requireMissing(t, d, a...)
		requireSound(t, d)
		d = reopen(t, d, folder)
	}
}
