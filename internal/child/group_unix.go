//go:build unix && !aix && !solaris

package child

import (
	"errors"
	"os"
	"syscall"
)

// niceness is what makes everything else on the machine go first.
const niceness = 10

// processGroup is PRIO_PGRP, which all systems number alike.
const processGroup = 1

// group makes a program the head of a process group, which what it starts joins.
func group(cmd *Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// end ends a program, by its id, and its process group at once.
func end(pid int) error {
	if pid <= 1 { // which would mean other groups
		return os.ErrProcessDone
	}
	err := syscall.Kill(-pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// lower gives a process group a low priority, as far as that can be done.
func lower(pid int) { _ = syscall.Setpriority(processGroup, pid, niceness) }
