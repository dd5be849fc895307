package smallfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "config.json")
	if err := os.WriteFile(path, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := Read(path, 5); string(data) != "12345" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	for _, c := range []struct{ path, want string }{
		{path, "config.json has more than the 4 bytes"}, {folder, "not a regular file"}, {"/dev/zero", "not a regular file"},
	} {
		if _, err := Read(c.path, 4); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.path, err, c.want)
		}
	}
	if _, err := Read(filepath.Join(folder, "absent"), 4); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}
