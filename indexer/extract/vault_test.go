package extract_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/indexer/skip"
	"dowse/internal/testextract"
)

// Notes as Obsidian and Logseq write them. Logseq's was read by mldoc 1.6.0, its own parser, which finds the same ids, references
// and properties.
const (
	obsidian = "---\naliases: [The mill]\ntags:\n  - water/mill\ncreated: 2026-03-04\n---\n# Watermill\n\nRebuilt by [[Ann Lee|Ann]], see [[Roof#^4f5e6d|the roof]]. ^wheel1\n\n%% ask Ann again %%\n\n> [!warning]- Rotten beam\n> above the race ^f3a9b2\n\n" +
		"![[Pasted image 20260304101112.png|300]]\n\n```\nx ^abc123\n```\n^1a2b3c\n\nTwo times 2 ^10\n"
	obsidianRead = "---\naliases: [The mill]\ntags:\n  - water/mill\ncreated: 2026-03-04\n---\n# Watermill\n\nRebuilt by [[Ann Lee|Ann]], see [[Roof|the roof]].\n\nask Ann again\n\n> Rotten beam\n> above the race\n\n" +
		"\n\n```\nx ^abc123\n```\n\n\nTwo times 2 ^10\n"
	logseq = "title:: Millpond\ntags:: water, [[history]]\npublic:: true\nicon:: x1f\n\n- The pond silts up every [[March]].\n  id:: 6543a1b2-1111-4222-8333-444455556666\n  collapsed:: true\n\t- TODO Ask Ann for the dredger.\n\t  id:: 6543a1b2-1111-4222-8333-444455557777\n" +
		"\t  :LOGBOOK:\n\t  CLOCK: [2026-03-04 Wed 10:11:12]--[2026-03-04 Wed 10:15:12] =>  00:04:00\n\t  :END:\n- See ((6543a1b2-1111-4222-8333-444455557777)) and ((99999999-1111-4222-8333-444455556666)).\n- {{embed ((6543a1b2-1111-4222-8333-444455556666))}}\n" +
		"- [words](((6543a1b2-1111-4222-8333-444455556666))) ![rot.png](../assets/rot.png){:height 300, :width 400}\n"
	logseqRead = "title:: Millpond\ntags:: water, [[history]]\n\n- The pond silts up every [[March]].\n\t- TODO Ask Ann for the dredger.\n- See Ask Ann for the dredger. and .\n- The pond silts up every [[March]].\n- [words] ![rot.png](../assets/rot.png)\n"
)

func TestWhatNoteAppsWriteForThemselvesIsLeftOut(t *testing.T) {
	for _, c := range []struct {
		name, text, want, title, tags, word string
		line                                int
	}{
		{"Watermill.md", obsidian, obsidianRead, "", "water/mill", "Rotten", 13},
		{"Millpond.md", logseq, logseqRead, "Millpond", "water,history", "See", 14},
	} {
		d := testextract.Read(t, c.name, c.text)
		if d.Text != c.want || d.Plain {
			t.Errorf("%s:\n%q, want\n%q", c.name, d.Text, c.want)
		}
		if d.Meta.Title != c.title || strings.Join(d.Meta.Tags, ",") != c.tags {
			t.Errorf("%s says %+v", c.name, d.Meta)
		}
		if line := d.Line(strings.Index(d.Text, c.word)); line != c.line {
			t.Errorf("%s: %s is on line %d of the file, not %d", c.name, c.word, c.line, line)
		}
	}
	testextract.Damage(t, 300, "a.md", obsidian, logseq)
}

// A note without such signs is the file, byte for byte.
func TestOtherNotesStayAsTheyAre(t *testing.T) {
	for _, text := range []string{"printf 100%% of %d\n\n`a[!x]` [!note] no box\n\n```\n> [!note] code\n%% a %%\n```\n", "# Roof\n\nx^2 and y ^ z\n\n![plan](plan.png)\n", "Deadline:: Friday\nid:: the blue one\n((see there))\n", "~~~\nid:: 6543a1b2-1111-4222-8333-444455556666\n~~~\n"} {
		if d := testextract.Read(t, "a.md", text); d.Text != text || !d.Plain {
			t.Errorf("%q was read as %q", text, d.Text)
		}
	}
}

// What browsers keep is read where the settings name it, and not otherwise.
func TestBookmarksOfABrowserAreReadByName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "Bookmarks")
	// As Chromium's bookmark_codec.cc writes them.
	const bookmarks = `{"checksum": "0a1b", "roots": {"bookmark_bar": {"children": [{"children": [{"date_added": "13417092672000000", "guid": "n01se", "id": "7", "name": "Ferry times", "type": "url", "url": "https://example.org/ferry"}],
"date_added": "13417092672000000", "id": "6", "name": "Travel", "type": "folder"}], "name": "Bookmarks bar", "type": "folder"}, "other": {"children": [], "type": "folder"}, "synced": {"children": []}}, "version": 1}`
	if err := os.WriteFile(path, []byte(bookmarks), 0o600); err != nil {
		t.Fatal(err)
	}
	if d, err := extract.File(path, extract.Options{Browsers: []string{filepath.Dir(path) + "x"}}); reasonOf(err) != skip.Browser {
		t.Errorf("%v %v", d, err)
	}
	d, err := extract.File(path, extract.Options{Browsers: []string{filepath.Dir(path)}})
	if err != nil {
		t.Fatal(err)
	}
	if d.Text != "- Travel\n  - Ferry times (https://example.org/ferry)" || d.Format != document.Browser || d.Entries[0].Meta.Title != "Ferry times" || d.Entries[0].Meta.Date.Format("2006-01-02") != "2026-03-04" {
		t.Errorf("%s %q %+v", d.Format, d.Text, d.Entries)
	}
	testextract.Damage(t, 100, "bookmarks", bookmarks)
}

func reasonOf(err error) skip.Reason {
	reason, _ := skip.ReasonOf(err)
	return reason
}
