package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPackagesAreTheSameAgain: what a package holds is all that its bytes depend on.
func TestPackagesAreTheSameAgain(t *testing.T) {
	t.Chdir("../..")
	program := filepath.Join(t.TempDir(), "dowse")
	if err := os.WriteFile(program, []byte("a program"), 0o700); err != nil {
		t.Fatal(err)
	}
	b := build{"linux", "amd64", program}
	made := map[string]string{}
	for range 2 {
		r := &release{out: t.TempDir(), version: versionOf("v1.0.0"), time: time.Unix(1700000000, 0).UTC(), sums: map[string]string{}, url: "https://example.org"}
		for _, write := range []func() error{
			func() error { return r.archive(b) }, func() error { return r.wheel(b) }, func() error { return r.npmPlatform(b) },
			func() error { return r.npmChooser([]build{b}) }, func() error { return r.recipes([]build{b}) }, r.writeSums,
		} {
			if err := write(); err != nil {
				t.Fatal(err)
			}
		}
		for name, sum := range r.sums {
			if made[name] != "" && made[name] != sum {
				t.Errorf("%s differs from the one before", name)
			}
			made[name] = sum
		}
		if len(r.sums) != 6 {
			t.Errorf("wrote %v", r.sums)
		}
		for _, name := range []string{"dowse-1.0.0-linux-amd64.tar.gz", "dowse-linux-x64-1.0.0.tgz", "dowse-1.0.0.tgz"} {
			if got := programIn(t, filepath.Join(r.out, name)); got != "a program" && got != chooser {
				t.Errorf("%s holds the program %q", name, got)
			}
		}
		checkRecord(t, filepath.Join(r.out, "dowse-1.0.0-py3-none-manylinux_2_17_x86_64.musllinux_1_1_x86_64.whl"))
		later := time.Now().Add(time.Minute)
		if err := os.Chtimes(program, later, later); err != nil {
			t.Fatal(err)
		}
	}
}

// TestChooserSuitsOldNode: Node 12, of Ubuntu 22.04, finds no module by a name with "node:" before it.
func TestChooserSuitsOldNode(t *testing.T) {
	if strings.Contains(chooser, "'node:") {
		t.Error("npm's package requires a module by node: and its name")
	}
}

// programIn reads an archive to its end and returns the program in it.
func programIn(t *testing.T, archive string) (program string) {
	t.Helper()
	data, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	files := tar.NewReader(z)
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return program
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(header.Name, "/bin/") {
			program = string(text)
		}
	}
}

// checkRecord compares a wheel's list of files with the files.
func checkRecord(t *testing.T, wheel string) {
	t.Helper()
	z, err := zip.OpenReader(wheel)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close() //nolint:errcheck // it is only read
	var record bytes.Buffer
	names := map[string]bool{}
	for _, f := range z.File {
		names[f.Name] = true
		if strings.HasSuffix(f.Name, "/RECORD") {
			r, err := f.Open()
			if err == nil {
				_, err = record.ReadFrom(r)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	lines, err := csv.NewReader(&record).ReadAll()
	if err != nil || len(lines) != len(names) {
		t.Errorf("%d lines for %d files, %v", len(lines), len(names), err)
	}
	for _, line := range lines {
		if !names[line[0]] {
			t.Errorf("it has no %s", line[0])
		}
	}
}
