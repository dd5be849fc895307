package noteapp_test

import (
	"strings"
	"testing"
	"time"

	"dowse/indexer/document"
	"dowse/internal/testextract"
)

// exports are files by the forms that Day One, Standard Notes, Simplenote and KOReader (both that it has had) document or write.
var exports = map[string]string{
	"Journal.json": `{"metadata":{"version":"1.0"},"entries":[{"uuid":"0A1B2C3D4E5F","creationDate":"2026-05-04T10:15:00Z","timeZone":"Europe\/Brussels","starred":false,"text":"# The heron\n\n![](dayone-moment:\/\/77AA88BB)\n\nIt stood by the sluice\\.","tags":["pond","birds"],
"location":{"placeName":"Old sluice","localityName":"Ostend","country":"Belgium","latitude":51.2254,"longitude":2.9192},"weather":{"weatherCode":"clear","temperatureCelsius":11}}]}`,
	"Standard Notes Backup and Import File.txt": `{"version":"004","items":[{"uuid":"n1aa","content_type":"Note","created_at":"2026-05-04T10:15:00.000Z","content":{"title":"Roof","text":"{\"root\":{\"children\":[{\"type\":\"paragraph\",\"children\":[{\"text\":\"Order \",\"type\":\"text\"},{\"type\":\"link\",\"children\":[{\"text\":\"copper\",\"type\":\"text\"}]},{\"text\":\" brackets.\",\"type\":\"text\"}]},{\"type\":\"paragraph\",\"children\":[{\"text\":\"Ring Ben.\",\"type\":\"text\"}]}],\"type\":\"root\"}}","references":[]}},
{"uuid":"t1","content_type":"Tag","content":{"title":"house","references":[{"uuid":"n1aa","content_type":"Note"}]}},{"uuid":"p1","content_type":"SN|UserPreferences","content":{"x":"prefnoise"}},{"uuid":"n2","content_type":"Note","content":{"title":"Gone","text":"binnoise","trashed":true}}]}`,
	"notes.json": `{"activeNotes":[{"id":"a1b2","content":"Ferry times\r\nThe last one leaves at ten.","creationDate":"2026-05-04T10:15:00.000Z","lastModified":"2026-05-05T10:15:00.000Z","tags":["travel"]}],"trashedNotes":[{"id":"c3","content":"binnoise"}]}`,
	"metadata.epub.lua": `-- /mnt/onboard/Sands.epub
return {
    ["annotations"] = {
        [1] = {
            ["chapter"] = "Chapter 4",
            ["color"] = "yellow",
            ["datetime"] = "2026-05-04 10:11:12",
            ["drawer"] = "lighten",
            ["note"] = "compare \"the\" chart",
            ["page"] = "/body/DocFragment[6]/body/p[3]/text().0",
            ["pageno"] = 12,
            ["text"] = "We ran aground\
in the fog.",
        },
    },
    ["doc_props"] = {
        ["authors"] = "Erskine Childers",
        ["title"] = "The Riddle of the Sands",
    },
    ["partial_md5_checksum"] = "5d2e2c0f6b7a1c9d",
}
`,
	"metadata.pdf.lua": `-- we can read Lua syntax here!
return {
    ["bookmarks"] = {
        [1] = {
            ["datetime"] = "2026-05-04 10:11:12",
            ["notes"] = "We ran aground in the fog.",
            ["page"] = 12,
            ["text"] = "Page 12 We ran aground in the fog. @ 2026-05-04 10:11:12",
        },
    },
    ["doc_props"] = {
        ["title"] = "Sands",
    },
    ["highlight"] = {
        [12] = {
            [1] = {
                ["datetime"] = "2026-05-04 10:11:12",
                ["drawer"] = "lighten",
                ["text"] = "We ran aground in the fog.",
            },
        },
    },
}
`,
}

func TestExportsInOneObject(t *testing.T) {
	for _, c := range []struct{ file, format, want, title, tags, authors, place string }{
		{"Journal.json", "dayone", "# The heron\n\nIt stood by the sluice.\n\nOld sluice, Ostend, Belgium", "The heron", "pond,birds", "", "note The heron"},
		{"Standard Notes Backup and Import File.txt", "standardnotes", "# Roof\n\nOrder copper brackets.\n\nRing Ben.", "Roof", "house", "", "note Roof"},
		{"notes.json", "simplenote", "# Ferry times\n\nThe last one leaves at ten.", "Ferry times", "travel", "", "note Ferry times"},
		{"metadata.epub.lua", "koreader", "# The Riddle of the Sands\n\nWe ran aground\nin the fog.\ncompare \"the\" chart\nChapter 4", "The Riddle of the Sands", "", "Erskine Childers", "note The Riddle of the Sands"},
		{"metadata.pdf.lua", "koreader", "# Sands\n\nWe ran aground in the fog.", "Sands", "", "", "note Sands"},
	} {
		d := testextract.Read(t, c.file, exports[c.file])
		if d.Text != c.want || d.Format != c.format {
			t.Errorf("%s: %s\n%q, want\n%q", c.file, d.Format, d.Text, c.want)
		}
		if place := document.Label(d.Place(len(d.Text))); place != c.place {
			t.Errorf("%s: place %q", c.file, place)
		}
		m := d.Entries[len(d.Entries)-1].Meta
		if m.Title != c.title || strings.Join(m.Tags, ",") != c.tags || strings.Join(m.Authors, ",") != c.authors || m.Date.Format(time.DateOnly) != "2026-05-04" {
			t.Errorf("%s: it says of itself %+v", c.file, m)
		}
		testextract.Damage(t, 300, c.file, exports[c.file])
	}
}
