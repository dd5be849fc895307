package logs

import (
	"bytes"
	"path/filepath"
	"strings"
)

// Sizes, in bytes.
const (
	Least = 64 << 10 // shorter files are read as other texts are
	Head  = 64 << 10 // how much of a file Is looks at
)

// Shares of the lines, in tenths, that make a log.
const (
	minLines = 8
	ofNamed  = 3
	ofOthers = 7
)

// Is reports whether a file of at least Least bytes that begins with head (Head bytes) is a log.
func Is(name string, head []byte) bool {
	if end := bytes.LastIndexByte(head, '\n'); end >= 0 {
		head = head[:end]
	}
	lines, sure, likely := 0, 0, 0
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 || line[0] == ' ' || line[0] == '\t' {
			continue
		}
		lines++
		switch begins(string(line[:min(len(line), maxBefore+maxStamp)]), line) {
		case surely:
			sure++
		case perhaps:
			likely++
		}
	}
	if lines < minLines {
		return false
	}
	if Named(name) {
		return 10*(sure+likely) >= ofNamed*lines
	}
	return 10*sure >= ofOthers*lines
}

// bare are names of logs that have no extension, and the endings of others.
var (
	bare    = []string{"syslog", "messages", "dmesg", "catalina", "nohup"}
	endings = []string{".log", ".out", ".err", ".jsonlog", "_log", "-log", ".trace"}
)

// Named reports whether a file is named as logs are, also when they were put aside: app.log.1, app-20261127.log,
// syslog.2, error_log-20261127.
func Named(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	for range 3 { // numbers, days, and what was put before them
		name = strings.TrimRight(name, "0123456789-_.")
		name = strings.TrimSuffix(strings.TrimSuffix(name, ".old"), ".txt")
	}
	for _, b := range bare {
		if name == b {
			return true
		}
	}
	for _, e := range endings {
		if strings.HasSuffix(name, e) {
			return true
		}
	}
	return false
}
