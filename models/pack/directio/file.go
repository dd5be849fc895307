package directio

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"unsafe"
)

// Align is what offsets, lengths and addresses must be multiples of. No usual
// file system asks for more.
const Align = 4096

// File is a file that is read and written past the page cache where that is
// possible. Its methods may be called from several goroutines; Close must come
// last.
type File struct {
	f      *os.File
	direct bool
	remove string // path to remove after closing, or ""
}

// Open opens a file for reading. Its size must be a multiple of Align.
func Open(path string) (*File, error) {
	f, direct, err := open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	return &File{f: f, direct: direct}, nil
}

// CreateTemp returns a new empty file in folder, or where temporary files go if
// that is empty, which nobody else can read and which is gone with Close.
func CreateTemp(folder string) (*File, error) {
	created, err := os.CreateTemp(folder, "dowse-*.tmp") // mode 0600
	if err != nil {
		return nil, err
	}
	path := created.Name()
	if err := created.Close(); err != nil {
		return nil, errors.Join(err, os.Remove(path))
	}
	f, direct, err := open(path, os.O_RDWR)
	if err != nil {
		return nil, errors.Join(err, os.Remove(path))
	}
	file := &File{f: f, direct: direct}
	// Where an open file can be removed it is gone even if the process dies.
	if os.Remove(path) != nil {
		file.remove = path
	}
	return file, nil
}

// open opens path directly, or as an ordinary file where the system or the
// file system has no direct access. Some refuse only when the first bytes are
// read, so these are.
func open(path string, flag int) (f *os.File, direct bool, err error) {
	f, err = openDirect(path, flag)
	if err == nil {
		if _, err = f.ReadAt(AlignedBytes(Align), 0); err == nil || errors.Is(err, io.EOF) {
			return f, true, nil
		}
		err = f.Close()
	}
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) {
		return nil, false, err
	}
	f, err = os.OpenFile(path, flag, 0)
	return f, false, err
}

// Direct reports whether the page cache is left out.
func (f *File) Direct() bool { return f.direct }

// ReadAt fills b from offset. A file that ends before that is an error that
// wraps io.ErrUnexpectedEOF.
func (f *File) ReadAt(b []byte, offset int64) error {
	if err := checkAligned(b, offset); err != nil {
		return err
	}
	n, err := f.f.ReadAt(b, offset)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) || f.direct && n > 0 && errors.Is(err, syscall.EINVAL) { // a direct read that goes on where the file ends is refused
		return fmt.Errorf("read %d of %d bytes at %d of %s: %w", n, len(b), offset, f.f.Name(), io.ErrUnexpectedEOF)
	}
	return err
}

// WriteAt writes b at offset.
func (f *File) WriteAt(b []byte, offset int64) error {
	if err := checkAligned(b, offset); err != nil {
		return err
	}
	_, err := f.f.WriteAt(b, offset)
	return err
}

// Size is the present length of the file in bytes.
func (f *File) Size() (int64, error) {
	info, err := f.f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Close closes the file and, if it is temporary, ends it.
func (f *File) Close() error {
	err := f.f.Close()
	if f.remove != "" {
		err = errors.Join(err, os.Remove(f.remove))
	}
	return err
}

// AlignedBytes returns n zeroed bytes of the Go heap that start at a multiple
// of Align, for small reads. The heap does not move them.
func AlignedBytes(n int) []byte {
	b := make([]byte, n+Align)
	shift := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (Align - 1)
	return b[shift : shift+n : shift+n]
}

// checkAligned holds callers to the rule on every system, so that a mistake
// shows before it reaches one that minds.
func checkAligned(b []byte, offset int64) error {
	if at := uintptr(unsafe.Pointer(unsafe.SliceData(b))); len(b)%Align != 0 || offset%Align != 0 || at%Align != 0 {
		return fmt.Errorf("%d bytes at offset %d, address %#x: not multiples of %d", len(b), offset, at, Align)
	}
	return nil
}
