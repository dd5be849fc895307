//go:build unix

package testpostgres

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
	"testing"
)

// anotherUser has programs run as a user without rights where the tests run as root, which PostgreSQL
// refuses, and gives that user a folder.
func anotherUser(t testing.TB, dir string) func(*exec.Cmd) {
	t.Helper()
	if os.Geteuid() != 0 {
		return func(*exec.Cmd) {}
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
		as := &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)} //nolint:gosec // numbers of the system
		return func(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Credential: as} }
	}
	t.Skip("PostgreSQL does not run as root, and there is no other user")
	return nil
}
