package markup_test

import (
	"strings"
	"testing"
	"time"

	"dowse/indexer/document"
	"dowse/internal/testextract"
)

// Files by the schemas that are published of ALTO 4, MusicXML 4, OPML 2 and LRC.
const (
	alto = `<?xml version="1.0"?><alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Description><MeasurementUnit>pixel</MeasurementUnit></Description><Layout><Page ID="p1" WIDTH="2480"><PrintSpace>
<TextBlock ID="b1"><TextLine HPOS="1"><String CONTENT="The" HPOS="12"/><SP/><String CONTENT="har" SUBS_TYPE="HypPart1" SUBS_CONTENT="harbour"/><HYP CONTENT="-"/></TextLine><TextLine><String CONTENT="bour" SUBS_TYPE="HypPart2" SUBS_CONTENT="harbour"/><SP/><String CONTENT="master"/></TextLine></TextBlock>
<TextBlock><TextLine><String CONTENT="waits"/></TextLine></TextBlock></PrintSpace></Page><Page><PrintSpace><TextBlock><TextLine><String CONTENT="Tides"/></TextLine></TextBlock></PrintSpace></Page></Layout></alto>`
	score = `<?xml version="1.0"?><!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 4.0 Partwise//EN" "http://www.musicxml.org/dtds/partwise.dtd">
<score-partwise version="4.0"><work><work-title>The Ferry</work-title></work><identification><creator type="composer">Ann Lee</creator><encoding><software>x</software></encoding></identification>
<part-list><score-part id="P1"><part-name>Voice</part-name></score-part></part-list><part id="P1"><measure number="1">
<note default-x="82"><pitch><step>C</step><octave>4</octave></pitch><duration>4</duration><type>quarter</type><lyric number="1"><syllabic>begin</syllabic><text>Har</text></lyric><lyric number="2"><syllabic>single</syllabic><text>Rain</text></lyric></note>
<note><pitch><step>D</step></pitch><lyric number="1"><syllabic>end</syllabic><text>bour</text></lyric><lyric number="2"><text>falls</text></lyric></note><note><lyric number="1"><syllabic>single</syllabic><text>lights</text></lyric></note></measure></part></score-partwise>`
	outline = `<?xml version="1.0"?><opml version="2.0"><head><title>Barn</title><ownerName>Ann Lee</ownerName><dateModified>Mon, 04 May 2026 10:00:00 GMT</dateModified></head><body>
<outline text="Roof" created="Mon, 04 May 2026 09:00:00 GMT" category="/repairs"><outline text="Ask for &lt;b&gt;copper&lt;/b&gt; brackets" _note="Ben knows a shop"/></outline>
<outline text="Ponds" type="rss" xmlUrl="https://ponds.example/feed" htmlUrl="https://ponds.example"/></body></opml>`
	song = "[ti:The Ferry]\n[ar:Ann Lee]\n[00:12.00]<00:12.00>Harbour <00:12.80>lights\n[00:15.30][01:15.30]far away\n"
	page = `<!DOCTYPE html><html><head><title></title><meta name="ocr-system" content="tesseract 5"/></head><body><div class='ocr_page' id='page_1' title='image "a.png"; bbox 0 0 2480 3508'><p class='ocr_par'><span class='ocr_line' title="bbox 36 92 618 184; baseline 0 -9"><span class='ocrx_word' title='bbox 36 92 96 116; x_wconf 96'>harbour</span> <span class='ocrx_word' title='bbox 109 92 173 116'>master</span></span></p></div></body></html>`
)

