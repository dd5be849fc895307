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

// TestMountedWhileWatching: a disk that is mounted below a root while it is watched brings its files, and what happens
// on it from then on is seen.
func TestMountedWhileWatching(t *testing.T) {
	b := newBench(t)
	b.write("c.md", "unicorn here\n")
	b.must(os.MkdirAll(b.path("disk"), 0o755))
	store := t.TempDir()
	b.must(os.WriteFile(store+"/a.md", []byte("a unicorn on it\n"), 0o600))
	b.run(b.root)
	b.watching()
	if err := syscall.Mount(store, b.path("disk"), "", syscall.MS_BIND, ""); err != nil {
		t.Skipf("nothing can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(b.path("disk"), syscall.MNT_DETACH) })
	files := map[string]int{"c.md": 1, "disk/a.md": 1}
	b.eventually("its files are found", files)
	b.write("disk/b.md", "another unicorn\n")
	files["disk/b.md"] = 1
	b.eventually("a new file on it is found", files)
	b.must(syscall.Unmount(b.path("disk"), syscall.MNT_DETACH))
	b.must(os.Remove(store + "/a.md"))
	b.must(syscall.Mount(store, b.path("disk"), "", syscall.MS_BIND, ""))
	delete(files, "disk/a.md")
	b.eventually("what went while it was away goes", files)
}
