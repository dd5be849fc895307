package nofollow

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"dowse/internal/testwait"
)

// TestSwappedFolderLeadsNowhere opens a file while its folder is a link every
// other moment.
func TestSwappedFolderLeadsNowhere(t *testing.T) {
	root := resolved(t)
	write(t, filepath.Join(root, "a/c.md"), "mine")
	write(t, filepath.Join(root, "secret/c.md"), "secret")
	must(t, os.Symlink(filepath.Join(root, "secret"), filepath.Join(root, "link")))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			if unix.Renameat2(unix.AT_FDCWD, filepath.Join(root, "a"), unix.AT_FDCWD, filepath.Join(root, "link"), unix.RENAME_EXCHANGE) != nil {
				return
			}
		}
	}()
	for name, open := range ways() {
		read, refused := 0, 0
		begun := time.Now()
		over := func(d time.Duration) bool { return time.Since(begun) > d }
		for !over(300*time.Millisecond) || read == 0 && !over(testwait.Patience) {
			f, err := open(filepath.Join(root, "a/c.md"))
			if err != nil {
				refused++
				continue
			}
			text := make([]byte, 6)
			n, _ := f.Read(text)
			_ = f.Close()
			if read++; string(text[:n]) != "mine" {
				t.Fatalf("%s: read %q", name, text[:n])
			}
		}
		t.Logf("%s: %d read, %d refused", name, read, refused)
		if read == 0 {
			t.Errorf("%s: nothing was read", name)
		}
	}
	cancel()
	<-done
}
