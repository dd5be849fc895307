package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/dustin/go-humanize"

	"dowse/indexer/document"
)

const (
	// maxCopied is the size above which a database is not copied.
	maxCopied = 512 << 20
	// copyTries is the most copies that are made of one database. A program spoils a copy when it begins its log anew
	// meanwhile. It does so once in a thousand pages.
	copyTries = 5
)

// errLarge is the error of a database above maxCopied.
var errLarge = errors.New("it has more than " + humanize.IBytes(maxCopied))

// copied is a copy of a database at one commit of the program that has it open. It lies where temporary files do, for this
// user alone, and has no name there while it is used, where the system allows that.
type copied struct {
	*os.File
	size int64
}

// copyCommit copies a database with what its log adds; nil where that is nothing. The error is ErrChanged where the program begins
// its log anew again and again.
//
// While a log has one header, the program writes nothing into the file but pages of commits in that log. So a copy of the
// file over which all commits are laid that the log holds afterwards is the database at the last of them.
func copyCommit(ctx context.Context, file io.ReaderAt, size int64, log io.ReaderAt) (*copied, error) {
	header, err := logHeader(log)
	switch {
	case err != nil || header.order() == nil:
		return nil, err
	case size > maxCopied:
		return nil, errLarge
	}
	f, err := os.CreateTemp("", "dowse-*.tmp") // mode 0600
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name()) // where the system does not allow it, erase does
	s := &copied{File: f}
	if err := s.fill(ctx, file, log, header); err != nil {
		s.erase()
		return nil, err
	}
	return s, nil
}

// fill copies file and log, again and again until the log was not begun anew meanwhile.
func (s *copied) fill(ctx context.Context, file, log io.ReaderAt, before header) error {
	for range copyTries {
		if err := s.copy(file); err != nil {
			return err
		}
		failed := s.lay(ctx, log, &before)
		after, err := logHeader(log)
		if err = cmp.Or(err, ctx.Err()); err != nil || after == before {
			return cmp.Or(err, failed)
		}
		before = after
	}
	return document.ErrChanged
}

// copy copies the file as it is now.
func (s *copied) copy(file io.ReaderAt) (err error) {
	if _, err = s.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if s.size, err = io.Copy(s.File, io.NewSectionReader(file, 0, maxCopied+1)); err == nil && s.size > maxCopied {
		err = errLarge
	}
	return errors.Join(err, s.Truncate(s.size))
}

// lay writes the pages of all commits in a log over the copy.
func (s *copied) lay(ctx context.Context, log io.ReaderAt, h *header) error {
	pages, count := h.committed(ctx, log)
	if len(pages) == 0 {
		return nil
	}
	page := make([]byte, h.pageSize())
	if s.size = int64(count) * int64(len(page)); s.size > maxCopied {
		return errLarge
	}
	for number, at := range pages {
		if number > count { // the database was made smaller since
			continue
		}
		if _, err := log.ReadAt(page, at); err != nil {
			return fmt.Errorf("its log: %w", err)
		}
		if _, err := s.WriteAt(page, int64(number-1)*int64(len(page))); err != nil {
			return err
		}
	}
	return s.Truncate(s.size)
}

// Size implements the interface that readervfs asks for.
func (s *copied) Size() (int64, error) { return s.size, nil }

// erase ends the use of a copy, and leaves nothing of it.
func (s *copied) erase() {
	_ = s.Close() // nothing was to be kept
	_ = os.Remove(s.Name())
}
