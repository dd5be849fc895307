package child

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"
)

// pipedBytes bounds what a program of a pipe may print.
const pipedBytes = 16 << 20

// Pipe runs a program that a person asked for, in their working directory, with a
// text as its input, and returns what it writes to stdout and stderr, also beside
// an error. A cancelled ctx ends the program and what it started, and so does
// output of more than 16 MiB.
func Pipe(ctx context.Context, input, program string, args ...string) ([]byte, error) {
	path, err := Find(program)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	output := &bounded{kept: bytes.Buffer{}, left: pipedBytes, full: cancel}
	cmd := command(ctx, "", path, args)
	cmd.Env = nil // all of it
	cmd.Stdin = strings.NewReader(input)
	cmd.Stdout, cmd.Stderr = output, output
	err = cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) { // it ended well, and left somebody who holds its pipes
		_ = end(cmd.Process.Pid)
		err = nil
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return output.kept.Bytes(), err
}
