package document_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"dowse/indexer/document"
)

func TestBuilderWritesMarkdown(t *testing.T) {
	b := document.NewInput("a.x", nil, document.DefaultLimits).Builder()
	b.Place(document.Part{Unit: document.Page, Number: 1})
	b.Heading(2, " Roof\nand gutter ")
	b.Paragraph("# not a heading\n\n  ask  Ann\n---")
	b.Place(document.Part{Unit: document.Page, Number: 2})
	b.Row([]string{"Item", "Cost", ""}, []string{"desk", "30", "oak"})
	b.Row([]string{"Item", "Cost"}, []string{"", "40"})
	b.Item(1, "lamp")
	b.EndRows()
	b.Item(0, "chair")
	b.Code("go", "a := \"```\"\n")
	d := b.Document("x", document.Meta{})
	want := "## Roof and gutter\n\n\\# not a heading\nask Ann\n\\---\n\nItem: desk; Cost: 30; oak\nCost: 40\n  - lamp\n\n- chair\n\n````go\na := \"```\"\n````"
	if d.Text != want {
		t.Errorf("got %q\nwant %q", d.Text, want)
	}
	if got := document.Label(d.Place(strings.Index(d.Text, "ask"))); got != "page 1" {
		t.Errorf("place %q", got)
	}
	if got := document.Label(d.Place(strings.Index(d.Text, "Cost: 40"))); got != "page 2" {
		t.Errorf("place %q", got)
	}
}

// A text that is cut stays valid, and files within files share one limit.
func TestBuilderWritesWordsUndivided(t *testing.T) {
	b := document.NewInput("a.x", nil, document.DefaultLimits).Builder()
	b.Paragraph("\u00ad\u200b")
	b.Heading(1, "Was\u00adser\u200bpumpe")
	b.Paragraph("\ufeffa\u2060b می\u200cخواهم")
	b.Row([]string{"Tei\u00adl"}, []string{"Pum\u00adpe"})
	if got, want := b.Document("x", document.Meta{}).Text, "# Wasserpumpe\n\nab می\u200cخواهم\n\nTeil: Pumpe"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBuilderKeepsLimits(t *testing.T) {
	for limit := range 40 {
		in := document.NewInput("a.x", nil, document.Limits{Text: limit, Members: 9, Depth: 1})
		b := in.Builder()
		inner, err := in.Within("b", nil)
		if err != nil {
			t.Fatal(err)
		}
		ib := inner.Builder()
		ib.Place(document.Part{Unit: document.Page, Number: 3})
		ib.Paragraph("größer €uro")
		b.Append(ib.Document("x", document.Meta{}), document.Part{Unit: document.Member, Name: "b"})
		b.Paragraph("ääääääääää")
		d := b.Document("x", document.Meta{})
		if len(d.Text) > limit || !utf8.ValidString(d.Text) || b.Full() != (len(d.Text) < 36) {
			t.Errorf("limit %d: %q, full %v", limit, d.Text, b.Full())
		}
		if limit > 0 && document.Label(d.Place(0)) != "member b, page 3" {
			t.Errorf("limit %d: place %q", limit, document.Label(d.Place(0)))
		}
	}
}

func TestUnpackingStopsAtTheLimit(t *testing.T) {
	for size, whole := range map[int]bool{99: true, 100: true, 101: false, 5000: false} {
		in := document.NewInput("a.x", nil, document.Limits{Unpacked: 100})
		data, err := in.Unpack(bytes.NewReader(make([]byte, size)), 0)
		if whole != (err == nil) || whole && len(data) != size || err != nil && !errors.Is(err, document.ErrBounds) {
			t.Errorf("%d bytes: %d read, %v", size, len(data), err)
		}
	}
	in := document.NewInput("a.x", nil, document.Limits{Unpacked: 10})
	if _, err := in.Unpack(io.LimitReader(zeros{}, 6), 0); err != nil {
		t.Error(err)
	}
	if _, err := in.Unpack(io.LimitReader(zeros{}, 6), 0); !errors.Is(err, document.ErrBounds) {
		t.Errorf("the second part: %v", err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestFilesWithinFilesEnd(t *testing.T) {
	in := document.NewInput("a.x", nil, document.DefaultLimits)
	depth := 0
	in.Inner = func(ctx context.Context, inner *document.Input) (*document.Document, error) {
		depth++
		return inner.Open(ctx, "again", nil)
	}
	_, err := in.Open(t.Context(), "first", nil)
	if !errors.Is(err, document.ErrBounds) || depth != document.DefaultLimits.Depth {
		t.Errorf("%d deep: %v", depth, err)
	}
}
