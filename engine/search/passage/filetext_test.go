package passage

import (
	"errors"
	"strings"
	"testing"

	"dowse/engine"
)

// pages is a text of pages, a line of three each, and an attachment with pages of its own.
func pages() *engine.Text {
	text := plainText("one\ntwo\nthree\nfour\nfive\nsix\n")
	marks := []engine.LocatorMark{
		{Offset: 0, Locator: engine.Locator{Label: "page 1"}},
		{Offset: 8, Locator: engine.Locator{Label: "page 2"}},
		{Offset: 14, Locator: engine.Locator{Label: "attachment 1 b.pdf, page 1", Parts: []engine.LocatorPart{{Unit: "attachment", Number: 1, Name: "b.pdf"}, {Unit: "page", Number: 1}}}},
		{Offset: 19, Locator: engine.Locator{Label: "attachment 1 b.pdf, page 2", Parts: []engine.LocatorPart{{Unit: "attachment", Number: 1, Name: "b.pdf"}, {Unit: "page", Number: 2}}}},
	}
	text.Extracted = true
	text.Places = func(start, end int) (in []engine.LocatorMark) {
		for _, m := range marks {
			switch {
			case m.Offset <= start:
				in = []engine.LocatorMark{{Locator: m.Locator}}
			case m.Offset < end:
				in = append(in, engine.LocatorMark{Offset: m.Offset - start, Locator: m.Locator})
			}
		}
		return in
	}
	return text
}

func TestFileText(t *testing.T) {
	body := "one\ntwo\nthree\nfour\nfive\nsix\n"
	for _, c := range []struct {
		name       string
		req        engine.ReadRequest
		want       string
		start, end int
		next       string // of what is left
	}{
		{"all", engine.ReadRequest{}, body, 1, 6, ""},
		{"from a line", engine.ReadRequest{From: 5}, "five\nsix\n", 5, 6, ""},
		{"some lines", engine.ReadRequest{From: 2, Lines: 2}, "two\nthree\n", 2, 3, ""},
		{"more lines than there are", engine.ReadRequest{From: 6, Lines: 9}, "six\n", 6, 6, ""},
		{"negative", engine.ReadRequest{From: -3, Lines: -1, Bytes: -1}, body, 1, 6, ""},
		{"whole lines", engine.ReadRequest{Bytes: 10}, "one\ntwo\n", 1, 2, "three\nfour\nfive\nsix\n"},
		{"bytes of some lines", engine.ReadRequest{From: 2, Lines: 2, Bytes: 5}, "two\n", 2, 2, "three\n"},
		{"just enough bytes", engine.ReadRequest{From: 2, Lines: 2, Bytes: 10}, "two\nthree\n", 2, 3, ""},
		{"line that fills little", engine.ReadRequest{From: 3, Lines: 2, Bytes: 5}, "three", 3, 3, "\nfour\n"},
		{"part of a line", engine.ReadRequest{Bytes: 2}, "on", 1, 1, "e\ntwo\nthree\nfour\nfive\nsix\n"},
		{"page", engine.ReadRequest{Place: "Page 2"}, "three\n", 3, 3, ""},
		{"lines of a page", engine.ReadRequest{Place: "page 1", Lines: 1}, "one\n", 1, 1, ""},
		{"bytes of a page", engine.ReadRequest{Place: "page 1", Bytes: 4}, "one\n", 1, 1, "two\n"},
		{"all of a part", engine.ReadRequest{Place: "attachment 1 b.pdf"}, "four\nfive\nsix\n", 4, 6, ""},
		{"name of a part", engine.ReadRequest{Place: "B.PDF"}, "four\nfive\nsix\n", 4, 6, ""},
		{"part of a part", engine.ReadRequest{Place: "attachment 1 b.pdf, page 2"}, "five\nsix\n", 5, 6, ""},
		{"stretch", engine.ReadRequest{Offset: 4, End: 8, From: 6, Place: "page 9"}, "two\n", 2, 2, ""},
		{"stretch out of the text", engine.ReadRequest{Offset: 1 << 40, End: 1 << 41}, "", 7, 7, ""},
		{"stretch that ends before it begins", engine.ReadRequest{Offset: 8, End: -1}, "", 3, 3, ""},
	} {
		got, err := FileText(pages(), c.req)
		if err != nil || got.Text != c.want || got.LineStart != c.start || got.LineEnd != c.end || got.Size != len(body) || body[got.Next:got.End] != c.next {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
	for name, c := range map[string]struct {
		req  engine.ReadRequest
		want string
	}{
		"line":  {engine.ReadRequest{Path: "/p", From: 7}, "line 7 of /p: it has 6"},
		"place": {engine.ReadRequest{Path: "/p", Place: "page 30"}, `/p has no "page 30"; its parts go from "page 1" to "attachment 1 b.pdf, page 2"`},
	} {
		if _, err := FileText(pages(), c.req); !errors.Is(err, engine.ErrNoPlace) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if _, err := FileText(plainText("a\n"), engine.ReadRequest{Path: "/p", Place: "page 1"}); !errors.Is(err, engine.ErrNoPlace) {
		t.Errorf("a place of a file without places: %v", err)
	}
	if got, err := FileText(plainText(""), engine.ReadRequest{Path: "/p"}); err != nil || got.Text != "" || got.LineStart != 1 {
		t.Errorf("an empty file: %+v, %v", got, err)
	}
}

// TestFileTextSaysWhereItIs: the place where it begins, and those that begin within it.
func TestFileTextSaysWhereItIs(t *testing.T) {
	got, err := FileText(pages(), engine.ReadRequest{From: 3, Lines: 2})
	if err != nil || got.Behind(0) != ", page 2" || len(got.Places) != 1 || got.Places[0].Offset != 6 || !got.Extracted {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestFileTextGoesOn: what is read in pieces of any size is what is read at once, and no letter is cut.
func TestFileTextGoesOn(t *testing.T) {
	text := plainText("eins\nzwölf\n\n" + strings.Repeat("ä€🂡", 9) + "\nende")
	for size := 1; size < 40; size++ {
		whole, req := "", engine.ReadRequest{Bytes: size}
		for rounds := 0; ; rounds++ {
			got, err := FileText(text, req)
			if err != nil || rounds > len(text.Body) || strings.ToValidUTF8(got.Text, "") != got.Text {
				t.Fatalf("size %d: %+v, %v", size, got, err)
			}
			if whole += got.Text; got.Next == 0 {
				break
			}
			req.Offset, req.End = got.Next, got.End
		}
		if whole != text.Body {
			t.Errorf("size %d: %q", size, whole)
		}
	}
}
