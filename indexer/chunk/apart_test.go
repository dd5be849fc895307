package chunk_test

import (
	"fmt"
	"strings"
	"testing"

	"dowse/indexer/chunk"
	"dowse/indexer/document"
)

// converted writes a document that a Format would.
func converted(write func(b *document.Builder)) *document.Document {
	b := document.NewInput("a.x", nil, document.DefaultLimits).Builder()
	write(b)
	return b.Document("x", document.Meta{})
}

// What was taken out of a file of a format is cut by its headings, as a note is.
func TestConvertedHasHeadings(t *testing.T) {
	doc := converted(func(b *document.Builder) {
		b.Heading(1, "House")
		for _, part := range []string{"Roof", "Cellar"} {
			b.Heading(2, part)
			for i := range 40 {
				b.Paragraph(fmt.Sprintf("Sentence %d says something of one part of it.", i))
			}
		}
		b.Paragraph("# no heading")
	})
	chunks := chunk.Split(doc, chunk.Options{Count: count})
	verify(t, doc, chunks)
	headings := chunk.ReadHeadings(doc, chunk.Options{Count: count})
	begun := map[string]bool{}
	for i, c := range chunks {
		part := "Roof"
		if c.Start >= strings.Index(doc.Text, "## Cellar") {
			part = "Cellar"
		}
		begun[part] = true
		if want := "House > " + part; c.Heading != want {
			t.Errorf("chunk %d is below %q, want %q", i, c.Heading, want)
		}
		if got, want := headings.EmbedText(c.Start, c.End), chunk.EmbedText(doc, c); got != want {
			t.Errorf("chunk %d: read again %q, embedded %q", i, got, want)
		}
	}
	if len(begun) != 2 || len(chunks) < 4 {
		t.Errorf("%d chunks, of %v", len(chunks), begun)
	}
}

// A message of a mailbox and a member of an archive share no chunk with the next,
// however short they are, whether they have a heading or not; parts of one message do.
func TestDocumentsWithinOneStayApart(t *testing.T) {
	for _, headed := range []bool{true, false} {
		for _, sentences := range []int{1, 3, 60} {
			doc := converted(func(b *document.Builder) {
				for n := range 12 {
					message := document.Part{Unit: document.Message, Number: n + 1, Name: "Roof"}
					b.Place(message)
					if headed && n%3 != 2 {
						b.Heading(1, "Roof")
					}
					for i := range sentences {
						b.Paragraph(fmt.Sprintf("Thanks %d.", i))
					}
					b.Place(message, document.Part{Unit: document.Attachment, Name: "a.txt"})
					b.Paragraph("Attached.")
					b.Place(message)
				}
			})
			chunks := chunk.Split(doc, chunk.Options{Count: count})
			verify(t, doc, chunks)
			seen := map[int]int{}
			for _, c := range chunks {
				text := strings.TrimRight(doc.Text[c.Start:c.End], "\n")
				first, last := doc.Place(c.Start+len(text)-len(strings.TrimLeft(text, "\n"))), doc.Place(c.Start+len(text)-1)
				if first[0].Number != last[0].Number {
					t.Errorf("headed %v, %d sentences: a chunk from message %d to %d: %q", headed, sentences, first[0].Number, last[0].Number, text)
				}
				seen[first[0].Number]++
			}
			if len(seen) != 12 || sentences == 1 && len(chunks) != 12 {
				t.Errorf("headed %v, %d sentences: %d chunks of %d messages", headed, sentences, len(chunks), len(seen))
			}
		}
	}
}
