package extract

import (
	"context"
	"errors"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/htmltext"
	"dowse/indexer/frontmatter"
	"dowse/indexer/secret"
	"dowse/indexer/skip"
)

// Bytes extracts the text of a file from its bytes; path is used for its name and for what opts say of its folder. The error
// is a *skip.Error.
func Bytes(ctx context.Context, path string, data []byte, opts Options) (*document.Document, error) {
	return bytesOf(ctx, formatOf(path, data), path, data, opts)
}

// bytesOf is Bytes of a file whose Format is known, nil of text.
func bytesOf(ctx context.Context, f *document.Format, path string, data []byte, opts Options) (*document.Document, error) {
	encoding := opts.Encodings.Of(path)
	found := secret.Of(path, data)
	if found.Reason != "" && !(opts.Secrets && found.Reason.IsSecret()) {
		return nil, &skip.Error{Reason: found.Reason, Path: path, Detail: found.Detail}
	}
	d, err := func() (*document.Document, error) {
		if f != nil {
			if d, err := converted(ctx, f, opts.input(path, data, int64(len(data)))); !errors.Is(err, document.ErrOther) {
				return d, err
			}
		}
		d, err := text(path, data, encoding, opts.Judged)
		if err == nil {
			dateDocument(path, d)
		}
		return d, err
	}()
	if err == nil && found.Reason != "" {
		d.Secret = true
	}
	return d, err
}

// text reads a file that is text. encoding names that of old text, "" where its letters tell.
func text(path string, data []byte, encoding string, judged *Judged) (*document.Document, error) {
	refuse := func(reason skip.Reason, detail string) (*document.Document, error) {
		return nil, &skip.Error{Reason: reason, Path: path, Detail: detail}
	}
	if binaryFormat(data) != "" {
		return nil, noText(path, data)
	}
	kind, language := kindOf(path, data)
	d := &document.Document{Kind: kind, Language: language}
	var ok bool
	if d.Text, d.Charset, d.Plain, ok = decode(data, kind == document.HTML, encoding); !ok {
		return refuse(skip.Binary, "control characters or zero bytes")
	}
	switch kind {
	case document.Markdown:
		fields := frontmatter.Read(d.Text).Fields
		for _, f := range fields {
			note(&d.Meta, f.Name, f.Values)
		}
		if len(fields) == 0 {
			noteProperties(&d.Meta, path, d.Text)
		}
	case document.HTML:
		d.Meta = htmlMeta(d.Text)
		noteLinked(&d.Meta, d.Text[:min(len(d.Text), maxHTMLHead)])
	}
	if kind == document.HTML {
		var marks []document.LineMark
		d.Text, marks = htmltext.Read(d.Text)
		d.MarkLines(marks)
		d.Plain = false
	} else {
		d.CountLines()
	}
	if kind == document.Markdown {
		d.Cut(signsOfApps(d.Text))
	}
	if d.CutEncoded() > 0 && isBlank(strings.NewReplacer(document.Omission, "", "[", "", "]", "", ",", "").Replace(d.Text)) {
		return refuse(skip.NotText, "encoded data")
	}
	if kind != document.HTML && path != document.Bare && isOneLine(d) { // lines of HTML mean nothing
		if detail := inLines(d); detail != "" {
			return refuse(skip.NotText, detail)
		}
	}
	if detail := judged.dataLike(d.Text); detail != "" {
		return refuse(skip.NotText, detail)
	}
	if isBlank(d.Text) {
		return refuse(skip.Empty, "")
	}
	return d, nil
}

// isBlank reports whether a text is nothing but white space.
func isBlank(text string) bool {
	return strings.TrimLeft(text, " \t\r\n\f\v\ufeff\u00a0") == ""
}
