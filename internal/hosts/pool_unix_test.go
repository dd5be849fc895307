//go:build unix

package hosts

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"dowse/internal/testwait"
)

// started are the processes of a machine so far.
func started(t *testing.T, file string) (pids []int) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		pid, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// TestConnectionStays while it is used, is made anew where it is dead, and is closed when it is idle.
func TestConnectionStays(t *testing.T) {
	command, processes := fits(t, sound)
	p := pool(t, map[string]string{"larch": command})
	use := func(want int) {
		t.Helper()
		if told, err := counted(t, p, "larch"); err != nil || len(told) > 0 || len(started(t, processes)) != want {
			t.Fatalf("%v, %v, %d processes, want %d", told, err, len(started(t, processes)), want)
		}
	}
	ended := func(pid int) {
		t.Helper()
		testwait.Until(t, "the process does not end", func() bool { return syscall.Kill(pid, 0) != nil })
	}
	use(1)
	use(1)
	if err := syscall.Kill(started(t, processes)[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	use(2)
	p.Close()
	ended(started(t, processes)[1])
	for _, h := range p.hosts {
		h.idle = time.Millisecond
	}
	use(3)
	ended(started(t, processes)[2])
}
