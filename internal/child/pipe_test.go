//go:build unix

package child

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// TestPipe runs a program where the person is, gives it a text, and returns all that
// it says, also where it fails.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	out, err := Pipe(t.Context(), "one\ntwo\n", "sh", "-c", "cat; pwd; echo wrong >&2; exit 3")
	var exit interface{ ExitCode() int }
	if !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("the error is %v", err)
	}
	for _, want := range []string{"one\ntwo\n", dir, "wrong"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q lacks %q", out, want)
		}
	}
}

// TestPipeEnds with its context, and where it prints without an end.
func TestPipeEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Pipe(ctx, "", "sh", "-c", "sleep 60"); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled one: %v", err)
	}
	if out, err := Pipe(t.Context(), "", "yes"); err == nil || len(out) > pipedBytes {
		t.Errorf("%d bytes, %v", len(out), err)
	}
	if _, err := Pipe(t.Context(), "", "no-such-program"); !errors.Is(err, ErrMissing) {
		t.Errorf("a program that is not there: %v", err)
	}
}
