//go:build unix

package home

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folderOf makes a folder of some mode.
func folderOf(t *testing.T, mode os.FileMode) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, mode); err != nil { // whatever the umask is
		t.Fatal(err)
	}
	return dir
}

func modeOf(t *testing.T, dir string) os.FileMode {
	t.Helper()
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestFoldersThatOthersMayUseAreMended(t *testing.T) {
	for mode, want := range map[os.FileMode]struct{ private, own os.FileMode }{
		0o700: {0o700, 0o700},
		0o755: {0o700, 0o755},
		0o775: {0o700, 0o755},
		0o777: {0o700, 0o755},
		0o701: {0o700, 0o701},
	} {
		for name, c := range map[string]struct {
			make func(string) error
			want os.FileMode
		}{"MakePrivate": {MakePrivate, want.private}, "MakeOwn": {MakeOwn, want.own}} {
			dir := folderOf(t, mode)
			before, err := AccessOf(dir)
			if err != nil || before.Read != (mode&0o055 != 0) || before.Write != (mode&0o022 != 0) || before.Owner {
				t.Errorf("mode %o: %+v, %v", mode, before, err)
			}
			if err := c.make(dir); err != nil || modeOf(t, dir) != c.want {
				t.Errorf("%s: mode %o became %o, want %o; %v", name, mode, modeOf(t, dir), c.want, err)
			}
		}
	}
	dir := filepath.Join(t.TempDir(), "new", "folder")
	if err := MakePrivate(dir); err != nil || modeOf(t, dir) != 0o700 || modeOf(t, filepath.Dir(dir)) != 0o700 {
		t.Errorf("a new folder: mode %o, %v", modeOf(t, dir), err)
	}
}

// TestFoldersOfOthersAreRefused looks at folders as another user would.
func TestFoldersOfOthersAreRefused(t *testing.T) {
	other := user() + 1
	for _, c := range []struct {
		mode, barred os.FileMode
		refused      bool
	}{
		{0o700, 0o077, true}, {0o755, 0o077, true}, {0o755, 0o022, false}, {0o775, 0o022, true},
	} {
		dir := folderOf(t, c.mode)
		err := makeOwn(dir, c.barred, other)
		if (err != nil) != c.refused || err != nil && !strings.Contains(err.Error(), "belongs to another user") || modeOf(t, dir) != c.mode {
			t.Errorf("mode %o, barred %o: %v", c.mode, c.barred, err)
		}
	}
	if access, err := AccessOf(filepath.Join(t.TempDir(), "none")); err != nil || access != (Access{}) {
		t.Errorf("no folder: %+v, %v", access, err)
	}
}
