package markup_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/indexer/skip"
)

// Written by pandoc 3.9 (book), gpxpy 1.6.2 (track) and svgwrite 1.4.3 (drawing).
const (
	book = `<?xml version="1.0" encoding="UTF-8"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink"><description><title-info><genre>unrecognised</genre><author><first-name>Mila</first-name><last-name>Horvat</last-name></author><book-title>The ferryman</book-title><date>2019-05-03</date></title-info><document-info><program-used>pandoc</program-used></document-info></description><body><title><p>The ferryman</p></title><section id="one"><title><p>One</p></title><p>The ferryman kept his <emphasis>lantern</emphasis> lit although nobody had crossed since Michaelmas.</p><section id="a-letter"><title><p>A letter</p></title><p>• rope</p><p>• oars</p></section></section></body></FictionBook>`
	track = `<?xml version="1.0" encoding="UTF-8"?>
<gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd" version="1.1" creator="gpx.py -- https://github.com/tkrajina/gpxpy">
  <metadata>
    <name>Dyke walk</name>
    <desc>Along the old dyke with Ben</desc>
  </metadata>
  <wpt lat="51.2" lon="2.9">
    <name>Sluice</name>
    <desc>Closed in winter</desc>
  </wpt>
  <trk>
    <name>Morning</name>
    <cmt>wind from the west</cmt>
    <trkseg>
      <trkpt lat="51.2345" lon="2.9123">
        <ele>4</ele>
        <time>2025-05-03T08:00:00</time>
      </trkpt>
      <trkpt lat="51.235499999999995" lon="2.9123">
        <ele>4</ele>
        <time>2025-05-03T08:01:00</time>
      </trkpt>
    </trkseg>
  </trk>
</gpx>`
	drawing = `<?xml version="1.0" encoding="utf-8" ?>
<svg baseProfile="full" height="100%" version="1.1" width="100%" xmlns="http://www.w3.org/2000/svg" xmlns:ev="http://www.w3.org/2001/xml-events" xmlns:xlink="http://www.w3.org/1999/xlink"><title>Tide gauge</title><desc>Sketch of the slipway</desc><defs /><text x="10" y="10"><tspan x="10" y="10">Spring tide</tspan><tspan x="10" y="24">at the slipway</tspan></text><path d="M 0 0 L 10 10 C 4 5 6 7 8 9" /><polyline points="1,2 30000,40000" /><style type="text/css"><![CDATA[text{fill:red}]]></style></svg>`
)

func TestBooksTracksAndDrawings(t *testing.T) {
	for _, c := range []struct{ name, data, want, title, day string }{
		{"a.fb2", book, "Title: The ferryman; By: Mila Horvat\n\n# The ferryman\n\n## One\n\nThe ferryman kept his lantern lit although nobody had crossed since Michaelmas.\n\n### A letter\n\n• rope\n\n• oars", "The ferryman", "2019-05-03"},
		{"a.gpx", track, "# Dyke walk\n\nAlong the old dyke with Ben\n\n# Sluice\n\nClosed in winter\n\n# Morning\n\nwind from the west", "Dyke walk", "2025-05-03"},
		{"a.svg", drawing, "# Tide gauge\n\nSketch of the slipway\n\nSpring tide\n\nat the slipway", "Tide gauge", ""},
	} {
		d, err := extract.Bytes(context.Background(), c.name, []byte(c.data), extract.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		day := ""
		if !d.Meta.Date.IsZero() {
			day = d.Meta.Date.Format("2006-01-02")
		}
		if d.Text != c.want || d.Meta.Title != c.title || day != c.day || "."+d.Format != c.name[1:] {
			t.Errorf("%s: %s %q %s\n%q, want\n%q", c.name, d.Format, d.Meta.Title, day, d.Text, c.want)
		}
		if c.name == "a.fb2" && !slices.Equal(d.Meta.Authors, []string{"Mila Horvat"}) {
			t.Errorf("by %q", d.Meta.Authors)
		}
	}
}

// Most of a drawing is numbers, which are none of its text and no reason to refuse it.
func TestFewWordsAmongNumbersAreRead(t *testing.T) {
	many := strings.Replace(drawing, "<path d=", strings.Repeat(`<path d="M 10.125 20.5 C 3.25,4.75 5.5,6.125 777.375,88.25"/>`+"\n", 2000)+"<path d=", 1)
	d, err := extract.Bytes(context.Background(), "a.svg", []byte(many), extract.Options{})
	if err != nil || !strings.Contains(d.Text, "Spring tide") {
		t.Errorf("%v, %v", d, err)
	}
}

func TestADrawingWithoutWordsIsAPicture(t *testing.T) {
	bare := strings.NewReplacer("Tide gauge", "", "Sketch of the slipway", "", "Spring tide", "", "at the slipway", "").Replace(drawing)
	_, err := extract.Bytes(context.Background(), "a.svg", []byte(bare), extract.Options{})
	if reason, _ := skip.ReasonOf(err); reason != skip.Picture || !errors.Is(err, document.ErrPicture) {
		t.Error(err)
	}
}
