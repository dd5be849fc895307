package nofollow

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestLinksAreNotFollowed puts a link in the place of the file, of the folder it
// is in, and of one above.
func TestLinksAreNotFollowed(t *testing.T) {
	for name, open := range ways() {
		t.Run(name, func(t *testing.T) {
			for _, at := range []string{"a", "a/b", "a/b/c.md"} {
				root := resolved(t)
				secret := filepath.Join(root, "secret")
				write(t, filepath.Join(root, "a/b/c.md"), "mine")
				for _, as := range []string{"c.md", "b/c.md"} {
					write(t, filepath.Join(secret, as), "secret")
				}
				path := filepath.Join(root, "a/b/c.md")
				if got := read(t, open, path); got != "mine" {
					t.Fatalf("read %q", got)
				}
				target := secret
				if at == "a/b/c.md" {
					target = filepath.Join(secret, "c.md")
				}
				must(t, os.RemoveAll(filepath.Join(root, at)))
				must(t, os.Symlink(target, filepath.Join(root, at)))
				if data, err := os.ReadFile(path); err != nil || string(data) != "secret" {
					t.Fatalf("the link at %s leads to %q, %v", at, data, err)
				}
				f, err := open(path)
				if !errors.Is(err, ErrLink) {
					t.Errorf("a link at %s: %v, %v", at, f, err)
				}
			}
		})
	}
}

func TestOpenIsLikeThatOfOS(t *testing.T) {
	for name, open := range ways() {
		t.Run(name, func(t *testing.T) {
			root := resolved(t)
			write(t, filepath.Join(root, "d/x"), "text")
			if _, err := open(filepath.Join(root, "d/none")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("no file: %v", err)
			}
			if _, err := open(filepath.Join(root, "none/x")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("no folder: %v", err)
			}
			if _, err := open(filepath.Join(root, "d/x/y")); err == nil || errors.Is(err, ErrLink) {
				t.Errorf("below a file: %v", err)
			}
			f, err := open(root)
			must(t, err)
			if list, err := f.ReadDir(-1); err != nil || len(list) != 1 {
				t.Errorf("folder: %v, %v", list, err)
			}
			must(t, f.Close())
			t.Chdir(filepath.Join(root, "d"))
			for _, path := range []string{"x", "./x", "../d/x", root + "//d///x"} {
				if got := read(t, open, path); got != "text" {
					t.Errorf("%s: %q", path, got)
				}
			}
		})
	}
}

func resolved(t *testing.T) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	return root
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o600))
}

func read(t *testing.T, open func(string) (*os.File, error), path string) string {
	t.Helper()
	f, err := open(path)
	must(t, err)
	data, err := io.ReadAll(f)
	must(t, errors.Join(err, f.Close()))
	return string(data)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
