package daemon

import (
	"net"

	"golang.org/x/sys/unix"
)

// peer is the process that listens on the other side of a connection, 0 where
// the system does not tell.
func peer(conn net.Conn) (pid int) {
	socket, ok := conn.(*net.UnixConn)
	if !ok {
		return 0
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return 0
	}
	err = raw.Control(func(fd uintptr) {
		if who, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED); err == nil {
			pid = int(who.Pid)
		}
	})
	if err != nil {
		return 0
	}
	return pid
}
