package npm

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"dowse/internal/testenv"
	"dowse/models/wheel"
)

func TestMain(m *testing.M) { os.Exit(testenv.Of(m).Run()) }

// pack returns a package that holds files, and an npm that brings it.
func pack(t *testing.T, files ...string) (p Package, program string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("npm is a shell script here")
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, name := range files {
		err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o600, Size: int64(len(name))})
		if err == nil {
			_, err = w.Write([]byte(name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	folder := t.TempDir()
	archive := filepath.Join(folder, "thing-1.0.tgz")
	program = filepath.Join(folder, "npm")
	script := "#!/bin/sh\nwhile [ \"$1\" != --pack-destination ]; do shift; done\ncp " + archive + " \"$2\"\n"
	if err := errors.Join(w.Close(), z.Close(), os.WriteFile(archive, b.Bytes(), 0o600), os.WriteFile(program, []byte(script), 0o700)); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b.Bytes())
	return Package{Name: "@some/thing", Version: "1.0", SHA256: hex.EncodeToString(sum[:])}, program
}

func TestDownloadAndExtract(t *testing.T) {
	p, program := pack(t, "package/a.wasm", "../b", "package/LICENSE")
	c := Client{Program: program, Scratch: t.TempDir()}
	file, err := c.Download(t.Context(), p, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	if err := Extract(file, out, 100, "package/LICENSE", "package/a.wasm"); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(out, "a.wasm")); err != nil || string(data) != "package/a.wasm" {
		t.Errorf("a.wasm: %q, %v", data, err)
	}
	if files, _ := os.ReadDir(out); len(files) != 2 {
		t.Errorf("files: %v", files)
	}
	if err := Extract(file, out, 100, "package/none"); err == nil {
		t.Error("a file that is not in the package was found")
	}
	if err := Extract(file, out, 3, "package/a.wasm"); err == nil {
		t.Error("a file above the limit was written")
	}
	p.SHA256 = hex.EncodeToString(make([]byte, sha256.Size))
	if _, err := c.Download(t.Context(), p, t.TempDir()); !errors.Is(err, wheel.ErrChecksum) {
		t.Errorf("another package: %v", err)
	}
}

func TestNoClient(t *testing.T) {
	c := Client{Program: filepath.Join(t.TempDir(), "npm"), Scratch: t.TempDir()}
	t.Setenv("PATH", t.TempDir())
	if _, err := (&Client{Scratch: c.Scratch}).Download(t.Context(), Package{Name: "x"}, t.TempDir()); !errors.Is(err, ErrNoClient) {
		t.Errorf("without npm: %v", err)
	}
}
