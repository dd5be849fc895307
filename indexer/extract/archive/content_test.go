package archive_test

import (
	"strings"
	"testing"

	"dowse/indexer/skip"
	"dowse/internal/testextract"
)

// What a file holds says what it is, whatever it is called.
func TestContainersAreKnownByWhatTheyHold(t *testing.T) {
	const kml = `<?xml version="1.0"?><kml><Document><name>Wells</name><Placemark><name>Hoarstone</name></Placemark></Document></kml>`
	const svg = `<?xml version="1.0"?><svg><text>A pump</text></svg>`
	const score = `<?xml version="1.0"?><score-partwise version="4.0"><work><work-title>Heron song</work-title></work><part-list><score-part id="P1"><part-name>Voice</part-name></score-part></part-list><part id="P1"><measure number="1"><note><pitch><step>C</step></pitch><lyric><text>Stand</text></lyric></note><note><lyric><text>in the reeds</text></lyric></note></measure></part></score-partwise>`
	letter := []file{{"word/document.xml", `<w:document><w:p><w:r><w:t>It leaks.</w:t></w:r></w:p></w:document>`}, {"[Content_Types].xml", "<Types/>"}}
	for _, c := range []struct{ name, data, format, text string }{
		{"a.textpack", zipOf(t, file{"a.textbundle/info.json", `{"version": 2}`}, file{"a.textbundle/text.md", "# Roof\n\nIt leaks.\n"}), "zip", "# a.textbundle/text.md\n\n# Roof\n\nIt leaks."},
		{"a.kmz", zipOf(t, file{"doc.kml", kml}), "zip", "# doc.kml\n\n# Wells\n\nHoarstone"},
		{"a.mxl", zipOf(t, file{"META-INF/container.xml", `<container><rootfiles><rootfile full-path="score.xml"/></rootfiles></container>`}, file{"score.xml", score}), "zip", "# score.xml\n\n# Heron song\n\nStand in the reeds"},
		{"a.cbz", zipOf(t, file{"ComicInfo.xml", "<ComicInfo><Title>The heron</Title><Writer>Bea</Writer></ComicInfo>"}, file{"1.jpg", "\xff\xd8\xff"}), "zip", "# ComicInfo.xml\n\n# The heron\n\nWriter: Bea"},
		{"map.bak", zipOf(t, file{"content.xml", `<xmap-content><sheet><topic><title>Mill</title></topic></sheet></xmap-content>`}, file{"styles.xml", "<xmap-styles/>"}, file{"comments.xml", "<comments/>"}), "xmind", "# Mill"},
		{"a.htmlz", zipOf(t, file{"style.css", "p { color: red }"}, file{"index.html", "<p>It leaks.</p>"}, file{"metadata.opf", `<?xml version="1.0"?><package/>`}), "zip", "# index.html\n\nIt leaks."},
		{"a.bin", tarOf(t, file{"1.md", "It leaks."}), "tar", "# 1.md\n\nIt leaks."},
		{"letter.zip", zipOf(t, letter...), "docx", "It leaks."},
		{"letter", zipOf(t, letter...), "docx", "It leaks."},
		{"letter.bak", zipOf(t, letter...), "docx", "It leaks."},
		{"a.xopp", gzipOf(t, `<?xml version="1.0"?><xournal><page><layer><stroke>1 2 3</stroke><text>It leaks.</text></layer></page></xournal>`), "xopp", "It leaks."},
		{"a.svgz", gzipOf(t, svg), "gzip", svg},
		{"a.gz", gzipOf(t, tarOf(t, file{"1.md", "It leaks."})), "gzip", "# 1.md\n\nIt leaks."},
		{"export.zip", zipOf(t, file{"content.json", `{"a": 1}`}, file{"metadata.json", "{}"}, file{"note.md", "It leaks."}), "zip", "# content.json\n\n```json\n{\"a\": 1}\n```\n\n# metadata.json\n\n```json\n{}\n```\n\n# note.md\n\nIt leaks."},
		{"in.zip", zipOf(t, file{"a.kmz", zipOf(t, file{"doc.kml", kml})}), "zip", "# a.kmz\n\n# doc.kml\n\n# Wells\n\nHoarstone"},
	} {
		d := testextract.Read(t, c.name, c.data)
		if text := d.Text; d.Format != c.format || text != c.text && !(c.name == "a.svgz" && strings.Contains(text, "A pump")) {
			t.Errorf("%s: read as %s: %q", c.name, d.Format, text)
		}
	}
}

