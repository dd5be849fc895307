package mail

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// cutter divides a mailbox into its messages and holds one of them at a time, whatever the size of
// the mailbox.
type cutter struct {
	from  io.ReaderAt
	size  int64
	at    int64  // up to which from was read
	data  []byte // of the message that is cut, and behind it
	whole []byte // what data is of
	start int    // of what was not cut yet
	block int    // bytes that are read at a time
	most  int    // bytes of a message
}

const (
	cutBlock = 1 << 20
	// edgeBytes is what tells, on either side of a line, whether a message begins there.
	edgeBytes = 512
)

func newCutter(from io.ReaderAt, size int64) *cutter {
	return &cutter{from: from, size: size, block: cutBlock, most: maxMessage}
}

// errLong is the error of a message above the limit. The next message can still be read.
var errLong = errors.New("the message is too large")

// next returns a message, which is overwritten by the next one. The error is io.EOF behind the
// last one, errLong, or the reader's.
func (c *cutter) next() ([]byte, error) {
	c.data, c.start = c.data[c.start:], 0 // moved to the front when more is read, not for each of the messages of a block
	long := false
	for scan := 1; ; {
		end, from, sure := c.end(scan)
		switch {
		case sure && end == 0 && len(c.data) == 0:
			return nil, io.EOF
		case sure:
			c.start = end
			if long || end > c.most {
				return nil, errLong
			}
			return c.data[:end], nil
		}
		scan = from
		if len(c.data) > c.most+c.block+edgeBytes { // only its end is looked for
			long = true
			cut := max(0, scan-edgeBytes)
			c.data = append(c.data[:0], c.data[cut:]...)
			scan -= cut
		}
		if err := c.read(); err != nil {
			return nil, err
		}
	}
}

// end looks for the end of the message from an offset on. sure is false where more has to be read,
// and then from is where to look on.
func (c *cutter) end(scan int) (end, from int, sure bool) {
	over := c.at >= c.size
	for {
		i := -1
		if scan < len(c.data) {
			i = bytes.Index(c.data[scan:], []byte("\nFrom "))
		}
		if i < 0 {
			return len(c.data), max(1, len(c.data)-len("\nFrom ")), over
		}
		at := scan + i + 1
		if !over && !c.decides(at) {
			return 0, scan + i, false
		}
		if begins(c.data, at) {
			return at, 0, true
		}
		scan = at
	}
}

// decides reports whether enough was read behind a line to tell whether a message begins there.
func (c *cutter) decides(at int) bool {
	line := bytes.IndexByte(c.data[at:], '\n')
	return line >= 0 && (len(c.data)-at-line > edgeBytes || bytes.IndexByte(c.data[at+line+1:], '\n') >= 0)
}

// read reads the next block.
func (c *cutter) read() error {
	n := int(min(int64(c.block), c.size-c.at))
	old := len(c.data)
	if cap(c.data) < old+n {
		if cap(c.whole) < old+n {
			c.whole = make([]byte, 0, 2*(old+n))
		}
		c.data = append(c.whole[:0], c.data...)
	}
	c.data = c.data[:old+n]
	got, err := c.from.ReadAt(c.data[old:], c.at)
	c.at += int64(got)
	c.data = c.data[:old+got]
	if got == n || err == nil {
		return nil
	}
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("it became shorter while it was read: %w", err)
	}
	return err
}
