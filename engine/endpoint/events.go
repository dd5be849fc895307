package endpoint

import (
	"bufio"
	"errors"
	"io"
)

// eventReader reads the data of server-sent events (HTML standard, section
// 9.2.6): lines end with LF, CR LF or CR; an empty line ends an event; of the
// fields only data counts. An unfinished last event is dropped. Memory stays
// below twice limit.
type eventReader struct {
	in      *bufio.Reader
	limit   int // bytes of an event
	line    []byte
	data    []byte
	given   bool // the event has data, perhaps empty
	afterCR bool // a following LF belongs to the line end
	begun   bool // the first line was read
}

func newEventReader(in *bufio.Reader, limit int) *eventReader {
	return &eventReader{in: in, limit: limit}
}

// errLongEvent refuses an event larger than any reply needs.
var errLongEvent = errors.New("it sent an event that is far larger than an answer")

// next returns the next event's data, valid until the next call; io.EOF after
// the last.
func (r *eventReader) next() ([]byte, error) {
	r.data, r.given = r.data[:0], false
	for {
		if err := r.readLine(); err != nil {
			return nil, err
		}
		if len(r.line) == 0 {
			if r.given {
				return r.data, nil
			}
			continue
		}
		if err := r.take(); err != nil {
			return nil, err
		}
	}
}

// readLine reads a line without its end; the end of the stream ends no line.
func (r *eventReader) readLine() error {
	r.line = r.line[:0]
	for {
		b, err := r.in.ReadByte()
		if err != nil {
			return err
		}
		after := r.afterCR
		r.afterCR = b == '\r'
		switch {
		case b == '\n' && after:
			continue
		case b == '\n' || b == '\r':
			r.cutMark()
			return nil
		}
		if len(r.line) >= r.limit {
			return errLongEvent
		}
		r.line = append(r.line, b)
	}
}

// cutMark removes a byte order mark from the first line.
func (r *eventReader) cutMark() {
	const mark = "\uFEFF"
	if !r.begun && len(r.line) >= len(mark) && string(r.line[:len(mark)]) == mark {
		r.line = r.line[len(mark):]
	}
	r.begun = true
}

// take adds a data line to the event.
func (r *eventReader) take() error {
	const field = "data"
	value := r.line
	if len(value) < len(field) || string(value[:len(field)]) != field {
		return nil // another field, or a comment
	}
	value = value[len(field):]
	if len(value) > 0 {
		if value[0] != ':' {
			return nil // a longer name
		}
		value = value[1:]
	}
	if len(value) > 0 && value[0] == ' ' {
		value = value[1:]
	}
	if len(r.data)+len(value)+1 > r.limit {
		return errLongEvent
	}
	if r.given {
		r.data = append(r.data, '\n')
	}
	r.data, r.given = append(r.data, value...), true
	return nil
}

func drained(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}
