package store

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	berrors "go.etcd.io/bbolt/errors"

	"dowse/store/kv"
	"dowse/store/postgres"
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
	// ErrBroken is an ErrCorrupt of the whole file: its pages, or a record that
	// every transaction reads. The index must be built again.
	ErrBroken   = fmt.Errorf("%w beyond repair", ErrCorrupt)
	ErrNotFound = errors.New("not found")
	ErrNoSpace  = errors.New("no space left for the index")
	// ErrReadOnly answers a write in a View or in a DB opened with
	// Options.ReadOnly.
	ErrReadOnly = errors.New("index is opened read-only")
	// ErrReplaced says that a pack on a server was published again, so that it must be opened again.
	ErrReplaced = errors.New("the pack was published again")
	// ErrAway says that the server of a pack cannot be reached.
	ErrAway = postgres.ErrAway
)

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, args...))
}

func broken(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrBroken, fmt.Sprintf(format, args...))
}

// windowsDiskFull is ERROR_DISK_FULL, which package syscall does not name.
const windowsDiskFull = syscall.Errno(112)

// translate maps errors of bbolt and of the system to the ones above.
func translate(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, berrors.ErrTimeout):
		return ErrLocked
	case errors.Is(err, postgres.ErrLocked):
		return fmt.Errorf("%w: %w", ErrLocked, err)
	case errors.Is(err, postgres.ErrNotFound):
		return fmt.Errorf("%w: %w", ErrNotFound, err)
	case errors.Is(err, postgres.ErrFormat):
		return fmt.Errorf("%w: %w", ErrVersion, err)
	case errors.Is(err, postgres.ErrReadOnly):
		return ErrReadOnly
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

var errBrokenBefore = fmt.Errorf("%w: found by an earlier transaction", ErrBroken)

// guard runs fn and returns what a read could not have of a server, and turns what a damaged file does to bbolt into ErrBroken:
// faults on memory mapped beyond the end of the file, and panics of bbolt's own
// assertions. Panics that begin in the caller's function are bugs and go on.
func guard(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if failure, is := cause.(kv.Failure); is {
			err = failure.Err
			return
		}
		if !isFault(cause) && !beganInBolt() {
			panic(cause)
		}
		err = broken("%s", wordsOf(cause))
	}()
	return fn()
}

// wordsOf words the cause for a person: runtime messages such as nil
// dereferences mean nothing to them.
func wordsOf(cause any) string {
	if _, ok := cause.(runtime.Error); ok {
		return "a page refers to what is not there"
	}
	return fmt.Sprint(cause)
}

// isFault tells a memory fault at a mapped address from other panics: only its
// error carries an address.
func isFault(cause any) bool {
	err, ok := cause.(error)
	var fault interface{ Addr() uintptr }
	return ok && errors.As(err, &fault)
}

// beganInBolt reports whether bbolt raised the panic being recovered. It is
// called from a deferred function, so the stack still holds guard's frames, the
// runtime's, and then the panicking one.
func beganInBolt() bool {
	var counters [64]uintptr
	frames := runtime.CallersFrames(counters[:runtime.Callers(1, counters[:])])
	panicking := false
	for {
		frame, more := frames.Next()
		switch {
		case frame.Function == "runtime.gopanic":
			panicking = true
		case panicking && !strings.HasPrefix(frame.Function, "runtime."):
			return strings.HasPrefix(frame.Function, "go.etcd.io/bbolt")
		}
		if !more {
			return false
		}
	}
}
