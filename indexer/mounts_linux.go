package indexer

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// mountInfo lists what is mounted. Source: proc_pid_mountinfo(5).
const mountInfo = "/proc/self/mountinfo"

// mountTable tells when something is mounted or unmounted. Numbers of mounts do not: one that is free is given again.
// The file is none of package os, whose poller would take the news away.
type mountTable struct {
	fd   int
	open bool
}

// changed reports whether the table changed since the last call; the first one finds no change.
func (t *mountTable) changed() bool {
	if !t.open {
		fd, err := unix.Open(mountInfo, unix.O_RDONLY|unix.O_CLOEXEC, 0)
		t.fd, t.open = fd, err == nil // without it disks are noticed at the next run
		return false
	}
	fds := []unix.PollFd{{Fd: int32(t.fd), Events: unix.POLLPRI}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&unix.POLLPRI != 0
}

// close ends the table.
func (t *mountTable) close() {
	if t.open {
		t.open = false
		_ = unix.Close(t.fd) // it was only read
	}
}

// mountPoints returns where file systems are mounted.
func mountPoints() (all []string) {
	data, err := os.ReadFile(mountInfo)
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(data)) {
		if fields := strings.Fields(line); len(fields) > 4 {
			all = append(all, unescaped(fields[4]))
		}
	}
	return all
}

// unescaped is a path without the octal numbers that stand for blanks and backslashes.
func unescaped(path string) string {
	if !strings.Contains(path, `\`) {
		return path
	}
	var out strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] == '\\' && i+3 < len(path) {
			if n, err := strconv.ParseUint(path[i+1:i+4], 8, 8); err == nil {
				out.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		out.WriteByte(path[i])
	}
	return out.String()
}
