package record

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"dowse/indexer/document"
)

// maxDepth is how deep values lie within a record at most; what is deeper is a program's.
const maxDepth = 64

// readArray reads an array of objects, a record each.
func readArray(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	tokens := newTokens(text)
	if t, err := tokens.Token(); err != nil || t != json.Delim('[') {
		return nil, document.ErrOther
	}
	w := newWriter(in, text)
	if err := records(ctx, tokens, w, 0); err != nil {
		return nil, err
	}
	if _, err := tokens.Token(); err != nil { // the end of the array
		return nil, document.ErrOther
	}
	if _, err := tokens.Token(); err != io.EOF {
		return nil, document.ErrOther
	}
	return w.document("json"), nil
}

// readLines reads objects one after the other.
func readLines(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	w := newWriter(in, text)
	if err := records(ctx, newTokens(text), w, 0); err != nil {
		return nil, err
	}
	return w.document("jsonl"), nil
}

func newTokens(text string) *json.Decoder {
	tokens := json.NewDecoder(strings.NewReader(text))
	tokens.UseNumber()
	return tokens
}

// records writes the objects that come until the end of the array or of the file; tokens begin
// at an offset of the source. The error is document.ErrOther where something else comes.
func records(ctx context.Context, tokens *json.Decoder, w *writer, offset int) error {
	for number := 1; tokens.More(); number++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		start := beginning(w.source, offset+int(tokens.InputOffset()))
		names, cells, err := object(tokens)
		if err != nil {
			return document.ErrOther
		}
		w.data(start, document.Part{Unit: document.Record, Number: number}, names, cells)
	}
	return nil
}

// beginning returns where the next value stands behind an offset.
func beginning(source string, offset int) int {
	rest := source[offset:]
	return offset + len(rest) - len(strings.TrimLeft(rest, " \t\r\n,"))
}

// level is an object or an array that is open.
type level struct {
	path  string // of its values, "address." or "tags"
	array bool
	key   string // of the value that comes; "" where a key comes
	named bool   // a key was read
}

// object reads one, its values by their names: those within others are named by their path, "address.city", those
// of arrays by that of the array.
func object(tokens *json.Decoder) (names, cells []string, err error) {
	t, err := tokens.Token()
	if err != nil || t != json.Delim('{') {
		return nil, nil, document.ErrOther
	}
	stack := []level{{}}
	for len(stack) > 0 {
		t, err := tokens.Token()
		if err != nil {
			return nil, nil, err
		}
		top := &stack[len(stack)-1]
		if key, ok := t.(string); ok && !top.array && !top.named {
			top.key, top.named = key, true
			continue
		}
		name := top.path
		if !top.array {
			name += top.key
		}
		top.named = false
		switch t := t.(type) {
		case json.Delim:
			if t == '}' || t == ']' {
				stack = stack[:len(stack)-1]
				continue
			}
			if len(stack) == maxDepth {
				return nil, nil, document.ErrOther
			}
			next := level{path: name, array: t == '['}
			if !next.array && name != "" {
				next.path += "."
			}
			stack = append(stack, next)
		default:
			if cell := scalar(t); cell != "" {
				names, cells = append(names, name), append(cells, cell)
			}
		}
	}
	return names, cells, nil
}

// scalar returns a value as text; nothing is "".
func scalar(t json.Token) string {
	switch t := t.(type) {
	case string:
		return t
	case json.Number:
		return t.String()
	case bool:
		if t {
			return "true"
		}
		return "false"
	}
	return ""
}
