package testenv

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// OneProgram makes a shell script the only program that the test finds, under a name; no
// program where script is "".
func OneProgram(t *testing.T, name, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	bin := t.TempDir()
	if script != "" {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
}
