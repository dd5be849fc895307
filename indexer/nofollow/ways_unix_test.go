//go:build unix && !darwin

package nofollow

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"dowse/internal/testwait"
)

// ways returns the ways to open a file: the system's best, and part by part.
func ways() map[string]func(string) (*os.File, error) {
	return map[string]func(string) (*os.File, error){"open": Open, "by parts": openByParts}
}

// TestPipeIsNotWaitedFor opens a pipe that nobody writes to.
func TestPipeIsNotWaitedFor(t *testing.T) {
	for name, open := range ways() {
		path := filepath.Join(resolved(t), "pipe")
		must(t, unix.Mkfifo(path, 0o600))
		ctx, cancel := context.WithTimeout(t.Context(), testwait.Patience)
		go func() {
			if f, err := open(path); err == nil {
				_ = f.Close()
			}
			cancel()
		}()
		<-ctx.Done()
		if ctx.Err() != context.Canceled {
			t.Errorf("%s: it waits", name)
		}
		cancel()
	}
}
