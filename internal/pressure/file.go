package pressure

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// File is where the system says how long programs wait for memory (Linux's PSI): of this
// process's own control group if it has one, otherwise of the machine; "" where there is none.
func File() string {
	files := []string{"/proc/pressure/memory"}
	groups, _ := os.ReadFile("/proc/self/cgroup") // without it the machine's file counts
	for line := range strings.Lines(string(groups)) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "0::"); ok {
			files = append([]string{filepath.Join("/sys/fs/cgroup", path, "memory.pressure")}, files...)
		}
	}
	for _, file := range files {
		if _, err := readFile(file); err == nil {
			return file
		}
	}
	return ""
}

// readFile returns the percentage of the last ten seconds in which some program waited for
// memory.
func readFile(file string) (float64, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	for field := range bytes.FieldsSeq(data) { // those of "some" come first
		if value, ok := strings.CutPrefix(string(field), "avg10="); ok {
			return strconv.ParseFloat(value, 64)
		}
	}
	return 0, strconv.ErrSyntax
}
