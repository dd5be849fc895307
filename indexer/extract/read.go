package extract

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/logs"
	"dowse/indexer/nofollow"
	"dowse/indexer/paths"
	"dowse/indexer/skip"
	"dowse/indexer/stamp"
)

// defaultMaxBytes is the size above which a file is not read: the largest novels
// have 4 MB, and what is larger is data.
const defaultMaxBytes = 16 << 20

// Options bound what is read, and say what is known of it.
type Options struct {
	MaxBytes int64 // 0 means defaultMaxBytes
	Judged   *Judged
	// Encodings are those of old text files, by the folders that these lie below.
	Encodings Encodings
	// Secrets has files read that hold private keys, passwords or access tokens.
	Secrets bool
	// Browsers are files and folders. The history and the bookmarks in them are read.
	Browsers []string
}

// input returns an Input with what the options say of a file.
func (o Options) input(path string, data []byte, size int64) *document.Input {
	in := document.NewInput(path, data, document.LimitsOf(size))
	in.Encoding, in.Secrets, in.Browsers = o.Encodings.Of(path), o.Secrets, paths.WithinAny(path, o.Browsers)
	return in
}

// Limit returns the size above which a file is not read, as far as its name tells. Where it has no
// ending its beginning tells, as of mailboxes.
func (o Options) Limit(path string) int64 {
	f := namedFormat(path)
	switch {
	case f == nil && filepath.Ext(path) == "":
		return math.MaxInt64
	case f == nil && logs.Named(path):
		return max(o.limitOf(f), logs.MaxBytes)
	}
	limit, ext := o.limitOf(f), document.Extension(path)
	for i := range Formats {
		if slices.Contains(Formats[i].Among, ext) {
			limit = max(limit, Formats[i].MaxBytes)
		}
	}
	return limit
}

// limitOf returns the limit of files of a Format; nil is text.
func (o Options) limitOf(f *document.Format) int64 {
	limit := o.MaxBytes
	if limit <= 0 {
		limit = defaultMaxBytes
	}
	switch {
	case f == nil:
		return limit
	case f.Sparse:
		return math.MaxInt64
	}
	return max(limit, f.MaxBytes)
}

// sparseBytes is what is read of a file in parts, as a rule.
const sparseBytes = 64 << 10

// Cost returns how many bytes of a file of some size are read, as far as its name tells.
func Cost(path string, size int64) int64 {
	switch f := namedFormat(path); {
	case f == nil && logs.Named(path):
		return min(size, logs.Most)
	case f == nil:
		return size
	case f.Sparse:
		return min(size, sparseBytes)
	case f.Streamed:
		return min(size, int64(document.DefaultLimits.Text))
	}
	return size
}

// Expected returns how many bytes of text a file of some size gives as a rule, and seldom
// more, as far as its name tells.
func Expected(path string, size int64) int64 {
	if f := namedFormat(path); f != nil && f.Share > 0 {
		return int64(f.Share * float64(size))
	}
	return Cost(path, size)
}

// File reads a file and extracts its text, without outside programs: somebody waits for it. The error
// is a *skip.Error.
func File(path string, opts Options) (*document.Document, error) {
	s, err := Open(path, opts)
	if err != nil {
		return nil, err
	}
	defer s.Close() //nolint:errcheck // nothing is written through it
	return s.Document(document.WithoutPrograms(context.Background()))
}

// Source is a file of which the bytes are at hand, or, where it is read in parts, that is open.
type Source struct {
	Info    fs.FileInfo // what the system knew of it when it was opened
	Changed int64       // when its inode was changed, or that of a write-ahead log beside it (see package stamp)
	Settled bool        // each change since then gives them other times

	path   string
	opts   Options
	format *document.Format // nil of text
	data   []byte           // all of it, or its beginning
	file   *os.File         // of a Format that reads in parts, nil of others
	log    *log             // of a log, nil of others
	side   *os.File         // of a Format with Beside, where such a file is there
	read   int64            // bytes that were read

	// Of a Format with Grows: what was read of the file before, how many bytes the proof is of, and the proof.
	before *document.Document
	known  int64
	proof  *LogState
}

// Close ends the use of a Source.
func (s *Source) Close() error {
	if s.file == nil {
		return nil
	}
	if s.side == nil {
		return s.file.Close()
	}
	return errors.Join(s.file.Close(), s.side.Close())
}

// Document extracts the text of the file. The error is a *skip.Error, of which a cancelled ctx
// may be the cause.
func (s *Source) Document(ctx context.Context) (*document.Document, error) {
	if s.log != nil {
		return logDocument(s.path, s.data, s.log.from, s.log.state.Above), nil
	}
	if s.file == nil {
		return bytesOf(ctx, s.format, s.path, s.data, s.opts)
	}
	f := s.format
	if f.Grows {
		return s.grownDocument(ctx, f)
	}
	d, err := converted(ctx, f, s.input())
	if !errors.Is(err, document.ErrOther) {
		return d, err
	}
	if isHopeless(s.data) {
		return nil, noText(s.path, s.data)
	}
	size := s.Info.Size()
	if limit := s.opts.limitOf(nil); size > limit {
		return nil, tooLarge(s.path, size, limit)
	}
	data, err := io.ReadAll(io.NewSectionReader(s.reader(), 0, size))
	if err != nil {
		return nil, skip.FromOS(s.path, err)
	}
	return Bytes(ctx, s.path, data, s.opts)
}