func TestFormsOfXMLAreReadByWhatTheySay(t *testing.T) {
	feedText := "# Ponds\n\nWhat lives in ponds\n\n## Frogs & reeds\n\nBy: Ann Lee; Link: https://ponds.example/1\n\nThe frogs came back in March this year."
	captions := "The harbour master waits. Nobody comes, not even the ferry."
	for _, c := range []struct{ name, data, format, want, title, author, date, tag, place string }{
		{"feedgen-1.0.0.atom", "", "feed", feedText, "Frogs & reeds", "Ann Lee", "2026-03-04", "amphibians", "record Frogs & reeds"},
		{"feedgen-1.0.0.rss", "", "feed", strings.Replace(feedText, "Ann Lee", "ann@ponds.example (Ann Lee)", 1), "Frogs & reeds", "ann@ponds.example (Ann Lee)", "2026-03-04", "amphibians", "record Frogs & reeds"},
		{"buku-5.1.xbel", "", "outline", "- Cranes of the quay (https://quay.example/cranes): How they are moved\n- Ponds (https://pond.example/)", "Ponds", "", "0001-01-01", "frogs", ""},
		{"a.opml", outline, "outline", "# Barn\n\n- Roof\n  - Ask for copper brackets: Ben knows a shop\n- Ponds (https://ponds.example)", "Barn", "Ann Lee", "2026-05-04", "", ""},
		{"pysubs2-1.8.1.ass", "", "subtitles", captions, "The harbour", "", "0001-01-01", "", "time 00:00:01"},
		{"pysubs2-1.8.1.ttml", "", "subtitles", captions, "", "", "0001-01-01", "", "time 00:00:01"},
		{"pycaption-2.3.14.dfxp", "", "subtitles", captions, "", "", "0001-01-01", "", "time 00:00:01"},
		{"a.lrc", song, "subtitles", "Harbour lights far away", "The Ferry", "Ann Lee", "0001-01-01", "", "time 00:00:12"},
		{"a.xml", alto, "alto", "The harbour master\n\nwaits\n\nTides", "", "", "0001-01-01", "", "page 2"},
		{"a.musicxml", score, "musicxml", "# The Ferry\n\ncomposer: Ann Lee\n\nHarbour lights\n\nRain falls", "The Ferry", "Ann Lee", "0001-01-01", "", ""},
		{"tides.webloc", testextract.Sample(t, "plistlib.webloc"), "shortcut", "# tides\n\nhttps://harbour.example/tides", "tides", "", "0001-01-01", "", ""},
		{"Tides.url", "[DEFAULT]\r\nBASEURL=https://x/\r\n[InternetShortcut]\r\nURL=https://harbour.example/tides\r\nIconFile=x.ico\r\n", "shortcut", "# Tides\n\nhttps://harbour.example/tides", "Tides", "", "0001-01-01", "", ""},
		{"a.desktop", "[Desktop Entry]\nType=Application\nName=Tides\nName[de]=Gezeiten\nComment=Look up the tide\nKeywords=sea;harbour;\nExec=tides %f\n[Desktop Action new]\nName=New\n", "shortcut", "# Tides\n\nLook up the tide\n\nsea harbour", "Tides", "", "0001-01-01", "", ""},
	} {
		if c.data == "" {
			c.data = testextract.Sample(t, c.name)
		}
		d := testextract.Read(t, c.name, c.data)
		if d.Text != c.want || d.Format != c.format {
			t.Errorf("%s: %s\n%q, want\n%q", c.name, d.Format, d.Text, c.want)
		}
		m := d.Meta
		for _, e := range d.Entries {
			if e.Meta.Title != "" && d.Format != "outline" || e.Meta.Title == c.title {
				m = e.Meta
			}
		}
		if m.Title != c.title || strings.Join(m.Authors, ",") != c.author || m.Date.Format(time.DateOnly) != c.date || strings.Join(m.Tags, ",") != c.tag {
			t.Errorf("%s: it says of itself %+v", c.name, m)
		}
		if got := document.Label(d.Place(len(d.Text))); got != c.place {
			t.Errorf("%s: place %q, want %q", c.name, got, c.place)
		}
		testextract.Damage(t, 300, c.name, c.data)
	}
}

func TestWordsOfAScanAreNoBoxes(t *testing.T) {
	if d := testextract.Read(t, "a.hocr", page); strings.TrimSpace(d.Text) != "harbour master" {
		t.Errorf("%q", d.Text)
	}
}
