package markup_test

import (
	"strings"
	"testing"

	"dowse/indexer/document"
	"dowse/internal/testextract"
)

// Files by the forms that JSON Canvas 1.0, Freeplane 1.11 and Org-roam 2.2 document.
var boards = map[string]string{
	"mill.canvas": `{"nodes":[{"id":"b1b2c3d4e5f60718","type":"file","file":"Notes/Watermill.md","x":120,"y":60,"width":400,"height":400},{"id":"a1b2c3d4e5f60718","type":"text","text":"# Plan\nDredge the millpond.","x":-180,"y":-60},
{"id":"d1b2c3d4e5f60718","type":"group","x":-200,"y":-100,"label":"Spring works"},{"id":"c1","type":"link","url":"https://example.org/race","x":1,"y":400}],"edges":[{"id":"e1b2","fromNode":"a1b2c3d4e5f60718","fromSide":"right","toNode":"b1b2c3d4e5f60718","label":"depends on"}]}`,
	"mill.mm": `<map version="freeplane 1.11.5"><node TEXT="Mill" ID="ID_1723255651" CREATED="1772615472000" MODIFIED="1772615499000"><hook NAME="MapStyle"><map_styles><stylenode LOCALIZED_TEXT="styles.root_node"/></map_styles></hook>
<node TEXT="Dredge the pond" ID="ID_1" LINK="https://example.org/pond" TAGS="water&#10;spring"><richcontent TYPE="NOTE"><html><body><p>Before the <b>frost</b></p><p>with Ann.</p></body></html></richcontent><attribute NAME="Cost" VALUE="40"/><icon BUILTIN="button_ok"/></node>
<node ID="ID_2"><richcontent TYPE="NODE"><html><head/><body><p>Rotten beam</p></body></html></richcontent><node TEXT="order oak"/></node></node></map>`,
	"mill.org": ":PROPERTIES:\n:ID:       20260304T101112.123456\n:ROAM_ALIASES: \"Old sluice\"\n:END:\n#+title: Watermill\n#+filetags: :water:history:\n#+date: [2026-03-04 Wed]\n\nRebuilt by [[id:5fd1b1a2-0000-4000-8000-123456789abc][Ann Lee]], see [[id:99999999-0000-4000-8000-123456789abc]] [[roam:Mill race]].\n\n* Beam :repair:\n:PROPERTIES:\n:ID: 7b2c\n:END:\nIt is rotten.\n",
}

func TestBoardsAndMapsAreTheirWords(t *testing.T) {
	for _, c := range []struct{ file, format, want, title, tags, day string }{
		{"mill.canvas", "canvas", "Spring works\n\n# Plan\nDredge the millpond.\n\nWatermill\n\nhttps://example.org/race\n\ndepends on", "", "", "0001-01-01"},
		{"mill.mm", "outline", "- Mill\n  - Dredge the pond (https://example.org/pond): Before the frost with Ann. Cost: 40\n  - Rotten beam\n    - order oak", "Dredge the pond", "water,spring", "0001-01-01"},
		{"mill.org", "org", "\"Old sluice\"\n\n# Watermill\n\nRebuilt by Ann Lee, see Mill race.\n\n# Beam\n\nIt is rotten.", "Beam", "water,history,repair", "0001-01-01"},
		{"zim-0.75.1.txt", "zim", "# Beam\n\nCreated Wednesday 04 March 2026\n\nThe beam above the race is rotten, see Ann and Oak. @repair\n\n- [ ] order copper @todo\n- [*] ring Ben\n- [>] move it\n\n- two barrows\n\ndepth = 4\n\n## Costs\n\n| Wood | Pounds |\n|:-----|-------:|\n| oak | 40 |", "Beam", "repair,todo", "2026-11-28"},
	} {
		text := boards[c.file]
		if text == "" {
			text = testextract.Sample(t, c.file)
		}
		d := testextract.Read(t, c.file, text)
		if got := strings.Join(strings.Fields(d.Text), " "); d.Format != c.format || got != strings.Join(strings.Fields(c.want), " ") {
			t.Errorf("%s: %s\n%q, want\n%q", c.file, d.Format, d.Text, c.want)
		}
		m := d.Meta
		for _, e := range d.Entries {
			if e.Meta.Tags != nil || c.file == "mill.org" {
				m = e.Meta
			}
		}
		if m.Title != c.title || strings.Join(m.Tags, ",") != c.tags || m.Date.Format("2006-01-02") != c.day && c.file != "mill.org" {
			t.Errorf("%s says %+v", c.file, m)
		}
		testextract.Damage(t, 200, c.file, text)
	}
	if d := testextract.Read(t, "a.mm", "#import <Foundation/Foundation.h>\nint main() { return 0; }\n"); d.Kind != document.Code {
		t.Errorf("Objective-C is %s %s", d.Kind, d.Format)
	}
}
