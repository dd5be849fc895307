package document

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// coded is lines of base64.
func coded(lines int) string {
	rng := rand.New(rand.NewPCG(38, 1))
	var b strings.Builder
	for range lines {
		row := make([]byte, 57)
		for i := range row {
			row[i] = byte(rng.Uint32())
		}
		b.WriteString(base64.StdEncoding.EncodeToString(row) + "\n")
	}
	return b.String()
}

// Whatever stands behind a run is on its line of the file, at its place and in its message.
func TestCutTextLeadsToItsLines(t *testing.T) {
	var source strings.Builder
	lines := map[string]int{} // of the marks in the text
	add := func(text string) {
		lines[text] = 1 + strings.Count(source.String(), "\n")
		source.WriteString(text)
	}
	for i := range 20 {
		add(fmt.Sprintf("heron%d reeds\n", i))
		source.WriteString("begin\n" + coded(9+i) + "end\n\n")
		add(fmt.Sprintf("pond%d ", i))
		source.WriteString("![](data:image/png;base64," + strings.ReplaceAll(coded(10), "\n", "") + ") frog\n")
	}
	text := source.String()
	for _, kind := range []Kind{Text, Markdown, Converted} {
		d := FromText(text, kind)
		if kind == Converted {
			d.MarkLines(d.lineStarts())
		}
		for name := range lines {
			d.Places = append(d.Places, Place{Offset: strings.Index(text, name), Parts: []Part{{Name: name}}})
			d.Entries = append(d.Entries, Entry{Offset: strings.Index(text, name), Meta: Meta{Title: name}})
		}
		before := len(d.Text)
		if went := d.CutEncoded(); went != before-len(d.Text) || d.Plain || strings.Count(d.Text, Omission) != 40 || len(d.Text) > 3000 {
			t.Errorf("%v: %d bytes went, %d are left, plain %v", kind, went, len(d.Text), d.Plain)
		}
		for name, line := range lines {
			if at := strings.Index(d.Text, name); d.Line(at) != line {
				t.Errorf("%v: %q is on line %d, want %d", kind, name, d.Line(at), line)
			}
		}
		for i, p := range d.Places {
			if !strings.HasPrefix(d.Text[p.Offset:], p.Parts[0].Name) || d.Entries[i].Offset != p.Offset {
				t.Errorf("%v: %v is at %d", kind, p, p.Offset)
			}
		}
		if !strings.HasSuffix(d.Lacking, " of encoded data") {
			t.Errorf("it lacks %q", d.Lacking)
		}
		if got, want := strings.Count(d.inLines(), "\n"), strings.Count(text, "\n"); got != want {
			t.Errorf("%v: %d line ends, want %d", kind, got, want)
		}
	}
}

func TestTextWithoutRunsStays(t *testing.T) {
	d := FromText("# Pond\n\nA heron.\n", Markdown)
	if d.CutEncoded() != 0 || !d.Plain || d.Text != "# Pond\n\nA heron.\n" || d.Lacking != "" || d.Marks() != nil {
		t.Errorf("%+v", d)
	}
}
