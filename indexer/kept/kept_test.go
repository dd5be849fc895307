package kept_test

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dowse/indexer/document"
	"dowse/indexer/kept"
)

// letter is a document with all that can be kept.
func letter() *document.Document {
	b := document.NewInput("a.x", nil, document.DefaultLimits).Builder()
	b.Place(document.Part{Unit: document.Message, Number: 3, Name: "Re: the roof"}, document.Part{Unit: document.Page, Number: 1})
	b.Heading(1, "Roof")
	b.Paragraph(strings.Repeat("Ann pays the carpenter — größer. ", 200))
	b.Place()
	b.Paragraph("Nobody knows where.")
	b.Place(document.Part{Unit: document.Sheet, Name: "Budget"}, document.Part{Unit: document.Row, Number: 40})
	b.Row([]string{"Item", "Cost"}, []string{"desk", "30"})
	return b.Document("letter", document.Meta{})
}

func TestKeepsAll(t *testing.T) {
	marked := letter()
	marked.Language, marked.Charset = "german", "windows-1252"
	marked.MarkLines([]document.LineMark{{Offset: 0, Line: 7}, {Offset: 12, Line: 9}})
	marked.Secret, marked.State = true, []byte("line 9")
	empty := &document.Document{Kind: document.Converted, Format: "none"}
	empty.CountLines()
	for _, d := range []*document.Document{letter(), marked, empty} {
		packed, err := kept.Pack(d)
		if err != nil {
			t.Fatal(err)
		}
		again, err := kept.Pack(d)
		if err != nil || !bytes.Equal(packed, again) {
			t.Errorf("packed in two ways, error %v", err)
		}
		got, err := kept.Unpack(packed)
		if err != nil || !reflect.DeepEqual(got, d) {
			t.Errorf("error %v\n got %+v\nwant %+v", err, got, d)
		}
		for at := range len(d.Text) {
			if got.Line(at) != d.Line(at) || document.Label(got.Place(at)) != document.Label(d.Place(at)) {
				t.Fatalf("byte %d stands on line %d, %q; want %d, %q", at, got.Line(at), document.Label(got.Place(at)), d.Line(at), document.Label(d.Place(at)))
			}
		}
	}
}

// What is damaged is told of, or is another document; nothing crashes or takes memory
// that is not there.
func TestDamageIsTold(t *testing.T) {
	packed, err := kept.Pack(letter())
	if err != nil {
		t.Fatal(err)
	}
	for n := range packed {
		if _, err := kept.Unpack(packed[:n]); !errors.Is(err, kept.ErrDamaged) {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
	}
	random, told := rand.New(rand.NewPCG(1, 2)), 0
	for range 3000 {
		bad := bytes.Clone(packed)
		for range 1 + random.IntN(3) {
			bad[random.IntN(len(bad))] ^= byte(1 + random.IntN(255))
		}
		if _, err := kept.Unpack(bad); errors.Is(err, kept.ErrDamaged) {
			told++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if told == 0 {
		t.Error("no damage was told of")
	}
}

// TestTextOfAnEarlierVersionMayBeSecret: before there was a mark, nobody looked.
func TestTextOfAnEarlierVersionMayBeSecret(t *testing.T) {
	packed, err := kept.Pack(letter())
	if err != nil {
		t.Fatal(err)
	}
	fields, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed[1:])))
	if err != nil {
		t.Fatal(err)
	}
	want := letter()
	state := len(fields) - len(binary.AppendUvarint(nil, uint64(len(want.Text)))) - len(want.Text) - 1
	fields = slices.Delete(fields, state, state+1)
	for layout := byte(2); layout > 0; layout-- {
		var old bytes.Buffer
		old.WriteByte(layout)
		w, err := flate.NewWriter(&old, flate.BestSpeed)
		if err == nil {
			_, err = w.Write(fields)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		if got, err := kept.Unpack(old.Bytes()); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("layout %d: error %v, %+v", layout, err, got)
		}
		fields, want.Secret = slices.Delete(fields, 1, 2), true
	}
}
