package ocr

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"dowse/indexer/document"
)

// Options say what reads pictures.
type Options struct {
	// Read returns the text in a picture, in a format that tesseract reads or as PNM, a line a
	// line, blank lines between blocks. The error wraps document.ErrNoReader where the program or a
	// language is missing. Nil reads none.
	Read func(ctx context.Context, picture []byte) (string, error)
	// Time is how long a picture may take; 0 means 2 minutes.
	Time time.Duration
	// AtOnce is how many are read at a time; 0 means one for each core.
	AtOnce int
}

// errOff says that the person did not ask for pictures to be read.
var errOff = fmt.Errorf("pictures are not read: %w", document.ErrNoText)

// ErrSlow says that a picture took longer than it may.
var ErrSlow = fmt.Errorf("to find its text took too long: %w", context.DeadlineExceeded)

// reader is Options in use.
type reader struct {
	Options
	slots chan struct{}
}

var current atomic.Pointer[reader]

// Use says what reads the pictures of this process from now on.
func Use(opts Options) {
	if opts.Time <= 0 {
		opts.Time = 2 * time.Minute
	}
	if opts.AtOnce <= 0 {
		opts.AtOnce = runtime.NumCPU()
	}
	current.Store(&reader{opts, make(chan struct{}, opts.AtOnce)})
}

// On reports whether pictures are read.
func On() bool {
	r := current.Load()
	return r != nil && r.Read != nil
}

// Time is how long a picture may take.
func Time() time.Duration {
	if r := current.Load(); r != nil {
		return r.Time
	}
	return 0
}

// AtOnce is how many pictures are read at a time.
func AtOnce() int {
	if r := current.Load(); r != nil {
		return r.AtOnce
	}
	return 0
}

// Text returns the text in a picture: paragraphs, with a blank line between them. One in
// which hardly a word is found gives document.ErrNoText, and so does any where pictures are
// not read (errOff), or not now (document.Programs).
func Text(ctx context.Context, image []byte) (string, error) {
	text, err := Page(ctx, image)
	if err == nil && !telling(text) {
		return "", fmt.Errorf("hardly a word is found in it: %w", document.ErrNoText)
	}
	return text, err
}

// Page is Text for the picture of a page, which may be as good as empty.
func Page(ctx context.Context, image []byte) (string, error) {
	r := current.Load()
	if r == nil || r.Read == nil || !document.Programs(ctx) {
		return "", errOff
	}
	select {
	case r.slots <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	defer func() { <-r.slots }()
	limited, cancel := context.WithTimeout(ctx, r.Time)
	defer cancel()
	text, err := r.Read(limited, image)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case limited.Err() != nil:
		return "", fmt.Errorf("%w: more than %v", ErrSlow, r.Time)
	case err != nil:
		return "", err
	}
	return paragraphs(text), nil
}
