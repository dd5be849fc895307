package extract

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/indexer/secret"
	"dowse/indexer/skip"

	"github.com/dustin/go-humanize"
)

// slowest is how many bytes of a large file, such as a mailbox, may take a second more.
const slowest = 4 << 20

// converted takes the text out of a file by its Format. The error is a *skip.Error.
func converted(ctx context.Context, f *document.Format, in *document.Input) (*document.Document, error) {
	_, size := in.At()
	if !f.Sparse && !f.Paced { // what Sparse ones read is bounded, and programs have a time of their own
		limited, cancel := context.WithTimeout(ctx, document.MaxTime+time.Duration(size/slowest)*time.Second)
		defer cancel()
		ctx = limited
	}
	in.Inner = inner
	d, err := guarded(ctx, f, in)
	if err != nil {
		return nil, refusal(f, in.Name, err)
	}
	if d.Kind == document.Log {
		return d, nil
	}
	d.Lack(in.Unmet())
	if d.CutEncoded() > 0 {
		d.State = nil
	}
	held := in.Held()
	d.Secret = len(held) > 0
	if !in.Secrets {
		d.Secret = false
		for _, what := range held {
			d.Lack(what)
		}
	}
	if isBlank(d.Text) && len(held) > 0 {
		return nil, &skip.Error{Reason: skip.Reason(held[0]), Path: in.Name, Detail: f.Name}
	}
	if isBlank(d.Text) {
		return nil, &skip.Error{Reason: skip.Empty, Path: in.Name, Detail: f.Name}
	}
	if repeatsItself(d.Text) {
		return nil, &skip.Error{Reason: skip.NotText, Path: in.Name, Detail: f.Name + ", repeats itself"}
	}
	d.Slow = f.Slow || size >= slowBytes
	dateDocument(in.Name, d)
	return d, nil
}

// slowBytes is the size from which a file of any Format is slow to read again: a search
// reads some twenty files, and formats of zip and XML are read at 20 MB/s. A size is
// the same on every machine, which a measured time is not.
const slowBytes = 64 << 10

// inner is what Formats open files within files by.
func inner(ctx context.Context, in *document.Input) (*document.Document, error) {
	if err := checkSecrets(in); err != nil {
		return nil, err
	}
	f := formatOf(in.Name, in.Data)
	if in.Piped != nil && (f == nil || !f.Piped) {
		return nil, fmt.Errorf("%s: %w", in.Name, document.Bounds(humanize.IBytes(defaultMaxBytes)+" of a member"))
	}
	if f != nil {
		if d, err := guarded(ctx, f, in); !errors.Is(err, document.ErrOther) {
			if err == nil {
				dateDocument(in.Name, d)
			}
			return d, err
		}
	}
	if in.Piped != nil {
		return nil, document.ErrUnknown
	}
	if in.Only() && isLogData(in.Name, in.Data) {
		return packedLog(in.Name, in.Data), nil
	}
	data := in.Data
	if n := textEnd(data); n < len(data) {
		_ = in.Meet(humanize.IBytes(defaultMaxBytes) + " of a text that is packed")
		data = data[:n]
	}
	d, err := text(in.Name, data, in.Encoding, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", document.ErrUnknown, err)
	}
	dateDocument(in.Name, d)
	return d, nil
}

// checkSecrets looks whether a file within another one holds secrets, or is encrypted, and returns why it is left out.
func checkSecrets(in *document.Input) error {
	if in.Name == document.Bare { // of a file that was looked at
		return nil
	}
	found := secret.Of(in.Name, in.Data)
	switch found.Reason {
	case skip.Encrypted:
		return fmt.Errorf("%s: %w", found.Detail, document.ErrEncrypted)
	case "":
		return nil
	}
	in.Hold(string(found.Reason))
	if in.Secrets {
		return nil
	}
	return fmt.Errorf("%w: %w", document.ErrUnknown, &skip.Error{Reason: found.Reason, Path: in.Name, Detail: found.Detail})
}

// textEnd returns where a text ends that is read as far as a file of text may be long: behind a line.
func textEnd(data []byte) int {
	if len(data) <= defaultMaxBytes {
		return len(data)
	}
	end := bytes.LastIndexByte(data[:defaultMaxBytes], '\n')
	if end < defaultMaxBytes/2 {
		end = defaultMaxBytes
		for end > 0 && !utf8.RuneStart(data[end]) {
			end--
		}
	}
	if bytes.IndexByte(data[:headBytes], 0) >= 0 { // UTF-16: line ends have two bytes
		end &^= 3
	}
	return end
}

// guarded calls a Format. One that panics has met a file that its author did not
// think of, which is no reason for the others not to be indexed.
func guarded(ctx context.Context, f *document.Format, in *document.Input) (d *document.Document, err error) {
	defer func() {
		if r := recover(); r != nil {
			d, err = nil, fmt.Errorf("reading it as %s failed: %v", f.Name, r)
		}
	}()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return f.Read(ctx, in)
}

// refusal says why a file has no text.
func refusal(f *document.Format, path string, err error) *skip.Error {
	reason := skip.Damaged
	var left *skip.Error
	switch {
	case errors.As(err, &left): // of what the Format read as text
		return &skip.Error{Reason: left.Reason, Path: path, Detail: left.Detail, Err: left.Err}
	case errors.Is(err, document.ErrEncrypted):
		reason = skip.Encrypted
	case errors.Is(err, document.ErrBrowser):
		return &skip.Error{Reason: skip.Browser, Path: path, Detail: "extract.browsers in the settings names those that are indexed", Err: err}
	case errors.Is(err, document.ErrOld):
		return &skip.Error{Reason: skip.OldOffice, Path: path, Detail: newFormats[f.Name], Err: err}
	case errors.Is(err, document.ErrNoText):
		reason = skip.NoText
	case errors.Is(err, document.ErrNoReader):
		reason = skip.NoReader
	case errors.Is(err, document.ErrBounds):
		return &skip.Error{Reason: skip.TooLarge, Path: path, Detail: f.Name + ", more than " + cmp.Or(document.Met(err), "is read of one file"), Err: err}
	case errors.Is(err, context.DeadlineExceeded):
		reason = skip.TooLong
	case errors.Is(err, document.ErrPicture):
		reason = skip.Picture
	case errors.Is(err, document.ErrSound):
		reason = skip.Sound
	case errors.Is(err, document.ErrVideo):
		reason = skip.Video
	case errors.Is(err, document.ErrChanged), errors.Is(err, context.Canceled):
		reason = skip.Unreadable
	}
	return &skip.Error{Reason: reason, Path: path, Detail: f.Name, Err: err}
}
