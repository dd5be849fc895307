package record

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"dowse/indexer/document"
)

// wrappedShare of a file is what its list of records takes at least, where that stands within
// an object: exports have a version and a date beside it, configurations have many things.
const wrappedShare = 0.7

// isWrapped reports whether a file named .json begins as an object.
func isWrapped(name string, head []byte) bool {
	return document.Extension(name) == "json" && bytes.HasPrefix(blankless(head), []byte("{"))
}

// readWrapped reads an object of which nearly all is an array of objects, a record each: what
// programs export. Its other values come first. The error is document.ErrOther for every other one.
func readWrapped(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	start, end, ok := longArray(text)
	if !ok {
		return nil, document.ErrOther
	}
	w := newWriter(in, text)
	names, cells, err := object(newTokens(text[:start] + "null" + text[end:]))
	if err != nil {
		return nil, document.ErrOther
	}
	w.record(beginning(text, 0), document.Part{}, names, cells)
	tokens := newTokens(text[start:end])
	if _, err := tokens.Token(); err != nil {
		return nil, document.ErrOther
	}
	if err := records(ctx, tokens, w, start); err != nil {
		return nil, err
	}
	return w.document("json"), nil
}

// longArray returns where the array of objects stands that takes most of a file, which is one
// object from its beginning to its end.
func longArray(text string) (start, end int, ok bool) {
	tokens := newTokens(text)
	if t, err := tokens.Token(); err != nil || t != json.Delim('{') {
		return 0, 0, false
	}
	for tokens.More() {
		if _, err := tokens.Token(); err != nil { // the key
			return 0, 0, false
		}
		from := int(tokens.InputOffset())
		var value json.RawMessage
		if err := tokens.Decode(&value); err != nil {
			return 0, 0, false
		}
		rest, isArray := bytes.CutPrefix(value, []byte("["))
		if isArray && bytes.HasPrefix(bytes.TrimSpace(rest), []byte("{")) && float64(len(value)) >= wrappedShare*float64(len(text)) {
			to := int(tokens.InputOffset())
			start, end, ok = from+strings.IndexByte(text[from:to], '['), to, true
		}
	}
	if _, err := tokens.Token(); err != nil || strings.TrimSpace(text[int(tokens.InputOffset()):]) != "" {
		return 0, 0, false
	}
	return start, end, ok
}
