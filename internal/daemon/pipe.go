package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"dowse/engine"
)

// ServePipe answers the calls that come on in, one after the other, by frames on out, until in ends: as a Server does on a
// socket, but for what writes. A call under way ends with in.
func ServePipe(ctx context.Context, service engine.Service, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines := make(chan []byte)
	go func() {
		defer close(lines)
		defer cancel()
		reader := bufio.NewReader(in)
		for {
			line, err := boundedLine(reader, maxCall)
			if err != nil {
				return
			}
			select {
			case lines <- line:
			case <-ctx.Done():
				return
			}
		}
	}()
	enc := json.NewEncoder(out)
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				return nil
			}
			w := &frameWriter{enc: enc, deadline: func(time.Time) error { return nil }, version: version}
			w.answer(ctx, service, line, refuseWrites)
			if w.broken {
				return nil
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// errWrites refuses what other machines may not do.
var errWrites = errors.New("other machines may search and read here, and change nothing")

// refuseWrites refuses calls that change something, or that take an answerer for minutes.
func refuseWrites(c call) error {
	switch c.Op {
	case opHello, opRead, opPeer, opCount, opRank, opTexts:
		return nil
	case opSearch:
		if r := c.Request; r == nil || r.Context == "" && !r.Keep && !r.Answer && len(r.Hosts) == 0 {
			return nil
		}
	}
	return errWrites
}

// errLongLine says that a line is longer than any that dowse writes.
var errLongLine = errors.New("it sends more than is taken of a machine")

// boundedLine reads a line of at most so many bytes.
func boundedLine(r *bufio.Reader, most int) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if line = append(line, part...); len(line) > most {
			return nil, errLongLine
		}
		if err == nil {
			return line, nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
}

// Bounds of what another machine may send for one call.
const (
	mostReply  = 32 << 20 // bytes of a line, and of all lines of a call
	mostFrames = 10_000
)

// Pipe asks a dowse on the other side of a pipe, such as ssh has. It makes one call at a time, and is of no more use once one
// has failed. What it returns comes from another machine: it is bounded, and not yet checked.
type Pipe struct {
	enc      *json.Encoder
	lines    <-chan received
	patience time.Duration // with a machine that says nothing
}

// received is a line, or why there is none.
type received struct {
	line []byte
	err  error
}

// NewPipe speaks with a dowse through its output and input, until done is closed.
func NewPipe(from io.Reader, to io.Writer, done <-chan struct{}) *Pipe {
	lines := make(chan received)
	go func() {
		reader := bufio.NewReader(from)
		for {
			line, err := boundedLine(reader, mostReply)
			select {
			case lines <- received{line, err}:
			case <-done:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return &Pipe{enc: json.NewEncoder(to), lines: lines, patience: ownerPatience}
}

// ErrOtherVersion says that the dowse of the other machine speaks another protocol.
var ErrOtherVersion = errors.New("it has another version of dowse")

// otherVersion says what to do about that.
func otherVersion(there int) error {
	if there > version {
		return fmt.Errorf("%w, a newer one (protocol %d; this one speaks %d): update dowse on this machine", ErrOtherVersion, there, version)
	}
	return fmt.Errorf("%w, an older one (protocol %d; this one speaks %d): update dowse there", ErrOtherVersion, there, version)
}

// IsReply reports whether an error is what the other machine replied, so that it can be asked again.
func IsReply(err error) bool {
	var replied *wireError
	return errors.As(err, &replied)
}

// ErrEnded says that the other side hung up.
var ErrEnded = errors.New("it ended")

// Errors of a machine that is asked.
var (
	errNotDowse  = errors.New("it does not answer as dowse does; a shell there that prints something at its start does so too")
	errNoAnswer  = errors.New("it says nothing")
	errNotUsable = engine.ErrUnfit
)

// Search asks for passages.
func (p *Pipe) Search(ctx context.Context, req engine.Request) (*engine.Result, error) {
	return ask[engine.Result](ctx, p, call{Op: opSearch, Request: &req}, nil)
}

// Read asks for the text of a file.
func (p *Pipe) Read(ctx context.Context, req engine.ReadRequest) (*engine.FileText, error) {
	return ask[engine.FileText](ctx, p, call{Op: opRead, Read: &req}, nil)
}

// do makes a call. Events are passed over.
func (p *Pipe) do(ctx context.Context, what call, _ func(engine.Event), value any) error {
	what.Version = version
	_ = p.enc.Encode(onWire(what)) // where nobody reads it, what comes back says why
	silence := time.NewTimer(p.patience)
	defer silence.Stop()
	size := 0
	for n := range mostFrames {
		var got received
		select {
		case got = <-p.lines:
		case <-silence.C:
			return errNoAnswer
		case <-ctx.Done():
			return ctx.Err()
		}
		silence.Reset(p.patience)
		if errors.Is(got.err, io.EOF) {
			return ErrEnded
		}
		if got.err != nil {
			return got.err
		}
		if size += len(got.line); size > mostReply {
			return errLongLine
		}
		var f frame
		if err := json.Unmarshal(got.line, &f); err != nil {
			if n == 0 {
				return errNotDowse
			}
			return errNotUsable
		}
		switch f = offWire(f); {
		case n == 0 && f.Version == 0:
			return errNotDowse
		case n == 0 && f.Version != version:
			return otherVersion(f.Version)
		case f.Error != "":
			return decodeError(f)
		case f.Done:
			if err := json.Unmarshal(f.Value, value); err != nil {
				return errNotUsable
			}
			restore(value)
			return nil
		}
	}
	return errLongLine
}
