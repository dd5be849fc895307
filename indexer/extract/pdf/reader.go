package pdf

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"time"

	"dowse/indexer/document"
)

// Options is what a Reader is made of.
type Options struct {
	// Cache is the folder that keeps what PDFium was compiled to; "" keeps nothing.
	Cache string
	// AtOnce is how many files are read at a time, each in memory of its own; 0 means 2.
	AtOnce int
}

// reader reads PDF files. It may be used by several goroutines.
type reader struct {
	opts  Options
	slots chan struct{} // taken by files that are read

	mu      sync.Mutex
	sandbox *sandbox // nil until the first file
}

// shared is the Reader of Formats.
var shared = openReader(Options{})

// Formats are what package extract reads PDF files by.
var Formats = shared.Formats()

// KeepIn names the folder that keeps what PDFium is compiled to, for the next process. It holds
// for files of the process that are read later, if none was read before.
func KeepIn(dir string) {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	shared.opts.Cache = dir
}

// openReader returns a Reader. It touches nothing yet: PDFium is compiled, or what it was
// compiled to is loaded, when the first file is read.
func openReader(opts Options) *reader {
	if opts.AtOnce <= 0 {
		opts.AtOnce = 2
	}
	return &reader{opts: opts, slots: make(chan struct{}, opts.AtOnce)}
}

// maxBytes is the size above which a file is not read: it lies in the sandbox as a
// whole.
const maxBytes = 256 << 20

// share is how many bytes of text a byte of a file gives: of 49 manuals, papers and forms one
// in twenty gave more, half of them less than an eighth of it.
const share = 0.5

// Formats returns what package extract reads PDF files by.
func (r *reader) Formats() []document.Format {
	return []document.Format{{
		Name:       "pdf",
		Extensions: []string{"pdf"},
		Is:         isPDF,
		Read:       r.read,
		Part:       r.part,
		MaxBytes:   maxBytes,
		Share:      share,
		Slow:       true,
		Paced:      true,
	}}
}

// isPDF looks for the header within the first kilobyte, where readers of PDF accept it;
// some programs put lines of their own before it.
func isPDF(name string, head []byte) bool {
	at := bytes.Index(head[:min(len(head), 1024)], []byte("%PDF-"))
	return at == 0 || at > 0 && len(name) > 4 && name[len(name)-4:] == ".pdf"
}

// read implements document.Format.
func (r *reader) read(ctx context.Context, in *document.Input) (*document.Document, error) {
	var f *file
	err := r.sandboxed(ctx, len(in.Data), document.MaxTime, func(p *instance) (err error) {
		f, err = readFile(p, in)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := r.readScans(ctx, in.Data, f); err != nil {
		return nil, err
	}
	if err := openAttachments(ctx, in, f.attached); err != nil {
		return nil, err
	}
	return write(in.Builder(), f)
}

// sandboxed calls do with an instance for a file of some bytes, when it is its turn, for a time at most.
func (r *reader) sandboxed(ctx context.Context, size int, limit time.Duration, do func(p *instance) error) error {
	select {
	case r.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-r.slots }()
	s, err := r.compiled()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	p, err := s.instance(ctx, pagesFor(size))
	if err != nil {
		return stopped(ctx, err)
	}
	if err := p.using(func() error { return do(p) }); err != nil {
		return stopped(ctx, err)
	}
	return nil
}

// stopped is the error of a file: that its time is over, where that is why.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// compiled returns the sandbox, and makes it where there is none yet.
func (r *reader) compiled() (*sandbox, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sandbox != nil {
		return r.sandbox, nil
	}
	// Not with the time of one file: a compilation that is begun is of use to all.
	s, err := compile(context.Background(), pdfium, r.opts.Cache)
	if err != nil {
		return nil, noReader{fmt.Errorf("PDFium cannot be compiled: %w", err)}
	}
	r.sandbox = s
	return s, nil
}

// noReader makes an error an ErrNoReader, without its words.
type noReader struct{ error }

func (noReader) Is(target error) bool { return target == document.ErrNoReader }
