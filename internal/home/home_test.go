package home

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFindUnderOneFolder(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(Variable, dir)
	t.Setenv("XDG_CACHE_HOME", "/caches")
	h, err := Find()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{h.ConfigFile(), h.Index(), h.Cache, h.Socket()} {
		if !strings.HasPrefix(p, dir) && p != h.Socket() {
			t.Errorf("%s lies outside %s", p, dir)
		}
	}
	if got := h.Caches(); len(got) != 2 || got[1] != filepath.Join("/caches", "dowse") {
		t.Errorf("Caches() = %q: the user's cache must be searched too", got)
	}
}

// TestTrial: a home within another finds the models of both caches.
func TestTrial(t *testing.T) {
	dir, trial := t.TempDir(), t.TempDir()
	t.Setenv(Variable, dir)
	t.Setenv("XDG_CACHE_HOME", "/caches")
	h, err := Find()
	if err != nil {
		t.Fatal(err)
	}
	in := h.Trial(trial)
	for _, p := range []string{in.ConfigFile(), in.Index(), in.Cache, in.Runtime} {
		if !strings.HasPrefix(p, trial) {
			t.Errorf("%s lies outside %s", p, trial)
		}
	}
	want := []string{in.Cache, h.Cache, filepath.Join("/caches", "dowse")}
	if got := in.Caches(); !slices.Equal(got, want) {
		t.Errorf("Caches() = %q, want %q", got, want)
	}
	if in.Socket() == h.Socket() {
		t.Error("two homes share a socket")
	}
}

func TestFindUnderXDG(t *testing.T) {
	t.Setenv(Variable, "")
	t.Setenv("XDG_DATA_HOME", "/data")
	t.Setenv("XDG_CACHE_HOME", "/cache")
	t.Setenv("XDG_CONFIG_HOME", "/config")
	t.Setenv("XDG_RUNTIME_DIR", "/run/user/7")
	h, err := Find()
	if err != nil {
		t.Fatal(err)
	}
	if h.Index() != "/data/dowse/index.db" || h.ConfigFile() != "/config/dowse/config.toml" {
		t.Errorf("index %s, config %s", h.Index(), h.ConfigFile())
	}
	if got := h.Caches(); len(got) != 1 || got[0] != "/cache/dowse" {
		t.Errorf("Caches() = %q", got)
	}
	if dir := filepath.Dir(h.Socket()); dir != "/run/user/7/dowse" {
		t.Errorf("socket in %s", dir)
	}
}

func TestSocketsDifferAndFit(t *testing.T) {
	long := "/" + strings.Repeat("x", 200)
	a := Home{Data: "/a", Runtime: "/run"}
	b := Home{Data: "/b", Runtime: "/run"}
	c := Home{Data: "/c", Runtime: long}
	if a.Socket() == b.Socket() {
		t.Error("two indexes share a socket")
	}
	if len(c.Socket()) > maxSocketPath {
		t.Errorf("socket path of %d bytes does not fit", len(c.Socket()))
	}
}

func TestFindRefusesToGuess(t *testing.T) {
	for _, name := range []string{Variable, "HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(name, "")
	}
	if _, err := Find(); err == nil || !strings.Contains(err.Error(), "set HOME") {
		t.Errorf("without HOME: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(Variable, file)
	if _, err := Find(); err == nil || !strings.Contains(err.Error(), "is a file") {
		t.Errorf("a file as home: %v", err)
	}
}

func TestSocketFitsWhereEverythingIsLong(t *testing.T) {
	long := "/" + strings.Repeat("x", 200)
	t.Setenv("TMPDIR", long)
	if path := (Home{Data: "/d", Runtime: long}).Socket(); len(path) > maxSocketPath {
		t.Errorf("socket path of %d bytes does not fit", len(path))
	}
}
