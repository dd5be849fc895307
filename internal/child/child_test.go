package child

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// script writes a program that prints a word, its working directory and what lies
// there.
func script(t *testing.T, folder, name, word string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho "+word+"\necho \"$PWD\"\npwd\n/bin/ls -A\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFindPassesOverTheWorkingDirectory(t *testing.T) {
	here, bin := t.TempDir(), t.TempDir()
	script(t, here, "tool", "here")
	want := script(t, bin, "tool", "bin")
	t.Chdir(here)
	for _, path := range []string{".", "", "sub/.."} {
		t.Setenv("PATH", path+string(filepath.ListSeparator)+bin)
		if got, err := Find("tool"); got != want || err != nil {
			t.Errorf("PATH %q: found %q, %v", path, got, err)
		}
		t.Setenv("PATH", path)
		if got, err := Find("tool"); !errors.Is(err, exec.ErrNotFound) {
			t.Errorf("PATH %q alone: found %q, %v", path, got, err)
		}
	}
	if got, err := Find("./tool"); err != nil || got != filepath.Join(here, "tool") {
		t.Errorf("a path that was named: %q, %v", got, err)
	}
}

func TestOutputRunsInAnEmptyFolder(t *testing.T) {
	here, bin, scratch := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "staging")
	script(t, here, "tool", "here")
	script(t, bin, "tool", "bin")
	t.Chdir(here)
	t.Setenv("PATH", "."+string(filepath.ListSeparator)+bin)
	out, err := Output(t.Context(), scratch, "tool")
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != 3 || lines[0] != "bin" {
		t.Fatalf("it printed %q, %v", lines, err)
	}
	for _, folder := range lines[1:] {
		if filepath.Dir(folder) != scratch {
			t.Errorf("it ran in %s", folder)
		}
	}
	if left, err := os.ReadDir(scratch); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestAttendedKeepsTheWorkingDirectory(t *testing.T) {
	here, bin := t.TempDir(), t.TempDir()
	script(t, here, "tool", "here")
	script(t, bin, "tool", "bin")
	t.Chdir(here)
	t.Setenv("PATH", "."+string(filepath.ListSeparator)+bin)
	cmd, err := Attended("tool")
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.Output()
	if lines := strings.Fields(string(out)); err != nil || len(lines) < 2 || lines[0] != "bin" || lines[1] != here {
		t.Errorf("it printed %q, %v", lines, err)
	}
}
