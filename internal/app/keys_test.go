package app

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"dowse/engine/kv"
	"dowse/engine/kv/disk"
)

// keysOn writes two conversations of a model that is not there any more: one chunk of
// 8 bits and one of 4 bits, and one chunk of 8 bits.
func keysOn(t *testing.T, folder string) {
	t.Helper()
	layout := disk.Layout{ChunkTokens: 4, Groups: map[kv.Level][kv.Groups]int{
		kv.Level8: {8, 8, 8, 8}, kv.Level4: {4, 4, 4, 4},
	}}
	d, err := disk.Open(disk.Options{Folder: folder, Model: "gone", Layout: layout})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"birds", "taxes"} {
		tokens := []int32{1, 2, 3, 4, 5, 6, 7, 8, 9}
		if err := d.Append(name, tokens); err != nil {
			t.Fatal(err)
		}
		id := disk.NextID(d.ModelID(), tokens[:4], name)
		chunks := []disk.Chunk{{ID: id, Level: kv.Level8, Data: bytes.Repeat([]byte{1}, 32)}}
		if name == "birds" {
			id = disk.NextID(id, tokens[4:8], name)
			chunks = append(chunks, disk.Chunk{Position: 1, ID: id, Level: kv.Level4, Data: bytes.Repeat([]byte{2}, 16)})
		}
		if err := d.Put(name, chunks); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestKeysAreToldOfAndErasedWithoutTheirModel(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "keys")
	k := &keptKeys{folder: folder}
	if each, all := k.Use(); len(each) != 0 || all.Tokens != 0 {
		t.Errorf("of no folder: %v, %v", each, all)
	}
	if n, err := k.Forget(t.Context(), "birds"); n != 0 || err != nil {
		t.Errorf("forgotten where there is no folder: %d, %v", n, err)
	}
	keysOn(t, folder)
	for range 2 { // read, and known
		each, all := k.Use()
		birds := each["birds"]
		if len(each) != 2 || birds.Tokens != 9 || len(birds.Levels) != 2 || birds.Levels[1].Bits != 4 || birds.Levels[1].Bytes != 16 || birds.Disk == 0 {
			t.Errorf("each: %+v", each)
		}
		if all.Tokens != 18 || len(all.Levels) != 2 || all.Levels[0].Chunks != 2 || all.Disk == 0 {
			t.Errorf("all: %+v", all)
		}
	}
	if n, err := k.Forget(t.Context(), "birds"); n == 0 || err != nil {
		t.Errorf("forgotten: %d, %v", n, err)
	}
	if n, err := k.Forget(t.Context(), "birds"); n != 0 || err != nil {
		t.Errorf("forgotten twice: %d, %v", n, err)
	}
	if each, _ := k.Use(); len(each) != 1 || each["taxes"].Tokens != 9 {
		t.Errorf("left: %+v", each)
	}
}

func TestKeysThatAnotherProcessHasAreLeftAlone(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "keys")
	keysOn(t, folder)
	other, err := disk.OpenAsLeft(folder)
	if err != nil {
		t.Fatal(err)
	}
	k := &keptKeys{folder: folder}
	if each, _ := k.Use(); len(each) != 0 {
		t.Errorf("told of: %v", each)
	}
	if _, err := forget(folder, "birds"); !errors.Is(err, disk.ErrInUse) {
		t.Errorf("forgotten: %v", err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if n, err := k.Forget(t.Context(), "birds"); n == 0 || err != nil {
		t.Errorf("afterwards: %d, %v", n, err)
	}
}
