package extract

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/dustin/go-humanize"

	"dowse/indexer/document"
	"dowse/indexer/encoded"
	"dowse/indexer/extract/dates"
	"dowse/indexer/extract/logs"
	"dowse/indexer/stamp"
)

// A log (package logs) is read from its Window on; of a log that grew, what was appended is. That nothing else changed is
// proved by its first and by its last bytes as they were, and by a hash of all of it whenever it has grown over a multiple of
// logs.Step. That hash alone finds a change in the middle of a log to which lines were appended before the next look.

// LogProof is how many bytes at the beginning of a log, and at the end of what was read of it, are compared.
const LogProof = 4 << 10

// log is a log as far as it was read.
type log struct {
	from  int64         // where the text begins in the file
	above xxhash.Digest // of the bytes above it
	state LogState
}

// LogState is kept with a log beside its text, so that appended lines can be read alone.
type LogState struct {
	Above      int            // lines above the text
	sum        *xxhash.Digest // of all bytes so far
	head, tail uint64         // hashes of the first and of the last LogProof bytes
}

// logStateVersion begins an encoded state.
const logStateVersion = 1

// Append writes a state.
func (s *LogState) Append(dst []byte) []byte {
	dst = binary.AppendUvarint(append(dst, logStateVersion), uint64(s.Above))
	dst = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(dst, s.head), s.tail)
	digest, _ := s.sum.MarshalBinary() // never fails
	return append(dst, digest...)
}

// ReadLogState reads what Append wrote.
func ReadLogState(value []byte) (s LogState, err error) {
	if len(value) == 0 || value[0] != logStateVersion {
		return s, errors.New("the state of a log has another form")
	}
	above, n := binary.Uvarint(value[1:])
	if n <= 0 || above > 1<<40 || len(value) < 1+n+16 {
		return s, errors.New("the state of a log is cut short")
	}
	value = value[1+n:]
	s = LogState{Above: int(above), head: binary.LittleEndian.Uint64(value), tail: binary.LittleEndian.Uint64(value[8:]), sum: xxhash.New()}
	if err := s.sum.UnmarshalBinary(value[16:]); err != nil {
		return s, fmt.Errorf("the hash of a log: %w", err)
	}
	return s, nil
}

// isLog reports whether an open file of some size, which no Format but that of JSON in lines reads, is a log.
func isLog(f *os.File, path string, size int64) (bool, error) {
	if size < logs.Least {
		return false, nil
	}
	head := make([]byte, logs.Head)
	if _, err := f.ReadAt(head, 0); err != nil {
		return false, err
	}
	return isLogData(path, head), nil
}

// isLogData reports whether a file that begins with data is a log.
func isLogData(path string, data []byte) bool {
	if len(data) < logs.Least {
		return false
	}
	head := data[:logs.Head]
	switch kind, _ := kindOf(path, head); {
	case isHopeless(head), isBinary(head):
		return false
	case kind != document.Text && (kind != document.Code || !strings.Contains(filepath.Ext(path), "json")):
		return false
	}
	return logs.Is(path, head) && isNearlyUTF8(head) && dataLike(string(head)) == ""
}

// isNearlyUTF8 reports whether flaws of UTF-8 are rare: what a client sent, or half of a character.
func isNearlyUTF8(data []byte) bool {
	flaws := 0
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			flaws++
		}
		i += n
	}
	return 1000*flaws <= len(data)
}

// readLog reads a log from its window on. What stands above is hashed, and its lines are counted.
func (s *Source) readLog(f *os.File) error {
	l := &log{from: logs.Window(s.Info.Size()), state: LogState{sum: xxhash.New()}}
	above := func(data []byte) {
		_, _ = l.state.sum.Write(data) // never fails
		l.state.Above += bytes.Count(data, []byte{'\n'})
	}
	buffer := make([]byte, 1<<20)
	for at := int64(0); at < l.from; {
		part := buffer[:min(int64(len(buffer)), l.from-at)]
		if _, err := f.ReadAt(part, at); err != nil {
			return err
		}
		above(part)
		at += int64(len(part))
	}
	head, data := make([]byte, LogProof), make([]byte, s.Info.Size()-l.from)
	if _, err := f.ReadAt(head, 0); err != nil {
		return err
	}
	if _, err := f.ReadAt(data, l.from); err != nil {
		return err
	}
	if l.from > 0 {
		rest := logs.FirstLine(data)
		above(data[:rest])
		data, l.from = data[rest:], l.from+int64(rest)
	}
	l.above = *l.state.sum
	_, _ = l.state.sum.Write(data) // never fails
	l.state.head, l.state.tail = xxhash.Sum64(head), xxhash.Sum64(data[len(data)-LogProof:])
	s.data, s.log, s.read = data, l, s.Info.Size()
	return nil
}

// PrefixSum returns what Sum was of a log of size bytes, if no others were changed since; ok is false where it is not known.
func (s *Source) PrefixSum(size int64) (sum uint64, ok bool) {
	if s.log == nil || size < s.log.from || size > s.Info.Size() {
		return 0, false
	}
	hash := s.log.above
	_, _ = hash.Write(s.data[:size-s.log.from]) // never fails
	return hash.Sum64(), true
}

