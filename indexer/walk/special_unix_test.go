//go:build unix

package walk_test

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"dowse/indexer/skip"
	"dowse/indexer/walk"
)

func TestWalkNeverOpensSpecialFiles(t *testing.T) {
	dir := tree(t, map[string]string{"a.md": "a"})
	must(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644))
	must(t, syscall.Mkfifo(filepath.Join(dir, ".gitignore"), 0o644)) // would block for ever
	t.Chdir(dir)                                                     // socket names are short
	listener, err := net.Listen("unix", "sock")
	must(t, err)
	t.Cleanup(func() { must(t, listener.Close()) })
	files, skipped := list(t, dir, walk.Options{})
	expect(t, files, "a.md")
	if skipped["pipe"] != skip.Special || skipped["sock"] != skip.Special {
		t.Errorf("left out %v, want pipe and sock special", skipped)
	}
	filter, err := walk.NewFilter([]string{dir}, walk.Options{})
	must(t, err)
	if _, s := filter.Check(filepath.Join(dir, "pipe")); s == nil || s.Reason != skip.Special {
		t.Errorf("filter on a pipe: %v", s)
	}
	if _, err := os.Stat("sock"); err != nil {
		t.Error(err)
	}
}
