package atomicfile_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"dowse/internal/atomicfile"
)

// TestWrite: a file gets its content and mode, whether or not there was one, and
// nothing else is left in the folder.
func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, c := range []struct {
		content string
		mode    fs.FileMode
	}{{"a first one", 0o600}, {"another", 0o644}, {"", 0o600}, {"for all", 0o666}} { // more than the umask lets through
		if err := atomicfile.WriteFile(path, []byte(c.content), c.mode); err != nil {
			t.Fatal(err)
		}
		expect(t, path, c.content)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode() != c.mode {
			t.Errorf("mode %v, want %v", info.Mode(), c.mode)
		}
	}
}

// TestWriteAnywhere: who writes may do so in any order, and until all is written
// the old file is there.
func TestWriteAnywhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	keep(t, path, "old")
	err := atomicfile.Write(path, 0o600, func(file *os.File) error {
		if filepath.Dir(file.Name()) != filepath.Dir(path) {
			t.Errorf("%s is not beside %s", file.Name(), path)
		}
		_, err := file.WriteAt([]byte("end"), 6)
		if err == nil {
			_, err = file.WriteAt([]byte("begin,"), 0)
		}
		if data, old := os.ReadFile(path); old != nil || string(data) != "old" {
			t.Errorf("before all is written the file holds %q, %v", data, old)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, path, "begin,end")
}

// TestWriteFails: after an error, and after a panic, the old file is as it was.
func TestWriteFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	keep(t, path, "old")
	broken := errors.New("broken")
	half := func(then func() error) func(*os.File) error {
		return func(file *os.File) error {
			if _, err := file.WriteString("half"); err != nil {
				t.Error(err)
			}
			return then()
		}
	}
	if err := atomicfile.Write(path, 0o600, half(func() error { return broken })); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	expect(t, path, "old")
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		_ = atomicfile.Write(path, 0o600, half(func() error { panic("stop") }))
	}()
	expect(t, path, "old")
	if err := atomicfile.Write(path, 0o600, func(file *os.File) error { return file.Close() }); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a file that cannot be seen to the disk: %v", err)
	}
	expect(t, path, "old")
}

// TestNoPlace: a folder that is missing, and one that has the file's name, are
// errors that leave nothing.
func TestNoPlace(t *testing.T) {
	folder := t.TempDir()
	if err := atomicfile.WriteFile(filepath.Join(folder, "none", "file"), nil, 0o600); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in no folder: %v", err)
	}
	path := filepath.Join(folder, "taken")
	keep(t, filepath.Join(path, "in"), "it")
	if err := atomicfile.WriteFile(path, []byte("new"), 0o600); err == nil {
		t.Error("a folder was replaced by a file")
	}
	alone(t, path)
	if err := atomicfile.Rename(filepath.Join(folder, "none"), path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("rename nothing: %v", err)
	}
}

// TestKilled: a process that dies while it writes leaves the old file.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	keep(t, path, "old")
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childVariable+"="+path)
	out, err := child.CombinedOutput()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != diedWriting {
		t.Fatalf("%v: %s", err, out)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "old" {
		t.Errorf("the file holds %q, %v", data, err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.new"))
	if err != nil || len(left) != 1 {
		t.Fatalf("the process leaves %v, %v: the test shows nothing", left, err)
	}
	if err := os.Remove(left[0]); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.WriteFile(path, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	expect(t, path, "new")
}

// TestRename moves files and folders.
func TestRename(t *testing.T) {
	folder := t.TempDir()
	from, to := filepath.Join(folder, "from"), filepath.Join(folder, "to")
	keep(t, from, "new")
	keep(t, to, "old")
	if err := atomicfile.Rename(from, to); err != nil {
		t.Fatal(err)
	}
	expect(t, to, "new")
	keep(t, filepath.Join(from, "in"), "folder")
	if err := errors.Join(os.Remove(to), atomicfile.Rename(from, to)); err != nil {
		t.Fatal(err)
	}
	expect(t, filepath.Join(to, "in"), "folder")
}

func TestSyncFolder(t *testing.T) {
	folder := t.TempDir()
	if err := atomicfile.SyncFolder(folder); err != nil {
		t.Error(err)
	}
	if err := atomicfile.SyncFolder(filepath.Join(folder, "none")); runtime.GOOS != "windows" && !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// keep writes a file, and its folder, plainly.
func keep(t *testing.T, path, content string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// expect looks at a file that is alone in its folder.
func expect(t *testing.T, path, content string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(data, []byte(content)) {
		t.Errorf("%s holds %q, %v; want %q", filepath.Base(path), data, err, content)
	}
	alone(t, path)
}

func alone(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("beside %s: %v, %v", filepath.Base(path), entries, err)
	}
}
