package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Write gives write an empty file, and makes it the file at path, with the
// permissions of mode whatever the umask is, once all of it is on the disk. The
// file that was there stays as it is if write fails. An error after the rename,
// of the folder's way to the disk, leaves the new file.
func Write(path string, mode fs.FileMode, write func(*os.File) error) (err error) {
	folder := filepath.Dir(path)
	file, err := os.CreateTemp(folder, "."+filepath.Base(path)+".*.new")
	if err != nil {
		return err
	}
	placed := false
	defer func() { // also where write panics
		if !placed {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	if err := fill(file, mode, write); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return err
	}
	placed = true
	return SyncFolder(folder)
}

// WriteFile is Write of data, in the manner of os.WriteFile.
func WriteFile(path string, data []byte, mode fs.FileMode) error {
	return Write(path, mode, func(file *os.File) error {
		_, err := file.Write(data)
		return err
	})
}

// createdMode is what os.CreateTemp gives a file.
const createdMode = 0o600

// fill writes the file, sees it to the disk and closes it.
func fill(file *os.File, mode fs.FileMode, write func(*os.File) error) (err error) {
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := write(file); err != nil {
		return err
	}
	if mode != createdMode {
		if err := file.Chmod(mode); err != nil {
			return err
		}
	}
	return file.Sync()
}

// Rename moves a file or a folder, whose content the caller has seen to the disk,
// to a new name, and sees that to the disk. A file that has the name is replaced.
func Rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return SyncFolder(filepath.Dir(to))
}
