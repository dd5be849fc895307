package noteapp_test

import (
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/internal/testextract"
	"dowse/internal/testmutate"
)

const quince = "## Planting\n\nThe quince hedge stands behind the greenhouse, see the nursery & here.\n\n- dig in first\n  - two barrows\n- water every days\n\nMonth: March; Work: prune the quince"

func TestTiddlersOfTiddlyWiki5_3_8(t *testing.T) {
	wiki := testextract.Read(t, "wiki.html", testextract.Sample(t, "tiddlywiki-5.3.8.html"))
	if want := "# Nursery Lee\n\n## Opening hours\n\nOpen on **Saturdays** until noon.\n\n# Quince hedge\n\n" + quince; wiki.Text != want || wiki.Format != "tiddlywiki" {
		t.Errorf("%s %q, want %q", wiki.Format, wiki.Text, want)
	}
	if label := document.Label(wiki.Place(strings.Index(wiki.Text, "barrows"))); label != "note Quince hedge" {
		t.Errorf("place %q", label)
	}
	one := testextract.Read(t, "Quince hedge.tid", testextract.Sample(t, "tiddlywiki-5.3.8.tid"))
	if one.Text != "# Quince hedge\n\n"+quince || one.Meta.Title != "Quince hedge" {
		t.Errorf("%q %q", one.Meta.Title, one.Text)
	}
	for _, m := range []document.Meta{one.Meta, wiki.Entries[1].Meta} {
		if m.Title != "Quince hedge" || !slices.Equal(m.Tags, []string{"garden", "to do"}) || !slices.Equal(m.Authors, []string{"Ann"}) || m.Date.Day() != 2 {
			t.Errorf("it says of itself %+v", m)
		}
	}
}

// made are files by the schemas that their programs publish, or that readers of these agree on.
var made = map[string]string{
	"allotment.enex": `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
<en-export export-date="20260110T101112Z" application="Evernote" version="10.70">
<note><title>Allotment &amp; shed</title><created>20260110T090000Z</created><updated>20260111T090000Z</updated><tag>garden</tag><tag>to do</tag><note-attributes><author>Ann Lee</author><source-url>https://example.org/fennel</source-url></note-attributes>
<content><![CDATA[<?xml version="1.0" encoding="UTF-8" standalone="no"?><!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd"><en-note><div>The fennel <b>bolted</b> again; sow it after the solstice.</div><ul><li><en-todo checked="true"/>water it</li></ul><en-crypt cipher="AES">sealedwords</en-crypt><en-media type="text/plain" hash="0a1b"/></en-note>]]></content>
<resource><data encoding="base64">` + base64.StdEncoding.EncodeToString([]byte("Seeds: three packets of Florence fennel.\n")) + `</data><mime>text/plain</mime><recognition><![CDATA[<recoIndex objID="0a1b"></recoIndex>]]></recognition><resource-attributes><file-name>order.txt</file-name></resource-attributes></resource></note>
<note><title>Cistern</title><created>20260112T090000Z</created><content><![CDATA[<en-note><div>Empty it in November.</div></en-note>]]></content></note>
</en-export>`,
	"keep.json": `{"color":"DEFAULT","isTrashed":false,"isPinned":true,"isArchived":false,"annotations":[{"description":"","source":"WEBLINK","title":"Ferry times","url":"https://example.org/ferry"}],"listContent":[{"textHtml":"<p>passport</p>","text":"passport","isChecked":true},{"textHtml":"<p>rope</p>","text":"rope","isChecked":false}],"title":"Boat trip","userEditedTimestampUsec":1714557605000000,"createdTimestampUsec":1714557600000000,"labels":[{"name":"travel"}],"textContentHtml":"<p>Bring the old chart.</p>","textContent":"Bring the old chart."}`,
	"My Clippings.txt": "\ufeffThe Riddle of the Sands (Childers, Erskine)\r\n- Your Highlight on page 12 | Location 170-172 | Added on Sunday, 3 May 2020 10:11:12\r\n\r\nWe ran aground in the fog.\r\n==========\r\n" +
		"\ufeffThe Riddle of the Sands (Childers, Erskine)\r\n- Your Note on page 13 | Location 180 | Added on Sunday, 3 May 2020 10:12:00\r\n\r\ncompare the chart\r\n==========\r\n" +
		"\ufeffWalden (Thoreau)\r\n- Ihre Markierung auf Seite 4 | bei Position 50-51 | Hinzugefügt am Montag, 4. Mai 2020 08:00:00\r\n\r\nI went to the woods.\r\n==========\r\n",
}

