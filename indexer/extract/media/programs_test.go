package media

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/ocr"
)

// open writes a file into a folder and opens it as the indexer does.
func open(t *testing.T, name string, data []byte) *document.Input {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	in := document.NewInput(path, nil, document.DefaultLimits)
	in.File = &document.File{ReaderAt: f, Path: path, Info: info}
	return in
}

// ask reads a file with programs set.
func ask(t *testing.T, in *document.Input, opts Options) (*document.Document, error) {
	t.Helper()
	Use(opts)
	t.Cleanup(func() { Use(Options{}) })
	head := make([]byte, 4096)
	n, _ := in.File.ReadAt(head, 0)
	for _, f := range Formats {
		if f.Is(in.Name, head[:n]) {
			return f.Read(context.Background(), in)
		}
	}
	t.Fatalf("%s is of no format", in.Name)
	return nil, nil
}

func says(text string) Program {
	return func(context.Context, string) (string, error) { return text, nil }
}

func TestTranscriptsHavePlaces(t *testing.T) {
	long := strings.Repeat("Of many things that are said there is one more, ", 10) + "and that is all."
	const last = "Slate is split by hand."
	for text, places := range map[string][]string{
		"[00:00.000 --> 09:14.000]  " + long + "\n[10:05.000 --> 10:20.000]  " + last + "\n":                     {"time 00:00:00", "time 00:10:05"},
		"00:00:02 " + long + "\n1:10:05 " + last + "\n":                                                          {"time 00:00:02", "time 1:10:05"},
		"[00:00:00] " + strings.Replace(long, ", ", ",\n", 1) + "\n[00:10:05]: " + last + "\n":                   {"time 00:00:00", "time 00:10:05"},
		"WEBVTT\n\n1\n00:00.000 --> 00:04.000\n" + long + "\n\n2\n00:10:05.000 --> 00:10:20.000\n" + last + "\n": {"time 00:00:00", "time 00:10:05"},
		"1\n00:00:00,000 --> 00:00:04,000\n" + long + "\n\n2\n00:10:05,000 --> 00:10:20,000\n" + last + "\n":     {"time 00:00:00", "time 00:10:05"},
		long + "\n10:05 is when it began.\n\n" + last:                                                            nil,
	} {
		d, err := ask(t, open(t, "talk.mp3", []byte("\xff\xfb\x90\x00")), Options{Sound: says(text)})
		if err != nil {
			t.Errorf("%.40q: %v", text, err)
			continue
		}
		var got []string
		for _, p := range d.Places {
			got = append(got, document.Label(p.Parts))
		}
		got = slices.Compact(got) // the headings are placed, too
		if !slices.Equal(got, places) || !strings.HasPrefix(d.Text, "# talk\n\n## Transcript\n\nOf many") || !strings.HasSuffix(d.Text, "\n\n"+last) {
			t.Errorf("%.40q: places %q in %q", text, got, d.Text)
		}
	}
}

func TestEachProgramHasAHeading(t *testing.T) {
	const words = "Roofers wanted for the summer: ask for Ann in the shop"
	ocr.Use(ocr.Options{Read: func(_ context.Context, image []byte) (string, error) {
		if len(image) == 0 {
			return "", errors.New("no picture")
		}
		return words, nil
	}})
	t.Cleanup(func() { ocr.Use(ocr.Options{}) })
	d, err := ask(t, open(t, "shop.jpg", jpegFile(segment(0xfe, "The shop in Porto"))), Options{Picture: says("a shop window\n\nwith a cat")})
	want := "# shop\n\nThe shop in Porto\n\n## Description\n\na shop window\n\nwith a cat\n\n## Text in the picture\n\n" + words
	if err != nil || d.Text != want {
		t.Errorf("%v, %v", d, err)
	}
	fails := func(context.Context, string) (string, error) { return "", errors.New("caption: exit status 1") }
	d, err = ask(t, open(t, "shop.jpg", jpegFile()), Options{Picture: fails})
	if err != nil || d.Text != "# shop\n\n## Text in the picture\n\n"+words || !errors.Is(d.Lacks, document.ErrProgram) {
		t.Errorf("%v, %v", d, err)
	}
	ocr.Use(ocr.Options{Read: func(ctx context.Context, _ []byte) (string, error) { <-ctx.Done(); return "", ctx.Err() }, Time: time.Millisecond})
	if d, err = ask(t, open(t, "shop.jpg", jpegFile()), Options{}); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, document.ErrProgram) {
		t.Errorf("%v, %v", d, err)
	}
	ocr.Use(ocr.Options{Read: func(context.Context, []byte) (string, error) { return "7", nil }})
	if d, err = ask(t, open(t, "shop.jpg", jpegFile()), Options{}); !errors.Is(err, document.ErrPicture) {
		t.Errorf("%v, %v", d, err)
	}
	if d, err = ask(t, open(t, "talk.mp4", mp4File("isom")), Options{Picture: says("a shop")}); !errors.Is(err, document.ErrVideo) {
		t.Errorf("%v, %v", d, err)
	}
}

// Programs are asked for a file of a folder that is indexed, and for no other.
func TestWhenNoProgramIsAsked(t *testing.T) {
	never := func(context.Context, string) (string, error) { t.Error("it was asked"); return "", nil }
	in := open(t, "shop.jpg", jpegFile())
	Use(Options{Picture: never})
	if d, err := Formats[1].Read(document.WithoutPrograms(t.Context()), in); !errors.Is(err, document.ErrPicture) {
		t.Errorf("%v, %v", d, err)
	}
	in = open(t, "icon.png", iconOf(pngFile(t)))
	if d, err := ask(t, in, Options{Picture: never}); !errors.Is(err, document.ErrPicture) {
		t.Errorf("%v, %v", d, err)
	}
	Use(Options{Picture: never})
	member := document.NewInput("shop.jpg", jpegFile(), document.DefaultLimits)
	if d, err := Formats[1].Read(context.Background(), member); !errors.Is(err, document.ErrPicture) {
		t.Errorf("%v, %v", d, err)
	}
}
