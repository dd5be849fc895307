package models

import (
	"bytes"
	"context"
	"os"
	"path"
	"testing"

	"dowse/models/pack"
)

// TestBundledModels unpacks each model that the program carries, reads it, and
// looks for its card.
func TestBundledModels(t *testing.T) {
	for _, e := range Catalogue() {
		if !e.Bundled {
			continue
		}
		card, err := bundled.ReadFile(path.Join("bundled", e.Name, "card.md"))
		if err != nil || !bytes.Contains(card, []byte(e.Licence)) {
			t.Errorf("the card of %s does not tell its licence: %v", e.Name, err)
		}
		cache := t.TempDir()
		if err := Unpack(context.Background(), []string{cache}, e.Name); err != nil {
			t.Fatal(err)
		}
		if e.Base != "" {
			checkBundledAdapter(t, cache, e)
			continue
		}
		p, err := pack.Open(PackPath(cache, e.Name))
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Verify(context.Background()); err != nil {
			t.Error(err)
		}
		if c := p.Config(); roleOf(c) != e.Role || c.MaxTokens != e.MaxTokens || p.Size() != e.Size {
			t.Errorf("%s is a %s of %d bytes for %d tokens, the catalogue says %s, %d, %d",
				e.Name, roleOf(c), p.Size(), c.MaxTokens, e.Role, e.Size, e.MaxTokens)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// checkBundledAdapter looks at an adapter of the program that was unpacked, short
// of its base, which is another package.
func checkBundledAdapter(t *testing.T, cache string, e Entry) {
	t.Helper()
	folder := modelFolder(cache, e.Name)
	j, err := readJob(folder)
	if err != nil || j.Role != e.Role || j.Base != e.Base {
		t.Fatalf("%s: %+v, %v", e.Name, j, err)
	}
	base, known := Lookup(e.Base)
	if !known || base.Base != "" || sizeOf(folder) != e.Size+sizeOfJob(t, folder) {
		t.Errorf("%s stands on %+v; its files have %d bytes, the catalogue says %d", e.Name, base, sizeOf(folder), e.Size)
	}
	i := Installation{Job: j, Adapter: j.adapter(folder)}
	if memory, err := i.AdapterMemory(); err != nil || memory == 0 {
		t.Errorf("%s: %d bytes, %v", e.Name, memory, err)
	}
}

// sizeOfJob returns the bytes of a job.json, which are not among those of the entry.
func sizeOfJob(t *testing.T, folder string) int64 {
	t.Helper()
	info, err := os.Stat(path.Join(folder, jobFile))
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// TestUnpackReplacesOtherVersions leaves alone what is as the program has it, in
// whichever cache, and replaces what is not.
func TestUnpackReplacesOtherVersions(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	caches := []string{first, second}
	unpack := func() {
		t.Helper()
		if err := Unpack(context.Background(), caches, DefaultReranker); err != nil {
			t.Fatal(err)
		}
	}
	if err := Unpack(context.Background(), caches[1:], DefaultReranker); err != nil {
		t.Fatal(err)
	}
	unpack()
	if _, err := os.Stat(PackPath(first, DefaultReranker)); err == nil {
		t.Error("unpacked, though the second cache has it")
	}
	old := PackPath(second, DefaultReranker)
	data, err := os.ReadFile(old)
	if err != nil {
		t.Fatal(err)
	}
	data[100]++
	if err := os.WriteFile(old, data, 0o644); err != nil {
		t.Fatal(err)
	}
	unpack()
	data[100]--
	if found, err := os.ReadFile(PackPath(first, DefaultReranker)); err != nil || !bytes.Equal(found, data) {
		t.Errorf("the pack of another version was taken for the program's: %v", err)
	}
}
