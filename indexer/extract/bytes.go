package extract

import (
	"strings"

	"dowse/indexer/skip"
)

// Bytes extracts the text of a file from its bytes; path is used for its name
// alone. The error is a *skip.Error.
func Bytes(path string, data []byte) (*Document, error) { return bytesJudged(path, data, nil) }

// bytesJudged is Bytes that remembers what it judged.
func bytesJudged(path string, data []byte, judged *Judged) (*Document, error) {
	refuse := func(reason skip.Reason, detail string) (*Document, error) {
		return nil, &skip.Error{Reason: reason, Path: path, Detail: detail}
	}
	if format := binaryFormat(data); format != "" {
		return refuse(skip.Binary, format)
	}
	kind, language := kindOf(path, data)
	d := &Document{Kind: kind, Language: language}
	var ok bool
	if d.Text, d.Charset, d.Plain, ok = decode(data, kind == HTML); !ok {
		return refuse(skip.Binary, "control characters or zero bytes")
	}
	if detail := unreadable(d.Text, kind); detail != "" {
		return refuse(skip.NotText, detail)
	}
	if kind == HTML {
		d.Text, d.lines = readHTML(d.Text)
		d.Plain = false
	} else {
		d.lines = countedLines(d.Text)
	}
	if detail := judged.dataLike(d.Text); detail != "" {
		return refuse(skip.NotText, detail)
	}
	if strings.TrimLeft(d.Text, " \t\r\n\f\v\ufeff\u00a0") == "" {
		return refuse(skip.Empty, "")
	}
	return d, nil
}
