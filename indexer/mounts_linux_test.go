package indexer_test

import (
	"os"
	"syscall"
	"testing"
)

// mount mounts an empty file system in memory, or the test is skipped: that takes privileges.
func (b *bench) mount(name string) (unmount func()) {
	b.t.Helper()
	b.must(os.MkdirAll(b.path(name), 0o755))
	if err := syscall.Mount("tmpfs", b.path(name), "tmpfs", 0, "size=1m"); err != nil {
		b.t.Skipf("nothing can be mounted here: %v", err)
	}
	mounted := true
	unmount = func() {
		if mounted {
			mounted = false
			b.must(syscall.Unmount(b.path(name), syscall.MNT_DETACH))
		}
	}
	b.t.Cleanup(unmount)
	return unmount
}

// TestUnmountedIsNotEmpty: what lay on a disk that is not mounted any more stays in the index, as a root and below one,
// though an empty folder stands there; what is deleted on it while it is mounted goes.
func TestUnmountedIsNotEmpty(t *testing.T) {
	for _, roots := range [][]string{{"disk"}, {"disk/notes"}, {""}} {
		b := newBench(t)
		unmount := b.mount("disk")
		files := map[string]int{"disk/notes/a.md": 1, "disk/notes/b.md": 1}
		for name := range files {
			b.write(name, "unicorn "+name+"\n")
		}
		if roots[0] == "" {
			b.write("c.md", "unicorn here\n")
			files["c.md"] = 1
		}
		root := b.path(roots[0])
		b.run(root)
		b.expect(files)
		b.must(os.Remove(b.path("disk/notes/b.md")))
		delete(files, "disk/notes/b.md")
		b.run()
		b.expect(files)
		unmount()
		b.run()
		b.follow()
		b.follow(b.path("disk"), root)
		b.expect(files)
		if roots[0] != "" {
			b.told("what was indexed of it is kept")
		}
		b.embed.take()
		b.mount("disk")
		b.write("disk/notes/a.md", "unicorn disk/notes/a.md\n")
		b.run()
		if b.expect(files); len(b.embed.take()) > 0 {
			t.Errorf("%v: embedded again", roots)
		}
		b.must(os.Remove(b.path("disk/notes/a.md")))
		b.run()
		delete(files, "disk/notes/a.md")
		b.expect(files)
	}
}
