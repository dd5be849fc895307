package bench

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// memoryGroup is a control group whose processes may hold so many bytes, pages of
// files included.
type memoryGroup struct{ path string }

// Where the two kinds of control groups have their files.
const (
	groupsV1 = "/sys/fs/cgroup/memory"
	groupsV2 = "/sys/fs/cgroup"
)

// newMemoryGroup makes a control group below the one of this process.
func newMemoryGroup(limit int64) (*memoryGroup, error) {
	root, v2, err := ownGroup()
	if err != nil {
		return nil, err
	}
	g := &memoryGroup{filepath.Join(root, fmt.Sprintf("dowse-bench-%d", os.Getpid()))}
	if err := os.Mkdir(g.path, 0o755); err != nil {
		return nil, fmt.Errorf("memory cannot be limited here: %w; run as root, or in a group of your own: systemd-run --user --scope -p Delegate=yes", err)
	}
	set := func(file string, bytes int64) error {
		return os.WriteFile(filepath.Join(g.path, file), []byte(strconv.FormatInt(bytes, 10)), 0o644)
	}
	if v2 {
		err = errors.Join(set("memory.max", limit), set("memory.swap.max", 0))
	} else if err = set("memory.limit_in_bytes", limit); err == nil {
		_ = set("memory.swappiness", 0) // a machine without swap has no such setting
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("limit the memory of a process: %w", err), g.remove())
	}
	return g, nil
}

// ownGroup returns the folder of this process's memory control group.
func ownGroup() (path string, v2 bool, err error) {
	data, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", false, err
	}
	// Lines are hierarchy:controllers:path (cgroups(7)); version 2 is hierarchy 0.
	for line := range bytes.Lines(data) {
		part := bytes.SplitN(bytes.TrimSpace(line), []byte(":"), 3)
		if len(part) == 3 && bytes.Contains(part[1], []byte("memory")) {
			return filepath.Join(groupsV1, string(part[2])), false, nil
		}
		if len(part) == 3 && string(part[0]) == "0" && len(part[1]) == 0 {
			path, v2 = filepath.Join(groupsV2, string(part[2])), true
		}
	}
	if v2 {
		return path, true, nil
	}
	if _, err := os.Stat(groupsV1); err == nil { // where a container hides its own group
		return groupsV1, false, nil
	}
	return "", false, errors.New("this system has no memory control groups, which limit what the page cache takes")
}

// join moves this process into the group at path.
func joinMemoryGroup(path string) error {
	return os.WriteFile(filepath.Join(path, "cgroup.procs"), []byte(strconv.Itoa(os.Getpid())), 0o644)
}

// peak returns the most bytes that the group held, 0 where the system keeps no count.
func (g *memoryGroup) peak() int64 {
	for _, name := range []string{"memory.peak", "memory.max_usage_in_bytes"} {
		data, err := os.ReadFile(filepath.Join(g.path, name))
		if err != nil {
			continue
		}
		if n, err := strconv.ParseInt(string(bytes.TrimSpace(data)), 10, 64); err == nil {
			return n
		}
	}
	return 0
}

// remove removes the group, whose processes have ended.
func (g *memoryGroup) remove() error { return os.Remove(g.path) }
