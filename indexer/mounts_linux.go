package indexer

import (
	"os"
	"strconv"
	"strings"
)

// mounts returns what is mounted. Source: proc_pid_mountinfo(5).
func mounts() (all []mount) {
	data, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(data)) {
		if fields := strings.Fields(line); len(fields) > 4 {
			all = append(all, mount{id: fields[0], at: unescaped(fields[4])})
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
