package tty

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/charmbracelet/x/term"
)

// patience is how long the rest of a sequence is waited for. Bytes that a
// terminal writes at once arrive together but for the cut; a person who presses
// escape waits as long.
const patience = 20 * time.Millisecond

// Input is a terminal whose reads end between keys.
type Input struct {
	*os.File
	held  []byte // the beginning of a letter
	ready func(file *os.File, within time.Duration) bool
}

// Wrap returns a reader of whole keys. Readers that are no files come back as
// they are, as do files of systems whose consoles hand over keys.
func Wrap(r io.Reader) io.Reader {
	file, ok := r.(*os.File)
	if !ok || !pollable {
		return r
	}
	return &Input{File: file, ready: ready}
}

// Open returns the terminal that the person types into: the standard input, or
// else the controlling terminal. close is to be called once nothing reads it.
func Open() (file *os.File, close func(), err error) {
	if term.IsTerminal(os.Stdin.Fd()) || !pollable {
		return os.Stdin, func() {}, nil
	}
	file, err = os.Open("/dev/tty")
	if err != nil {
		return nil, nil, fmt.Errorf("no terminal to type into: %w", err)
	}
	return file, func() { _ = file.Close() }, nil
}

// Read reads bytes up to the end of a key. It leaves the last byte of p
// empty, since a full read is taken for one that goes on. It may return 0 bytes
// while half a letter is held; an escape sequence that breaks off is given out as it
// is, because the first key of it was escape.
func (in *Input) Read(p []byte) (int, error) {
	if len(p) < 2 {
		return in.File.Read(p)
	}
	p = p[:len(p)-1]
	n := copy(p, in.held)
	in.held = in.held[:0]
	for {
		more, err := in.File.Read(p[n:])
		n += more
		end, half := wholeEnd(p[:n])
		switch {
		case err != nil || end == n:
			return n, err
		case in.ready(in.File, patience):
			if n < len(p) {
				continue
			}
			if end == 0 { // no key is as long
				return n, nil
			}
		case !half:
			return n, nil
		}
		in.held = append(in.held, p[end:n]...)
		return end, nil
	}
}
