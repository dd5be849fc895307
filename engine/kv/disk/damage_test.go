package disk_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dowse/engine/kv"
	"dowse/engine/kv/disk"
)

// fileOf returns the one file of a folder whose name ends so, and its bytes.
func fileOf(t *testing.T, folder, suffix string) (string, []byte) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*"+suffix))
	if err != nil || len(paths) != 1 {
		t.Fatalf("%v, %v", paths, err)
	}
	data, err := os.ReadFile(paths[0])
	must(t, err)
	return paths[0], data
}

// A group whose bytes are not what was put is never read, and the chunk is missing until
// it is put again.
func TestDamagedChunks(t *testing.T) {
	folder := t.TempDir()
	d := open(t, folder)
	of := keep(t, d, "a", text(1, 20), kv.Level8)
	path, data := fileOf(t, folder, ".dat")
	data[1*3*4096+3000] ^= 1                               // group 1 of chunk 1
	copy(data[2*3*4096:3*3*4096], data[3*3*4096:4*3*4096]) // chunk 2 has the bytes of chunk 3
	must(t, os.WriteFile(path, data[:len(data)-1], 0o600)) // the last byte of chunk 4 is gone
	part := make([]byte, 3000)
	must(t, d.Read(context.Background(), of[1], 0, part))
	for _, err := range []error{
		d.Read(context.Background(), of[1], 1, part[:2500]), d.Read(context.Background(), of[1], 0, part), d.Read(context.Background(), of[2], 2, part),
	} {
		if !errors.Is(err, disk.ErrDamaged) {
			t.Errorf("a damaged group is read: %v", err)
		}
	}
	for i, id := range of {
		_, err := read(d, id, kv.Level8)
		if (err == nil) != (i == 0 || i == 3) || err != nil && !lost(err) {
			t.Errorf("chunk %d: %v", i, err)
		}
	}
	report, err := d.Check(context.Background())
	if err != nil || report.Damaged != 3 || report.Stored != 2 || len(report.Problems) != 0 {
		t.Errorf("%+v, %v", report, err)
	}
	requireMissing(t, d, of[1], of[2], of[4])
	must(t, put(d, "a", 1, kv.Level8, of[1:]...))
	requireChunks(t, d, kv.Level8, of...)
	requireSound(t, d)
}

// TestTornFiles cuts each file at many lengths, and flips bits of it. What opens then is
// a part of what was there, and goes on. An index that lost its end may point to where
// a chunk lay once: that counts as damaged.
func TestTornFiles(t *testing.T) {
	made := t.TempDir()
	d := open(t, made)
	tokens := text(1, 24)
	of := keep(t, d, "a", tokens[:18], kv.Level8)
	must(t, d.Append("a", tokens[18:]))
	of = append(of, ids(d, tokens, "")[4:]...)
	must(t, put(d, "a", 4, kv.Level8, of[4:]...))
	must(t, put(d, "a", 1, kv.Level4, of[1]))
	must(t, d.Close())
	rng := rand.New(rand.NewPCG(7, 7))
	for _, suffix := range []string{".tokens", ".idx", ".dat", "meta.json"} {
		path, whole := fileOf(t, made, suffix)
		step := max(1, len(whole)/16)
		for cut := 0; cut < len(whole); cut += step {
			torn := slices.Clone(whole)
			if torn = torn[:cut]; cut%(2*step) == 0 {
				torn = slices.Clone(whole)
				torn[cut] ^= 1 << rng.IntN(8)
			}
			folder := t.TempDir()
			must(t, os.CopyFS(folder, os.DirFS(made)))
			must(t, os.WriteFile(filepath.Join(folder, filepath.Base(path)), torn, 0o600))
			d := open(t, folder)
			requirePart(t, d, tokens, of)
			report, err := d.Check(context.Background())
			if err != nil || len(report.Problems) > 0 || report.Damaged > 0 && suffix != ".dat" && suffix != ".idx" {
				t.Fatalf("%s at %d: %+v, %v", suffix, cut, report, err)
			}
			must(t, d.Append("a", tokens[report.Tokens:]))
			must(t, put(d, "a", 0, kv.Level8, of...))
			d = reopen(t, d, folder)
			requireTokens(t, d, "a", tokens)
			requireChunks(t, d, kv.Level8, of...)
			requireSound(t, d)
			must(t, d.Close())
		}
	}
}

// requirePart requires that a disk holds a part of a conversation, and nothing else.
func requirePart(t *testing.T, d *disk.Disk, tokens []int32, of []disk.ChunkID) {
	t.Helper()
	got, err := d.Tokens("a")
	if err != nil || len(got) > len(tokens) || !slices.Equal(got, tokens[:len(got)]) {
		t.Fatalf("%v, %v", got, err)
	}
	for i, o := range d.Chunks("a") {
		if o.ID != of[i] {
			t.Fatalf("chunk %d is another one", i)
		}
		entry, there := d.Find(o.ID)
		if !there {
			continue
		}
		data, err := read(d, o.ID, entry.Level)
		if err == nil && !slices.Equal(data, bytesOf(o.ID, entry.Level)) || err != nil && !lost(err) {
			t.Fatalf("chunk %d: %v", i, err)
		}
	}
}

// What a crash leaves of a deletion, of a put and of a file that was being written goes
// when the folder is opened.
func TestOpenRemovesWhatACrashLeft(t *testing.T) {
	folder := t.TempDir()
	d := open(t, folder)
	gone := keep(t, d, "gone", text(1, 20), kv.Level8)
	log, _ := fileOf(t, folder, ".tokens")
	stays := keep(t, d, "stays", text(2, 20), kv.Level8)
	must(t, d.Truncate("stays", 12)) // whose index records are there
	must(t, d.Close())
	must(t, os.Remove(log))
	must(t, os.WriteFile(filepath.Join(folder, ".meta.json.1.new"), []byte("x"), 0o600))
	slots, data := fileOf(t, folder, ".dat")
	orphan := bytesOf(stays[3], kv.Level8) // written again, and not yet in the index
	must(t, os.WriteFile(slots, append(data, orphan...), 0o600))
	d = open(t, folder)
	if d.Repairs() != [3]int{2: 5} {
		t.Errorf("%+v", d.Repairs())
	}
	requireNowhere(t, folder, kv.Level8, append(gone, stays[3:]...)...)
	requireNoTokens(t, folder, text(1, 20))
	requireNoIDs(t, folder, gone...)
	requireChunks(t, d, kv.Level8, stays[:3]...)
	requireSound(t, d)
	if left, err := filepath.Glob(filepath.Join(folder, ".*")); err != nil || len(left) != 0 {
		t.Errorf("%v, %v", left, err)
	}
}
