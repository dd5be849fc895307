package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// What PATH holds is listed in its order, links once, and neither folders nor what cannot run.
func TestInstalledPrograms(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links and permissions of unix")
	}
	root := t.TempDir()
	at := func(folder string) string { return filepath.Join(root, folder, "dowse") }
	for _, folder := range []string{"first", "second", "link", "plain", "folder/dowse"} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for folder, mode := range map[string]os.FileMode{"first": 0o700, "second": 0o700, "plain": 0o600} {
		if err := os.WriteFile(at(folder), []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(at("first"), at("link")); err != nil {
		t.Fatal(err)
	}
	var path []string
	for _, folder := range []string{"missing", "plain", "folder", "second", "link", "first"} {
		path = append(path, filepath.Join(root, folder))
	}
	t.Chdir(filepath.Join(root, "first"))
	found := installed(strings.Join(append([]string{"."}, path...), string(filepath.ListSeparator)))
	if want := []string{at("second"), at("link")}; !slices.Equal(found, want) {
		t.Fatalf("found %v, want %v", found, want)
	}
	lines := installedText(at("first"), found)
	want := []string{at("second") + ": runs as dowse", at("link") + ", this one: hidden by the first", "whether there is a newer version is not asked: dowse calls nobody"}
	if !slices.Equal(lines, want) {
		t.Errorf("it says\n%s", strings.Join(lines, "\n"))
	}
	if lines := installedText(at("first"), nil); len(lines) != 2 || !strings.Contains(lines[0], at("first")) {
		t.Errorf("without a PATH it says %q", lines)
	}
}
