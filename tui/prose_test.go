package tui

import (
	"io"
	"strings"
	"testing"

	"dowse/engine"
)

// TestWaitForTheDiskIsSeen below an answer that is not done, before its first word too,
// and not once it goes on.
func TestWaitForTheDiskIsSeen(t *testing.T) {
	const note = "the disk keeps the model waiting"
	quotation := &engine.Answer{Text: "Ken wrote grep. [1]", How: engine.Extracted}
	for _, a := range []engine.Answer{{How: "m"}, {How: "m", Quotation: quotation}, {How: "m", Text: "Ken did", Quotation: quotation}} {
		for _, noted := range []bool{true, false} {
			if a.Note = ""; noted {
				a.Note = note
			}
			var text strings.Builder
			p := prose{styles: newStyles(Options{Output: io.Discard, NoColor: true, Getenv: func(string) string { return "" }})}
			p.clear()
			p.putReply(&a, false)
			for _, line := range p.lines {
				text.WriteString(line.text + "\n")
			}
			if strings.Count(text.String(), note) != map[bool]int{true: 1}[noted] || !strings.Contains(text.String(), a.Text) {
				t.Errorf("%+v: %q", a, text.String())
			}
		}
	}
}