// input returns what a Format reads of the file.
func (s *Source) input() *document.Input {
	if s.file == nil {
		return document.NewInput(s.path, s.data, document.LimitsOf(int64(len(s.data))))
	}
	in := s.opts.input(s.path, nil, s.Info.Size())
	in.File = &document.File{ReaderAt: s.reader(), Path: s.path, Info: s.Info}
	if s.side != nil {
		in.File.Beside = counted{s.side, &s.read}
	}
	return in
}

// Open returns a regular file as the system knew it when it was opened. A larger file is not
// read, one that begins as no text only there (a folder of programs is looked at again at every
// run), a pipe or device is not waited for, and no part of the path may be a symbolic link. The
// error is a *skip.Error.
func Open(path string, opts Options) (*Source, error) {
	limit := opts.Limit(path)
	f, err := openRegular(path, limit)
	if err != nil {
		return nil, err
	}
	s, err := open(f, path, opts, limit)
	if errors.Is(err, io.EOF) { // it was cut meanwhile, as logs are
		if _, err = f.Seek(0, io.SeekStart); err == nil {
			s, err = open(f, path, opts, limit)
		}
	}
	if err == nil && s.file != nil {
		return s, nil
	}
	if err := errors.Join(err, f.Close()); err != nil {
		if _, told := skip.ReasonOf(err); told {
			return nil, err
		}
		return nil, skip.FromOS(path, err)
	}
	return s, nil
}

// open reads an open file, or its beginning.
func open(f *os.File, path string, opts Options, limit int64) (*Source, error) {
	asked := time.Now()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := admit(path, info, limit); err != nil { // replaced in between
		return nil, err
	}
	s := &Source{Info: info, path: path, opts: opts}
	s.Changed, s.Settled = stamp.Of(path, info, asked)
	head, whole, err := readHead(f, info.Size())
	if err != nil {
		return nil, err
	}
	s.data = head
	format := formatOf(path, head)
	s.format = format
	switch limit = opts.limitOf(format); {
	case whole && isPointer(head):
		return nil, notHere(path)
	case format != nil && format.InParts() && info.Size() <= limit:
		s.file = f
		if format.Beside != "" {
			s.side, _ = openRegular(path+format.Beside, math.MaxInt64) // what cannot be opened is not there
		}
		return s, nil
	case whole: // so short that extraction may tell
		return s, nil
	case format == nil && isHopeless(head):
		return nil, noText(path, head)
	}
	if format == nil || format.Name == "jsonl" {
		if is, err := isLog(f, path, info.Size()); err != nil {
			return nil, err
		} else if is && info.Size() <= max(limit, logs.MaxBytes) {
			return s, s.readLog(f)
		}
	}
	if info.Size() > limit {
		return nil, tooLarge(path, info.Size(), limit)
	}
	if s.data, err = readRest(f, head, info.Size(), limit); err != nil {
		return nil, err
	}
	if int64(len(s.data)) > limit {
		return nil, tooLarge(path, int64(len(s.data)), limit)
	}
	s.read = int64(len(s.data))
	return s, nil
}

// Read returns how many bytes of the file were read.
func (s *Source) Read() int64 { return s.read }

// Look returns what the system knows of a file that Open would open, and reads nothing of
// it. The error is a *skip.Error.
func Look(path string, opts Options) (fs.FileInfo, error) {
	f, err := openRegular(path, opts.Limit(path))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, skip.FromOS(path, err)
	}
	return info, admit(path, info, opts.Limit(path))
}

// openRegular opens a regular file, or the contents for which a link of git-annex stands. The error is
// a *skip.Error.
func openRegular(path string, limit int64) (*os.File, error) {
	at := path
	// Looked at before it is opened, because some devices act on being opened.
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if at, info, err = nofollow.Annexed(path); errors.Is(err, fs.ErrNotExist) {
			return nil, notHere(path)
		}
	}
	if err == nil {
		if err := admit(path, info, limit); err != nil {
			return nil, err
		}
		var f *os.File
		if f, err = nofollow.Open(at); err == nil {
			return f, nil
		}
	}
	if errors.Is(err, nofollow.ErrLink) {
		return nil, &skip.Error{Reason: skip.Symlink, Path: path, Err: err}
	}
	return nil, skip.FromOS(path, err)
}

// admit refuses what is not to be read.
func admit(path string, info fs.FileInfo, limit int64) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return &skip.Error{Reason: skip.Symlink, Path: path}
	case !info.Mode().IsRegular():
		return &skip.Error{Reason: skip.Special, Path: path}
	case info.Size() > limit:
		return tooLarge(path, info.Size(), limit)
	}
	return nil
}

func tooLarge(path string, size, limit int64) error {
	return &skip.Error{Reason: skip.TooLarge, Path: path, Detail: fmt.Sprintf("%d bytes, the limit is %d", size, limit)}
}

// readHead reads the beginning of a file of about size bytes; whole says that it is all.
func readHead(f *os.File, size int64) (head []byte, whole bool, err error) {
	head = make([]byte, min(size+1, headBytes))
	n, err := io.ReadFull(f, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return head[:n], true, nil
	}
	return head[:n], false, err
}

// readRest reads on behind the head of a file of about size bytes, but no more than limit and one byte
// to tell that it has grown.
func readRest(f *os.File, head []byte, size, limit int64) ([]byte, error) {
	data := append(make([]byte, 0, max(size+1, headBytes)), head...)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case err == io.EOF || int64(len(data)) > limit:
			return data, nil
		case err != nil:
			return nil, err
		case len(data) == cap(data):
			grown := make([]byte, len(data), min(int64(2*cap(data)), limit)+1)
			copy(grown, data)
			data = grown
		}
	}
}
