package noteapp_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/internal/testextract"
)

func TestAnExportOfJoplin3_5_1(t *testing.T) {
	data := testextract.Sample(t, "joplin-3.5.1.jex")
	d := testextract.Read(t, "all.jex", data)
	const want = "# Order copper\n\nNotebook: Garden\n\n# Quince: hedge\n\nNotebook: Garden\n\n[order.txt]The quince hedge stands behind the greenhouse.\n\n- [ ] dig in first\n\n# order.txt\n\nSeeds: three packets of quince."
	if d.Text != want || d.Format != "joplin" {
		t.Errorf("%s %q, want %q", d.Format, d.Text, want)
	}
	m := d.Entries[1].Meta
	if m.Title != "Quince: hedge" || !slices.Equal(m.Tags, []string{"garden", "to do"}) || !slices.Equal(m.Authors, []string{"Ann Lee"}) || m.Date.Format("2006-01-02") != "2026-11-28" {
		t.Errorf("it says of itself %+v", m)
	}
	if label := document.Label(d.Place(strings.Index(d.Text, "greenhouse"))); label != "note Quince: hedge" {
		t.Errorf("place %q", label)
	}
	path := filepath.Join(t.TempDir(), "all.jex")
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	part, err := extract.OpenPart(t.Context(), path, d.Place(len(d.Text)), extract.Options{})
	if err != nil || string(part.Data) != "Seeds: three packets of quince.\n" {
		t.Errorf("%v, %v", part, err)
	}
	testextract.Damage(t, 300, "all.jex", data)
}

// An item of a raw export has the form of those within a tar.
func TestItemsOfJoplinHaveNoIds(t *testing.T) {
	const name = "d0b9320713eb48cda623ccf402af4448.md"
	const note = "Quince: hedge\n\nBehind the greenhouse, ![rot](:/ff2e5ee94d584a0189844da957ffb920).\n\nid: d0b9320713eb48cda623ccf402af4448\nparent_id: b8dd881db5ab48749bf417d61f1dc603\nauthor: Ann Lee\nlatitude: 0.00000000\nuser_created_time: 2026-11-28T15:21:33.865Z\ntype_: 1"
	d := testextract.Read(t, name, note)
	if d.Text != "# Quince: hedge\n\nBehind the greenhouse, ![rot]." || d.Meta.Title != "Quince: hedge" || d.Meta.Date.Day() != 28 || d.Meta.Authors[0] != "Ann Lee" {
		t.Errorf("%q says %+v", d.Text, d.Meta)
	}
	if d := testextract.Read(t, name, "# Roof\n\nNo item.\n"); d.Format != "" || d.Kind != document.Markdown {
		t.Errorf("another note is of %s", d.Format)
	}
	testextract.Damage(t, 300, name, note)
}
