package media

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"

	"dowse/indexer/document"
	"dowse/indexer/extract/markup"
	"dowse/indexer/nofollow"
)

// Program is asked for the text of a file that it opens by its path: what is to be seen, or what is
// said. The error wraps document.ErrNoReader where it is not installed.
type Program func(ctx context.Context, path string) (string, error)

// Options are what a person has set to read files without words. Any may be nil.
type Options struct {
	Picture Program // says what a picture shows
	Sound   Program // writes down what is spoken, in sounds and videos
	// Letters reads what is written in a picture.
	Letters func(ctx context.Context, image []byte) (string, error)
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

// programs asks those that are set. The error is of one that failed; what others said stays.
func (k kind) programs(ctx context.Context, in *document.Input) (found []part, err error) {
	shared.mu.Lock()
	opts := shared.opts
	shared.mu.Unlock()
	if in.File == nil || !in.Programs || opts.Letters == nil && opts.Picture == nil && k == pictures || opts.Sound == nil && k != pictures {
		return nil, nil
	}
	select {
	case shared.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-shared.turn }()
	if k != pictures {
		text, err := onFile(ctx, in.File, opts.Sound)
		return parts(part{"Transcript", text, true}), err
	}
	var all []part
	if opts.Picture != nil {
		text, failed := onFile(ctx, in.File, opts.Picture)
		all, err = append(all, part{"Description", text, false}), failed
	}
	if opts.Letters != nil {
		text, failed := letters(ctx, in.File, opts.Letters)
		all, err = append(all, part{"Text in the picture", text, false}), errors.Join(err, failed)
	}
	return parts(all...), err
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
// open here, before and after.
func onFile(ctx context.Context, f *document.File, program Program) (string, error) {
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

func letters(ctx context.Context, f *document.File, read func(context.Context, []byte) (string, error)) (string, error) {
	if f.Info.Size() > maxImage {
		return "", nil
	}
	image := make([]byte, f.Info.Size())
	if _, err := f.ReadAt(image, 0); err != nil {
		return "", fmt.Errorf("%w: %w", document.ErrChanged, err)
	}
	text, err := read(ctx, image)
	if err != nil {
		return "", failed{err}
	}
	return text, nil
}

// failed is the error of a program.
type failed struct{ error }

func (failed) Is(target error) bool { return target == document.ErrProgram }

func (f failed) Unwrap() error { return f.error }
