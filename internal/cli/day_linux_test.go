package cli

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"dowse/internal/testenv"
)

// addDisk mounts a file system below the root, unless mounting takes another user than this one.
func (d *day) addDisk() {
	if os.Getuid() != 0 {
		d.t.Log("only root can mount: no disk comes and goes")
		return
	}
	d.store = filepath.Join(testenv.SmallDisk(d.t, "64m"), "disk")
	d.disk = filepath.Join(d.root, "disk")
	d.must(errors.Join(os.Mkdir(d.store, 0o700), os.Mkdir(d.disk, 0o700)))
	d.mount()
	d.dirs = append(d.dirs, d.disk)
	d.t.Cleanup(func() {
		if !d.away {
			_ = syscall.Unmount(d.disk, syscall.MNT_DETACH)
		}
	})
}

// mount has what is on the disk below the root again.
func (d *day) mount() {
	d.must(syscall.Mount(d.store, d.disk, "", syscall.MS_BIND, ""))
	d.away = false
}

// turnDisk unmounts the disk, or mounts it again.
func (d *day) turnDisk() {
	if d.away {
		d.mount()
		return
	}
	d.must(syscall.Unmount(d.disk, syscall.MNT_DETACH))
	d.away = true
}
