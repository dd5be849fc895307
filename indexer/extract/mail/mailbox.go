package mail

import (
	"bytes"
	"context"
	"errors"
	"io"

	"dowse/indexer/document"

	"github.com/dustin/go-humanize"
)

// readMailbox reads a file of messages, each behind a separator. Where they hold more text than
// is read of a file, the last ones are kept: mail is added at the end.
func readMailbox(ctx context.Context, in *document.Input) (*document.Document, error) {
	from, size := in.At()
	cut := newCutter(from, size)
	kept := newNewest(in)
	for number := 1; ; number++ {
		message, err := cut.next()
		switch {
		case errors.Is(err, io.EOF) && number == 1, err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, errLong):
			return nil, err
		case errors.Is(err, io.EOF):
			d := kept.document(number - 1)
			if d.Text == "" && kept.tooLong > 0 {
				return nil, document.Bounds(humanize.IBytes(maxMessage) + " of a message")
			}
			return d, nil
		case err != nil:
			kept.tooLong++
			continue
		}
		p := newPart(message, "text/plain")
		p.body = unescaped(p.body)
		if err := kept.add(ctx, &p, number); err != nil {
			return nil, err
		}
	}
}

// begins reports whether a message begins at the line "From ..." that stands at an
// offset: a separator, or an empty line before, and a field after it. A sentence may begin so, too.
func begins(data []byte, at int) bool {
	line, rest, _ := bytes.Cut(data[at:], []byte("\n"))
	before := data[:at]
	blank := bytes.HasSuffix(before, []byte("\n\n")) || bytes.HasSuffix(before, []byte("\n\r\n"))
	if !blank && !separator.Match(line[:min(len(line), 200)]) {
		return false
	}
	next, _, _ := bytes.Cut(rest, []byte("\n"))
	name, _, colon := bytes.Cut(next[:min(len(next), 200)], []byte(":"))
	return colon && isFieldName(name) || bytes.HasPrefix(next, []byte(">From "))
}

// unescaped undoes what keeps lines of a text from being separators, ">From ".
func unescaped(body []byte) []byte {
	if rest, found := bytes.CutPrefix(body, []byte(">From ")); found {
		body = append([]byte("From "), rest...)
	}
	return bytes.ReplaceAll(body, []byte("\n>From "), []byte("\nFrom "))
}
