package extract

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/nofollow"
	"dowse/indexer/skip"
)

// defaultMaxBytes is the size above which a file is not read: the largest novels
// have 4 MB, and what is larger is data.
const defaultMaxBytes = 16 << 20

// Options bound what is read, and say what is known of it.
type Options struct {
	MaxBytes int64 // 0 means defaultMaxBytes
	Judged   *Judged
	Waited   bool // somebody waits for File, which runs no outside programs then
}

// limit returns the size above which the file is not read: that of its Format where it is
// named as one is.
func (o Options) limit(path string) int64 {
	limit := o.MaxBytes
	if limit <= 0 {
		limit = defaultMaxBytes
	}
	ext := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	for _, f := range formats {
		if slices.Contains(f.Extensions, ext) {
			return max(limit, f.MaxBytes)
		}
	}
	return limit
}

// File reads a file and extracts its text. The error is a *skip.Error.
func File(path string, opts Options) (*document.Document, error) {
	data, _, err := Read(path, opts)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	if opts.Waited {
		ctx = document.WithoutPrograms(ctx)
	}
	return bytesJudged(ctx, path, data, opts.Judged)
}

// Read returns the bytes of a regular file and what the system knew of it when
// it was opened. A larger file is not read, one that begins as no text only
// there (a folder of photographs is looked at again at every run), a pipe or
// device is not waited for, and no part of the path may be a symbolic link. The
// error is a *skip.Error.
func Read(path string, opts Options) ([]byte, fs.FileInfo, error) {
	limit := opts.limit(path)
	// Looked at before it is opened, because some devices act on being opened.
	info, err := os.Lstat(path)
	if err != nil {
		return nil, nil, skip.FromOS(path, err)
	}
	if err := admit(path, info, limit); err != nil {
		return nil, nil, err
	}
	f, err := nofollow.Open(path)
	if errors.Is(err, nofollow.ErrLink) {
		return nil, nil, &skip.Error{Reason: skip.Symlink, Path: path, Err: err}
	}
	if err != nil {
		return nil, nil, skip.FromOS(path, err)
	}
	info, err = f.Stat()
	if err == nil {
		if err := admit(path, info, limit); err != nil { // replaced in between
			return nil, nil, errors.Join(err, f.Close())
		}
	}
	var data []byte
	hopeless := false
	if err == nil {
		data, hopeless, err = readAll(f, path, info.Size(), limit)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, nil, skip.FromOS(path, err)
	}
	switch {
	case hopeless:
		return nil, nil, &skip.Error{Reason: skip.Binary, Path: path}
	case int64(len(data)) > limit:
		return nil, nil, tooLarge(path, int64(len(data)), limit)
	}
	return data, info, nil
}

// Look returns what the system knows of a file that Read would read, and reads nothing of
// it. The error is a *skip.Error.
func Look(path string, opts Options) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, skip.FromOS(path, err)
	}
	if err := admit(path, info, opts.limit(path)); err != nil {
		return nil, err
	}
	f, err := nofollow.Open(path)
	if errors.Is(err, nofollow.ErrLink) {
		return nil, &skip.Error{Reason: skip.Symlink, Path: path, Err: err}
	}
	if err != nil {
		return nil, skip.FromOS(path, err)
	}
	info, err = f.Stat()
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, skip.FromOS(path, err)
	}
	return info, admit(path, info, opts.limit(path))
}

// admit refuses what is not to be read.
func admit(path string, info fs.FileInfo, limit int64) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return &skip.Error{Reason: skip.Symlink, Path: path}
	case !info.Mode().IsRegular():
		return &skip.Error{Reason: skip.Special, Path: path}
	case info.Size() > limit:
		return tooLarge(path, info.Size(), limit)
	}
	return nil
}

func tooLarge(path string, size, limit int64) error {
	return &skip.Error{Reason: skip.TooLarge, Path: path, Detail: fmt.Sprintf("%d bytes, the limit is %d", size, limit)}
}

// readAll reads a file of about size bytes, but no more than limit and one byte
// to tell that it has grown. Of one that begins as no text it reads only the
// head, and says that it is hopeless.
func readAll(f *os.File, path string, size, limit int64) (data []byte, hopeless bool, err error) {
	head := make([]byte, min(size+1, headBytes))
	n, err := io.ReadFull(f, head)
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return head[:n], false, nil // so short that extraction may tell
	case err != nil:
		return nil, false, err
	case formatOf(path, head) == nil && isHopeless(head):
		return head, true, nil
	}
	data = append(make([]byte, 0, max(size+1, headBytes)), head...)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case err == io.EOF || int64(len(data)) > limit:
			return data, false, nil
		case err != nil:
			return nil, false, err
		case len(data) == cap(data):
			grown := make([]byte, len(data), min(int64(2*cap(data)), limit)+1)
			copy(grown, data)
			data = grown
		}
	}
}
