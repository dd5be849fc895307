//go:build !unix

package testpostgres

import (
	"os/exec"
	"testing"
)

// anotherUser is for systems where programs can be run as another user.
func anotherUser(testing.TB, string) func(*exec.Cmd) { return func(*exec.Cmd) {} }
