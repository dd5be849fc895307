package media

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"dowse/indexer/document"
	"dowse/indexer/extract/markup"
	"dowse/indexer/extract/ocr"
	"dowse/indexer/nofollow"
)

// Program is asked for the text of a file that it opens by its path: what is to be seen, or what is
// said. The error wraps document.ErrNoReader where it is not installed.
type Program func(ctx context.Context, path string) (string, error)

// Options are what a person has set to read files without words. Any may be nil.
type Options struct {
	Picture Program // says what a picture shows
	Sound   Program // writes down what is spoken, in sounds and videos
}

// shared are the programs of Formats. One runs at a time: a model takes all of the machine.
var shared struct {
	mu   sync.Mutex
	opts Options
	turn chan struct{}
}

func init() { shared.turn = make(chan struct{}, 1) }

// Use says which programs this process has files read by.
func Use(opts Options) {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	shared.opts = opts
}

// part is what one program said.
type part struct {
	heading, text string
	timed         bool // lines may begin with the time at which they are said
}

// programs asks the configured programs. The error is that of one that failed; the texts of others stay.
func (k kind) programs(ctx context.Context, format string, in *document.Input) (found []part, err error) {
	if in.File == nil || !document.Programs(ctx) {
		return nil, nil
	}
	shared.mu.Lock()
	opts := shared.opts
	shared.mu.Unlock()
	if k != pictures {
		text, err := onFile(ctx, in.File, opts.Sound)
		return parts(part{"Transcript", text, true}), err
	}
	description, err := onFile(ctx, in.File, opts.Picture)
	text, failed := letters(ctx, format, in.File)
	return parts(part{"Description", description, false}, part{"Text in the picture", text, false}), errors.Join(err, failed)
}

// parts leaves out those without words.
func parts(all ...part) (some []part) {
	for _, p := range all {
		if hasWord(p.text) {
			some = append(some, p)
		}
	}
	return some
}

func (p *part) write(b *document.Builder) {
	b.Heading(2, p.heading)
	if p.timed && markup.SpokenFrom(p.text) != nil {
		markup.Spoken(b, p.text)
		return
	}
	for paragraph := range strings.SplitSeq(strings.ReplaceAll(p.text, "\r\n", "\n"), "\n\n") {
		b.Paragraph(paragraph)
	}
}

// onFile has a program read a file, if the file that the program opens is the one that is
// open here, before and after. A program that is nil says nothing.
func onFile(ctx context.Context, f *document.File, program Program) (string, error) {
	if program == nil {
		return "", nil
	}
	select {
	case shared.turn <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	defer func() { <-shared.turn }()
	if err := isStill(f); err != nil {
		return "", err
	}
	text, err := program(ctx, f.Path)
	if err != nil {
		return "", failed{err}
	}
	if err := isStill(f); err != nil {
		return "", err
	}
	return text, nil
}

// isStill reports whether what stands at the path of a file is that file, as it was opened. A link
// is not.
func isStill(f *document.File) error {
	now, err := nofollow.Open(f.Path)
	if err != nil {
		return fmt.Errorf("%w: %w", document.ErrChanged, err)
	}
	info, err := now.Stat()
	if err := errors.Join(err, now.Close()); err != nil {
		return fmt.Errorf("%w: %w", document.ErrChanged, err)
	}
	if !os.SameFile(info, f.Info) || !sameState(info, f.Info) {
		return document.ErrChanged
	}
	return nil
}

func sameState(a, b fs.FileInfo) bool {
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// maxImage is the size above which a picture is not looked at for letters.
const maxImage = 64 << 20

// lettered are the formats in which letters can be looked for.
var lettered = []string{"jpeg", "png", "gif", "webp", "tiff"}

// letters returns the text in a picture by OCR, "" where it has none or OCR is off.
func letters(ctx context.Context, format string, f *document.File) (string, error) {
	if !ocr.On() || !slices.Contains(lettered, format) || f.Info.Size() > maxImage {
		return "", nil
	}
	image := make([]byte, f.Info.Size())
	if _, err := f.ReadAt(image, 0); err != nil {
		return "", fmt.Errorf("%w: %w", document.ErrChanged, err)
	}
	text, err := ocr.Text(ctx, image)
	switch {
	case errors.Is(err, document.ErrNoText):
		return "", nil
	case errors.Is(err, ocr.ErrSlow):
		return "", failed{slow{err}}
	case err != nil:
		return "", failed{err}
	}
	return text, nil
}

// slow is a context.DeadlineExceeded with a message of its own.
type slow struct{ error }

func (slow) Is(target error) bool { return target == context.DeadlineExceeded }

// failed is the error of a program.
type failed struct{ error }

func (failed) Is(target error) bool { return target == document.ErrProgram }

func (f failed) Unwrap() error { return f.error }