func TestNotesOfOtherAppsByTheirSchemas(t *testing.T) {
	for _, c := range []struct {
		file, format, want, word, place string
		entry                           int
		title                           string
		tags, authors                   []string
		day                             string
	}{
		{"allotment.enex", "enex", "# Allotment & shed\n\nThe fennel bolted again; sow it after the solstice.\n\n- water it\n\nhttps://example.org/fennel\n\n## order.txt\n\nSeeds: three packets of Florence fennel.\n\n# Cistern\n\nEmpty it in November.",
			"packets", "attachment order.txt", 0, "Allotment & shed", []string{"garden", "to do"}, []string{"Ann Lee"}, "2026-01-10"},
		{"keep.json", "keep", "# Boat trip\n\nBring the old chart.\n\n- [x] passport\n- [ ] rope\n\nLink: Ferry times; https://example.org/ferry",
			"rope", "note Boat trip", 0, "Boat trip", []string{"travel"}, nil, "2024-05-01"},
		{"My Clippings.txt", "clippings", "# The Riddle of the Sands (Childers, Erskine)\n\nWe ran aground in the fog.\n(Your Highlight on page 12)\n\ncompare the chart\n(Your Note on page 13)\n\n# Walden (Thoreau)\n\nI went to the woods.\n(Ihre Markierung auf Seite 4)",
			"compare", "note The Riddle of the Sands", 1, "The Riddle of the Sands", nil, []string{"Childers, Erskine"}, "2020-05-03"},
	} {
		d := testextract.Read(t, c.file, made[c.file])
		if d.Text != c.want || d.Format != c.format {
			t.Errorf("%s: %s %q, want %q", c.file, d.Format, d.Text, c.want)
			continue
		}
		if label := document.Label(d.Place(strings.Index(d.Text, c.word))); label != c.place {
			t.Errorf("%s: place %q", c.file, label)
		}
		m := d.Entries[c.entry].Meta
		if m.Title != c.title || !slices.Equal(m.Tags, c.tags) || !slices.Equal(m.Authors, c.authors) || m.Date.Format("2006-01-02") != c.day {
			t.Errorf("%s: says of itself %+v", c.file, m)
		}
	}
	if line := testextract.Read(t, "My Clippings.txt", made["My Clippings.txt"]); line.Line(strings.Index(line.Text, "compare")) != 6 {
		t.Errorf("the second clipping begins in line %d", line.Line(strings.Index(line.Text, "compare")))
	}
}

func TestAttachmentsOfANotebookOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "allotment.enex")
	if err := os.WriteFile(path, []byte(made["allotment.enex"]), 0o600); err != nil {
		t.Fatal(err)
	}
	part, err := extract.OpenPart(t.Context(), path, []document.Part{{Unit: document.Attachment, Number: 1, Name: "order.txt"}}, extract.Options{})
	if err != nil || string(part.Data) != "Seeds: three packets of Florence fennel.\n" {
		t.Errorf("%v, %v", part, err)
	}
}

func TestOtherPagesAndTextsStay(t *testing.T) {
	for name, data := range map[string]string{
		"a.html": "<html><body><p>A page about TiddlyWiki.</p></body></html>",
		"b.json": `{"title":"Roof","isPinned":true,"text":"Ask Ann about the slates."}`,
		"c.txt":  "Results\n- first | second\n\nSome words.\n",
		"d.tid":  "Just words without fields.\n",
	} {
		switch d := testextract.Read(t, name, data); d.Format {
		case "tiddlywiki", "keep", "clippings":
			t.Errorf("%s is of %s", name, d.Format)
		}
	}
}

func TestDamagedExportsEnd(t *testing.T) {
	files := map[string]string{"a.html": testextract.Sample(t, "tiddlywiki-5.3.8.html"), "a.tid": testextract.Sample(t, "tiddlywiki-5.3.8.tid")}
	for name, data := range made {
		files[name] = data
	}
	for name, seed := range files {
		testmutate.Each(t, 300, [][]byte{[]byte(seed)}, func(data []byte) {
			if d, err := extract.Bytes(context.Background(), name, data, extract.Options{}); err == nil && !utf8.ValidString(d.Text) {
				t.Fatalf("%s: %.100q", name, d.Text)
			}
		})
	}
}
