package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Cmd is a program that is ready to run.
type Cmd = exec.Cmd

// ErrMissing says that a program is not installed.
var ErrMissing = exec.ErrNotFound

// Find returns the absolute path of a program. A bare name is looked up in the
// absolute folders of PATH alone; a name with a separator means what it says.
func Find(name string) (string, error) {
	if filepath.Base(name) != name {
		path, err := filepath.Abs(name)
		if err != nil {
			return "", err
		}
		return exec.LookPath(path)
	}
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		if !filepath.IsAbs(folder) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s: %w", name, ErrMissing)
}

// Output runs a program in an empty folder, which it makes below scratch (made as
// well if it is absent), and returns what the program writes to stdout and stderr,
// also beside an error. Paths among the arguments have to be absolute. A cancelled
// ctx ends the program and what it started.
func Output(ctx context.Context, scratch, program string, args ...string) ([]byte, error) {
	path, err := Find(program)
	if err != nil {
		return nil, err
	}
	folder, err := emptyFolder(scratch)
	if err != nil {
		return nil, fmt.Errorf("make a folder to run %s in: %w", filepath.Base(path), err)
	}
	var output bytes.Buffer
	cmd := command(ctx, folder, path, args)
	cmd.Stdout, cmd.Stderr = &output, &output
	err = cmd.Run()
	return output.Bytes(), errors.Join(err, os.RemoveAll(folder))
}

// emptyFolder makes a folder for this user alone.
func emptyFolder(scratch string) (string, error) {
	scratch, err := filepath.Abs(scratch)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(scratch, 0o755); err != nil {
		return "", err
	}
	return os.MkdirTemp(scratch, "run.")
}

// Attended makes a program ready that a person works with: it keeps their working
// directory, and the caller gives it their terminal.
func Attended(program string, args ...string) (*Cmd, error) {
	path, err := Find(program)
	if err != nil {
		return nil, err
	}
	return exec.Command(path, args...), nil
}
