//go:build unix

package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ignoreBrokenPipes has writes to a reader that is gone fail, where they would end the process.
func ignoreBrokenPipes() { signal.Ignore(syscall.SIGPIPE) }

// lookForClient is how often a server looks whether its client is there.
const lookForClient = time.Second

// endWithClient calls end when the client is gone: nobody reads what is written, or the process that
// started this one has ended. Its input may stay open then, where a process that it started has it too.
func endWithClient(ctx context.Context, end func()) {
	parent := os.Getppid()
	tick := time.NewTicker(lookForClient)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		out := []unix.PollFd{{Fd: int32(os.Stdout.Fd())}}
		_, err := unix.Poll(out, 0)
		if os.Getppid() != parent || err == nil && out[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0 {
			end()
			return
		}
	}
}
