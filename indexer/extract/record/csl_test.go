package record_test

import (
	"slices"
	"testing"
	"time"

	"dowse/internal/testextract"
)

func TestReferencesThatPandoc3_9WroteInCSL(t *testing.T) {
	data := testextract.Sample(t, "pandoc-3.9.csl.json")
	d := testextract.Read(t, "library.json", data)
	const want = "Title: Tides of the Scheldt; By: Ann Lee, Piet Vos; In: Journal of Gauges; Date: 2019-05; DOI: 10.1/xyz; Tags: tides, to read\n\nGauges at Ostend are compared."
	if d.Text != want || d.Format != "csl" {
		t.Errorf("%s %q", d.Format, d.Text)
	}
	if m := d.Entries[0].Meta; m.Title != "Tides of the Scheldt" || !slices.Equal(m.Authors, []string{"Ann Lee", "Piet Vos"}) || !slices.Equal(m.Tags, []string{"tides", "to read"}) || m.Date.Format(time.DateOnly) != "2019-05-01" {
		t.Errorf("it says of itself %+v", m)
	}
	testextract.Damage(t, 300, "library.json", data)
}

// TestHighlightsOfReadwise: the columns of its export.
func TestHighlightsOfReadwise(t *testing.T) {
	d := testextract.Read(t, "readwise.csv", "Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,Highlighted at,Document tags\n"+
		"We ran aground in the fog.,The Riddle of the Sands,Erskine Childers,B00,compare,yellow,sea,location,170,2026-05-04 10:11:12+00:00,novel\n")
	if m := d.Entries[0].Meta; m.Title != "The Riddle of the Sands" || !slices.Equal(m.Authors, []string{"Erskine Childers"}) || !slices.Equal(m.Tags, []string{"sea", "novel"}) || m.Date.Format(time.DateOnly) != "2026-05-04" {
		t.Errorf("it says of itself %+v", m)
	}
}
