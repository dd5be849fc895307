package wheel

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
)

// hostileFolder returns a working directory whose files stand in for Python, pip and
// what both load at their start. Each makes the file marker when it runs.
func hostileFolder(t *testing.T) (folder, marker string) {
	t.Helper()
	folder, marker = t.TempDir(), filepath.Join(t.TempDir(), "ran")
	code := "import posix\nposix.close(posix.open(" + strconv.Quote(marker) + ", posix.O_CREAT | posix.O_WRONLY))\n" // open is not there yet when site is loaded
	for _, name := range []string{
		"pip.py", "pip/__init__.py", "pip/__main__.py", "sitecustomize.py", "usercustomize.py", "site.py", "encodings.py", "json.py", "__main__.py",
	} {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(code), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"python", "python3", "pip3"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n: > "+marker+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return folder, marker
}

// TestNothingOfTheWorkingDirectoryRuns: the machine's own pip brings a wheel, out
// of the folder that PIP_FIND_LINKS names, from within a folder that would like to
// be run.
func TestNothingOfTheWorkingDirectoryRuns(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil || runtime.GOOS == "windows" || exec.CommandContext(t.Context(), python, "-I", "-m", "pip", "--version").Run() != nil {
		t.Skip("python3 with pip is not installed")
	}
	file, sum := makeWheel(t, map[string]string{
		"thing.py":                     "",
		"thing-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n",
		"thing-1.0.dist-info/WHEEL":    "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
		"thing-1.0.dist-info/RECORD":   "",
	})
	here := "." + string(filepath.ListSeparator)
	for name, path := range map[string]string{"modules": "", "programs": here + here} {
		t.Run(name, func(t *testing.T) {
			folder, marker := hostileFolder(t)
			t.Chdir(folder)
			t.Setenv("PATH", path+os.Getenv("PATH"))
			t.Setenv("PYTHONPATH", here+folder)
			t.Setenv("PIP_NO_INDEX", "1")
			t.Setenv("PIP_FIND_LINKS", filepath.Dir(file))
			c := Client{Scratch: t.TempDir()}
			got, err := c.Download(t.Context(), Wheel{Name: "thing", Version: "1.0", SHA256: sum}, t.TempDir())
			if err != nil || filepath.Base(got) != filepath.Base(file) {
				t.Errorf("downloaded %q, %v", got, err)
			}
			if _, err := os.Stat(marker); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("a file of the working directory was run: %v", err)
			}
		})
	}
}

// TestPipOfThePersonAlone: an interpreter that has no pip of its own is asked for
// the one that the person installed for themselves.
func TestPipOfThePersonAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a shell script stands in for pip")
	}
	python := filepath.Join(t.TempDir(), "python3")
	if err := os.WriteFile(python, []byte("#!/bin/sh\n[ \"$1\" = -E ]\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	c := Client{Python: python, Scratch: t.TempDir()}
	if isolation, err := c.isolation(t.Context()); isolation != "-E" || err != nil {
		t.Errorf("%q, %v", isolation, err)
	}
}
