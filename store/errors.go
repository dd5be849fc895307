package store

import (
	"errors"
	"fmt"
	"runtime"
	"syscall"

	berrors "go.etcd.io/bbolt/errors"
)

// Errors of Open.
var (
	// ErrForeign says that the file is not an index of dowse.
	ErrForeign = errors.New("not a dowse index")
	// ErrVersion says that another version of dowse wrote the file.
	ErrVersion = errors.New("index format of another version of dowse")
	// ErrFingerprint says that the index was built with other settings (model,
	// tokenizer, chunker, analyzer): its contents must not be searched.
	ErrFingerprint = errors.New("index was built with other settings")
	// ErrLocked says that another process uses the index.
	ErrLocked = errors.New("index is in use by another process")
)

// Errors of transactions, and of Open too.
var (
	// ErrCorrupt says that the file is damaged.
	ErrCorrupt = errors.New("index is damaged")
	// ErrBroken is an ErrCorrupt that concerns the whole file: its pages are
	// damaged, or a record that every transaction reads. The index must be built
	// again.
	ErrBroken = fmt.Errorf("%w beyond repair", ErrCorrupt)
	// ErrNotFound says that there is no such file, record or index.
	ErrNotFound = errors.New("not found")
	// ErrNoSpace says that the disk, or the quota on it, is full.
	ErrNoSpace = errors.New("no space left for the index")
	// ErrReadOnly says that a write was tried through a reading transaction
	// or a DB opened with Options.ReadOnly.
	ErrReadOnly = errors.New("index is opened read-only")
)

// corrupt reports damage of one record.
func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, args...))
}

// broken reports damage of the file as a whole.
func broken(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrBroken, fmt.Sprintf(format, args...))
}

// windowsDiskFull is ERROR_DISK_FULL, which package syscall does not name.
const windowsDiskFull = syscall.Errno(112)

// translate gives errors of bbolt and of the system the names above.
func translate(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, berrors.ErrTimeout):
		return ErrLocked
	case errors.Is(err, berrors.ErrTxNotWritable), errors.Is(err, berrors.ErrDatabaseReadOnly):
		return ErrReadOnly
	case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrChecksum),
		errors.Is(err, berrors.ErrVersionMismatch), errors.Is(err, berrors.ErrInvalidMapping):
		return fmt.Errorf("%w: %w", ErrBroken, err)
	case isNoSpace(err):
		return fmt.Errorf("%w: %w: free some and try again", ErrNoSpace, err)
	}
	return err
}

func isNoSpace(err error) bool {
	for _, full := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if errors.Is(err, full) {
			return true
		}
	}
	return runtime.GOOS == "windows" && errors.Is(err, windowsDiskFull)
}
