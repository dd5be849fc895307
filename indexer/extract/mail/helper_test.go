package mail

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"dowse/indexer/document"
)

// read takes out the text of a file as the indexer would, with an inner reader that knows text,
// and HTML as text with its tags taken away.
func read(name string, data string) (*document.Document, error) {
	return readWithin(name, data, document.DefaultLimits)
}

func readWithin(name, data string, limits document.Limits) (*document.Document, error) {
	in := document.NewInput(name, []byte(data), limits)
	in.Inner = func(ctx context.Context, in *document.Input) (*document.Document, error) {
		for i := range Formats {
			if f := &Formats[i]; f.Is(in.Name, in.Data[:min(len(in.Data), 4<<10)]) {
				return f.Read(ctx, in)
			}
		}
		in.Name = strings.ToLower(in.Name)
		switch {
		case strings.HasSuffix(in.Name, ".html"):
			d := document.FromText(strings.NewReplacer("<h1>", "# ", "</h1>", "\n\n", "<p>", "", "</p>", "\n\n", "&nbsp;", " ", "<html>", "", "</html>", "").Replace(string(in.Data)), document.HTML)
			return d, nil
		case strings.HasSuffix(in.Name, ".rtf"):
			return document.FromText(strings.NewReplacer(`{\rtf1\ansi`, "", `{\b `, "", "}", "", `\par`, "").Replace(string(in.Data)), document.HTML), nil
		case strings.HasSuffix(in.Name, ".txt"), strings.HasSuffix(in.Name, ".text"), strings.HasSuffix(in.Name, ".ics"):
			return document.FromText(strings.ToValidUTF8(string(in.Data), "\ufffd"), document.Text), nil
		case strings.HasSuffix(in.Name, ".locked"):
			return nil, fmt.Errorf("a: %w", document.ErrEncrypted)
		}
		return nil, document.ErrUnknown
	}
	for i := range Formats {
		if f := &Formats[i]; f.Is(name, in.Data[:min(len(data), 4<<10)]) {
			return f.Read(context.Background(), in)
		}
	}
	return nil, document.ErrUnknown
}

// mustRead is read of a file that is good.
func mustRead(t *testing.T, name, data string) *document.Document {
	t.Helper()
	d, err := read(name, data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return d
}

// crlf writes a message as it travels.
func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