// Log returns the state by which a log is read on later, nil for other files.
func (s *Source) Log() *LogState {
	if s.log == nil {
		return nil
	}
	return &s.log.state
}

// logDocument makes the document of a log, which takes over the data.
func logDocument(path string, data []byte, from int64, above int) *document.Document {
	d := logText(data, from, above)
	dateLog(d)
	d.Meta.Date = dateOfName(path)
	if from > 0 {
		d.Lacking = "the oldest " + humanize.IBytes(uint64(from))
	}
	return d
}

// packedLog makes the document of a log that was unpacked.
func packedLog(path string, data []byte) *document.Document {
	from := int(logs.Window(int64(len(data))))
	if from > 0 {
		from += logs.FirstLine(data[from:])
	}
	return logDocument(path, bytes.Clone(data[from:]), int64(from), bytes.Count(data[:from], []byte{'\n'}))
}

// logText makes a document of a part of a log that begins at a block, at some offset of the file and below some lines.
// It takes over the data.
func logText(data []byte, from int64, above int) *document.Document {
	d := &document.Document{Kind: document.Log, Charset: utf8Name, Plain: from == 0, Cuts: logs.Cuts(data, from)}
	start := 0
	for _, end := range append(d.Cuts[:len(d.Cuts):len(d.Cuts)], len(data)) {
		logs.Clean(data[start:end])
		mask(data[start:end])
		start = end
	}
	d.Text = string(data)
	d.CountLinesBelow(above)
	return d
}

// mask puts asterisks in the place of the tokens and keys of a block, since what is cut out of other texts cannot be
// cut out of one that is read on.
func mask(block []byte) {
	for _, r := range encoded.Secrets(string(block)) {
		for i := r.Start; i < r.End; i++ {
			if block[i] != '\n' {
				block[i] = '*'
			}
		}
	}
}

// dateLog notes of when the lines of a log are. Each block is looked at by itself, so that appended lines change nothing of those
// before.
func dateLog(d *document.Document) {
	start := 0
	var last time.Time
	for _, end := range append(d.Cuts[:len(d.Cuts):len(d.Cuts)], len(d.Text)) {
		for _, m := range logMarks(d.Text[start:end]) {
			if !sameHour(last, m.date) {
				last = m.date
				d.Entries = append(d.Entries, document.Entry{Offset: start + m.offset, Meta: document.Meta{Date: last}})
			}
		}
		start = end
	}
}

// logMarks returns the lines of a block that begin with the time of another hour than the one before.
func logMarks(block string) (marks []mark) {
	s := journalScanner{text: block, lines: true}
	s.scan(false)
	for _, m := range s.marks {
		if m.level == levelLine && !m.date.IsZero() {
			marks = append(marks, m)
		}
	}
	return marks
}

// sameHour reports whether two times are of one hour, in whatever zones: lines of a log that are, and follow each other,
// are one entry.
func sameHour(a, b time.Time) bool {
	const hour = 3600
	return a.Unix()/hour == b.Unix()/hour && (a.Location() == dates.Clock) == (b.Location() == dates.Clock)
}

// Grown is the end of a log to which lines were appended: its last block as it was indexed, and what follows.
type Grown struct{ *Source }

// Text returns the document of the end alone.
func (g *Grown) Text() *document.Document {
	d := logText(g.data, g.log.from, 0)
	dateLog(d)
	return d
}

// OpenGrown reads the end of a log of which size bytes are indexed, from its last block on, which begins at from. It
// returns nil where what is indexed may have changed, or another part of the log is to be read now: then all of it is to be read.
func OpenGrown(path string, opts Options, size, from int64, state LogState) (*Grown, error) {
	asked := time.Now()
	f, err := openRegular(path, opts.Limit(path))
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // nothing is written through it
	info, err := f.Stat()
	if err != nil || info.Size() <= size || info.Size()/logs.Step != size/logs.Step || from > size {
		return nil, err
	}
	head := make([]byte, LogProof)
	start := min(from, size-LogProof)
	data := make([]byte, info.Size()-start)
	if _, err = f.ReadAt(head, 0); err == nil {
		_, err = f.ReadAt(data, start)
	}
	if errors.Is(err, io.EOF) {
		return nil, nil // it was cut meanwhile
	}
	if err != nil {
		return nil, err
	}
	known := size - start
	if xxhash.Sum64(head) != state.head || xxhash.Sum64(data[known-LogProof:known]) != state.tail {
		return nil, nil
	}
	s := &Source{Info: info, Changed: stamp.Changed(info), Settled: stamp.Settled(info, asked), path: path, opts: opts, data: data[from-start:], read: int64(len(head) + len(data)), log: &log{from: from, state: state}}
	_, _ = state.sum.Write(data[known:]) // never fails
	s.log.state.tail = xxhash.Sum64(data[len(data)-LogProof:])
	return &Grown{s}, nil
}

// LogText reads a log of which size bytes are indexed, from the byte at which its text begins, below so many lines.
func LogText(path string, opts Options, size, from int64, above int) (*document.Document, error) {
	f, err := openRegular(path, opts.Limit(path))
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // nothing is written through it
	data, err := io.ReadAll(io.NewSectionReader(f, from, size-from))
	if err != nil {
		return nil, err
	}
	return logText(data, from, above), nil
}