// Bear keeps what it knows of a note beside it, and tags in its text. The form is that of its backups, as readers of them have it.
func TestNotesOfBearSayWhenTheyWereMade(t *testing.T) {
	info := func(trashed string) string {
		return `{"creatorIdentifier":"net.shinyfrog.bear","net.shinyfrog.bear":{"creationDate":"2026-03-04T10:11:12Z","uniqueIdentifier":"0A1B-NOISE","trashed":` + trashed + `},"type":"net.daringfireball.markdown","version":2}`
	}
	data := zipOf(t, file{"b/Old sluice.textbundle/text.markdown", "# Old sluice\n\nThe beam is rotten. #water/mill #to do# #1931\n"}, file{"b/Old sluice.textbundle/info.json", info("0")},
		file{"b/Gone.textbundle/text.markdown", "binnoise"}, file{"b/Gone.textbundle/info.json", info("1")})
	d := testextract.Read(t, "Bear Notes 2026-11-28.bear2bk", data)
	if m := d.Entries[0].Meta; strings.Contains(d.Text, "noise") || len(d.Entries) != 1 || m.Title != "Old sluice" || strings.Join(m.Tags, ",") != "water/mill,to do" || m.Date.Format("2006-01-02") != "2026-03-04" {
		t.Errorf("%+v %q", d.Entries, d.Text)
	}
	testextract.Damage(t, 200, "a.bear2bk", data)
}

// Packages of programs stay out, by their name and by what they hold; one named .zip is read as an archive.
func TestPackagesOfProgramsStayOut(t *testing.T) {
	jar := zipOf(t, file{"META-INF/MANIFEST.MF", "Main: a"}, file{"readme.txt", "It leaks."})
	for name, data := range map[string]string{
		"a.jar": jar, "a.xyz": jar, "a": jar, "a.whl": zipOf(t, file{"readme.txt", "x"}), "a.xyz2": zipOf(t, file{"a.dist-info/WHEEL", "x"}, file{"readme.txt", "x"}),
		"a.gem": tarOf(t, file{"readme.txt", "x"}), "a.crate": gzipOf(t, tarOf(t, file{"readme.txt", "x"})), "a.vsix": zipOf(t, file{"[Content_Types].xml", "<Types/>"}, file{"readme.txt", "x"}),
		"a.rds": gzipOf(t, "X\n\x00\x00\x00\x03 data"),
	} {
		if r := reason(t, name, data); r != skip.Binary {
			t.Errorf("%s is %v", name, r)
		}
	}
	if d := testextract.Read(t, "a.zip", jar); !strings.Contains(d.Text, "It leaks.") {
		t.Errorf("%q", d.Text)
	}
}

// A backup of notes is read whole, however many there are.
func TestBackupsOfNotesAreRead(t *testing.T) {
	var files []file
	for range 1500 {
		files = append(files, file{"a.md", "note"}, file{"b.json", "{}"})
	}
	if d := testextract.Read(t, "a.bear2bk", zipOf(t, files...)); strings.Count(d.Text, "note") != 1500 {
		t.Errorf("%d of 1500", strings.Count(d.Text, "note"))
	}
	only := files[:0:0]
	for range 1500 {
		only = append(only, file{"a.md", "note"})
	}
	if d := testextract.Read(t, "a.tar", tarOf(t, only...)); strings.Count(d.Text, "note") != 1500 {
		t.Errorf("%d of 1500", strings.Count(d.Text, "note"))
	}
}
