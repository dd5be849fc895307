package wheel

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// makeWheel writes a zip of the files and returns its path and sha256.
func makeWheel(t *testing.T, files map[string]string) (path, sum string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "thing-1.0-py3-none-any.whl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for name, content := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.Sum256(data)
	return path, hex.EncodeToString(h[:])
}

func TestExtract(t *testing.T) {
	wheel, _ := makeWheel(t, map[string]string{
		"pkg/model/config.json": "{}", "pkg/model/sub/x": "x", "pkg/modelling.py": "no", "pkg/lib.so": "elf",
	})
	folder := t.TempDir()
	n, err := Extract(context.Background(), wheel, "pkg/model", folder)
	if err != nil || n != 2 {
		t.Fatalf("extracted %d, %v", n, err)
	}
	if got, err := os.ReadFile(filepath.Join(folder, "sub", "x")); err != nil || string(got) != "x" {
		t.Errorf("sub/x = %q, %v", got, err)
	}
	if _, err := Extract(context.Background(), wheel, "pkg/lib.so", folder); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(filepath.Join(folder, "lib.so")); err != nil || string(got) != "elf" {
		t.Errorf("lib.so = %q, %v", got, err)
	}
	if _, err := Extract(context.Background(), wheel, "absent", folder); err == nil {
		t.Error("a prefix that is not there is no error")
	}
}

func TestExtractStaysInTheFolder(t *testing.T) {
	wheel, _ := makeWheel(t, map[string]string{"pkg/../../evil": "x"})
	folder := filepath.Join(t.TempDir(), "inner")
	if _, err := Extract(context.Background(), wheel, "pkg", folder); err == nil {
		t.Error("a name that leads out of the folder is accepted")
	}
	if _, err := os.Stat(filepath.Join(folder, "..", "evil")); !os.IsNotExist(err) {
		t.Errorf("a file was written outside: %v", err)
	}
}

// fakePython writes a script that behaves like "python3 -I -m pip"; body is what
// it does but for telling its version.
func fakePython(t *testing.T, body string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a shell script stands in for pip")
	}
	path := filepath.Join(t.TempDir(), "python3")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n[ \"$4\" = --version ] && exit 0\n"+body), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDownload(t *testing.T) {
	wheel, sum := makeWheel(t, map[string]string{"a": "b"})
	log := filepath.Join(t.TempDir(), "args")
	python := fakePython(t, `echo "$@" > `+log+`
while [ "$1" != "" ]; do [ "$1" = --dest ] && cp `+wheel+` "$2"; shift; done`)
	c := Client{Python: python, Scratch: t.TempDir()}
	pinned := Wheel{Name: "thing", Version: "1.0", SHA256: sum, Platform: "manylinux_2_28_x86_64"}
	got, err := c.Download(context.Background(), pinned, t.TempDir())
	if err != nil || filepath.Base(got) != filepath.Base(wheel) {
		t.Fatalf("downloaded %q, %v", got, err)
	}
	args, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"--no-deps", "--only-binary :all:", "--python-version 311", "--platform manylinux_2_28_x86_64", "thing==1.0"} {
		if !strings.Contains(string(args), want) {
			t.Errorf("pip was not told %q: %s", want, args)
		}
	}
	pinned.SHA256 = strings.Repeat("0", 64)
	if _, err := c.Download(context.Background(), pinned, t.TempDir()); !errors.Is(err, ErrChecksum) {
		t.Errorf("another wheel than the pinned one: %v", err)
	}
}

func TestDownloadTellsWhatPipSays(t *testing.T) {
	t.Setenv(indexVariable, "")
	c := Client{Scratch: t.TempDir(), Python: fakePython(t, "echo first >&2; echo 'ERROR: no matching distribution' >&2; exit 1")}
	_, err := c.Download(context.Background(), Wheel{Name: "thing", Version: "1.0"}, t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "no matching distribution") {
		t.Errorf("error %v", err)
	}
	if !c.Available(context.Background()) {
		t.Error("a client that tells its version is not available")
	}
	missing := Client{Scratch: t.TempDir(), Python: filepath.Join(t.TempDir(), "python3")}
	if missing.Available(context.Background()) {
		t.Error("a client that is not there is available")
	}
	if _, err := missing.Download(context.Background(), Wheel{}, t.TempDir()); !errors.Is(err, ErrNoPip) {
		t.Errorf("no interpreter: %v", err)
	}
}
