//go:build unix

package testenv

import (
	"os"
	"os/signal"
	"syscall"
)

// inherited replaces what a process has from its parent besides variables. A
// signal that is caught here has its usual effect in children, and one that was
// ignored has none here, as before.
func inherited() {
	syscall.Umask(0o022)
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGPIPE} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
}
