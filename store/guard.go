package store

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// errBrokenBefore answers every transaction after one that found the file
// broken.
var errBrokenBefore = fmt.Errorf("%w: found by an earlier transaction", ErrBroken)

// guard runs fn and turns what a damaged file does to bbolt into ErrBroken:
// reading memory that is mapped beyond the end of the file (a fault) and
// panics of bbolt's own assertions. Panics that begin in the caller's
// function are bugs, not damage, and go on.
func guard(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if !isFault(cause) && !beganInBolt() {
			panic(cause)
		}
		err = broken("%s", wordsOf(cause))
	}()
	return fn()
}

// wordsOf tells a person what bbolt met. What the runtime says of it, such as
// the dereference of a nil pointer, means nothing to them.
func wordsOf(cause any) string {
	if _, ok := cause.(runtime.Error); ok {
		return "a page refers to what is not there"
	}
	return fmt.Sprint(cause)
}

// isFault tells a memory fault at a mapped address from other panics: only
// those errors carry an address.
func isFault(cause any) bool {
	err, ok := cause.(error)
	var fault interface{ Addr() uintptr }
	return ok && errors.As(err, &fault)
}

// beganInBolt reports whether the panic being recovered was raised by bbolt. It
// is called from a deferred function, so that the frames of the panic are
// still on the stack: guard's, the runtime's, and then who panicked.
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
