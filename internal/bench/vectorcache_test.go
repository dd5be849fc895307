package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// openedVectors opens a cache that is closed with the test.
func openedVectors(t *testing.T, path string, dim int) *vectorCache {
	t.Helper()
	c, err := openVectors(path, dim)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() }) // closed before by some tests
	return c
}

// put stores a vector that tells its text.
func put(t *testing.T, c *vectorCache, texts ...string) {
	t.Helper()
	var hashes []Hash
	var vectors []float32
	for _, text := range texts {
		hashes = append(hashes, HashText(text))
		vectors = append(vectors, float32(len(text)), float32(text[0]))
	}
	if err := c.put(hashes, vectors); err != nil {
		t.Fatal(err)
	}
}

// holds checks the vectors of texts.
func holds(t *testing.T, c *vectorCache, texts ...string) {
	t.Helper()
	if len(c.at) != len(texts) {
		t.Errorf("%d vectors, want %d", len(c.at), len(texts))
	}
	for _, text := range texts {
		got := make([]float32, 2)
		err := c.get(HashText(text), got)
		if want := []float32{float32(len(text)), float32(text[0])}; err != nil || !c.has(HashText(text)) || !slices.Equal(got, want) {
			t.Errorf("%q: got %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestCacheKeepsVectors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.vec")
	c := openedVectors(t, path, 2)
	put(t, c, "one", "three")
	put(t, c, "seventeen")
	holds(t, c, "one", "three", "seventeen")
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	c = openedVectors(t, path, 2)
	holds(t, c, "one", "three", "seventeen")
	if c.has(HashText("two")) {
		t.Error("a text that was never put has a vector")
	}
}

// TestCacheResumes cuts the file at every length, as a kill would, and goes on.
func TestCacheResumes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "whole.vec")
	c := openedVectors(t, path, 2)
	texts := []string{"one", "three", "seventeen"}
	put(t, c, texts...)
	record := c.recordBytes()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) + 1 {
		cut := filepath.Join(dir, fmt.Sprint(n))
		if err := os.WriteFile(cut, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		c := openedVectors(t, cut, 2)
		kept := texts[:max(0, n-cacheHeader)/record]
		holds(t, c, kept...)
		put(t, c, "later")
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		holds(t, openedVectors(t, cut, 2), append(slices.Clone(kept), "later")...)
	}
}

func TestCacheDropsDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.vec")
	c := openedVectors(t, path, 2)
	put(t, c, "one", "three", "seventeen")
	if _, err := c.file.WriteAt([]byte{0xff}, int64(cacheHeader+c.recordBytes()+20)); err != nil {
		t.Fatal(err)
	}
	holds(t, openedVectors(t, path, 2), "one")
}

func TestCacheRefusesOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.vec")
	put(t, openedVectors(t, path, 2), "one")
	if _, err := openVectors(path, 3); err == nil {
		t.Error("vectors of another dimension were taken")
	}
	if err := os.WriteFile(path, []byte("some notes of mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openVectors(path, 2); err == nil {
		t.Error("a file that is no cache was taken")
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "some notes of mine" {
		t.Errorf("the file was changed to %q, %v", data, err)
	}
}

func FuzzOpenVectors(f *testing.F) {
	f.Add([]byte(cacheMagic + "\x02\x00\x00\x00"))
	f.Add([]byte(cacheMagic))
	f.Add([]byte("x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "a.vec")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := openVectors(path, 2)
		if err != nil {
			return
		}
		before := len(c.at)
		put(t, c, "one more")
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if c = openedVectors(t, path, 2); len(c.at) != before+1 {
			t.Errorf("%d vectors, want %d", len(c.at), before+1)
		}
	})
}
