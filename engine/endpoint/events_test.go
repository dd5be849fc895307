package endpoint

import (
	"bufio"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// plainEvents is the standard's own words on the whole of a stream: the twin of
// eventReader.
func plainEvents(text string) []string {
	text = strings.TrimPrefix(text, "\uFEFF")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(text, "\n")
	var events, data []string
	for _, line := range lines[:len(lines)-1] { // the last has no end
		if line == "" {
			if data != nil {
				events = append(events, strings.Join(data, "\n"))
			}
			data = nil
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		if field == "data" {
			data = append(data, strings.TrimPrefix(value, " "))
		}
	}
	return events
}

// readEvents reads all events of a stream.
func readEvents(in io.Reader, limit int) (events []string, err error) {
	r := newEventReader(bufio.NewReaderSize(in, 16), limit)
	for {
		data, err := r.next()
		if err != nil {
			return events, err
		}
		events = append(events, string(data))
	}
}

var eventSeeds = []string{
	"data: one\n\ndata: two\n\n", "data:a\ndata: b\ndata\n\n", ": comment\n\n\ndata:x\r\n\r\n", "data: x\r\rdata: y\r\n\n", "\uFEFFdata: x\n\n",
	"data:  two spaces\n\ndatax: no\n\nid: 1\nevent: e\ndata: z\n\n", "data: cut", "data: cut\n", "\n\n\r\n\r", "data\n\n", "data:\n\n", "data: \uFEFF\n\n", "\xff\xfe\x00\n\n",
}

func TestEvents(t *testing.T) {
	for _, seed := range eventSeeds {
		want := plainEvents(seed)
		for _, in := range []io.Reader{strings.NewReader(seed), iotest.OneByteReader(strings.NewReader(seed))} {
			got, err := readEvents(in, 1000)
			if !errors.Is(err, io.EOF) || !slices.Equal(got, want) {
				t.Errorf("%q: %q, %v; want %q", seed, got, err, want)
			}
		}
	}
	if got, err := readEvents(strings.NewReader("data: 1\n\ndata: 23456\n\n"), 10); !errors.Is(err, errLongEvent) || len(got) != 1 {
		t.Errorf("a long line: %q, %v", got, err)
	}
	if got, err := readEvents(strings.NewReader("data: 1\n\ndata:123\ndata:456\ndata:789\n\n"), 10); !errors.Is(err, errLongEvent) || len(got) != 1 {
		t.Errorf("a long event: %q, %v", got, err)
	}
}

func FuzzEvents(f *testing.F) {
	for _, seed := range eventSeeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := readEvents(iotest.HalfReader(strings.NewReader(text)), len(text)+1)
		if want := plainEvents(text); !errors.Is(err, io.EOF) || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
		r := newEventReader(bufio.NewReader(strings.NewReader(text)), 8)
		for err := error(nil); err == nil; {
			if _, err = r.next(); cap(r.data) > 64 || cap(r.line) > 64 {
				t.Fatalf("%d and %d bytes are held", cap(r.data), cap(r.line))
			}
		}
	})
}

// FuzzReply reads replies of any bytes: it ends, what is emitted is valid and
// bounded, and however it is cut into pieces, the text is the same.
func FuzzReply(f *testing.F) {
	f.Add(delta("Ken wrote ") + delta("grep.") + stops + done)
	f.Add(`{"choices":[{"message":{"content":"Ken."},"finish_reason":"stop"}]}`)
	f.Add(delta("<think>") + delta("hm</think> yes") + done)
	f.Add("data: {\"choices\":[{\"delta\":{\"content\":\"\xff\\ud800\"}}]}\n\n" + done)
	f.Add("<html>")
	f.Add("data: {\"error\":{\"message\":\"no\"}}\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		read := func(in io.Reader) (string, error) {
			p := newPatience(t.Context(), Options{First: 1e12, Whole: 1e12})
			defer p.end()
			var emitted strings.Builder
			o := Options{MaxEvent: 4 << 10, MaxText: 64}.filled()
			w := &writing{options: o, patience: p, emit: func(more string) error { emitted.WriteString(more); return nil }}
			err := w.read(p.watch(in, 1<<20))
			if w.reply.Text != emitted.String() || emitted.Len() > 64 || strings.ToValidUTF8(emitted.String(), "") != emitted.String() {
				t.Errorf("%q emitted, the reply is %q", emitted.String(), w.reply.Text)
			}
			return emitted.String(), err
		}
		whole, first := read(strings.NewReader(text))
		pieces, second := read(iotest.OneByteReader(strings.NewReader(text)))
		if whole != pieces || (first == nil) != (second == nil) {
			t.Errorf("%q: %q, %v at once; %q, %v in pieces", text, whole, first, pieces, second)
		}
	})
}
