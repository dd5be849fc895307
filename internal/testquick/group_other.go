//go:build !unix

package main

import "os/exec"

// endTogether leaves what a command started to end by itself.
func endTogether(*exec.Cmd) {}
