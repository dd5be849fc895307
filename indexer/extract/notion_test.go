package extract_test

import (
	"slices"
	"testing"
	"time"

	"dowse/indexer/extract"
	"dowse/internal/testextract"
)

// TestPropertiesOfNotionAndLogseq: as their exports have them.
func TestPropertiesOfNotionAndLogseq(t *testing.T) {
	for name, text := range map[string]string{
		"Roof of the barn 0123456789abcdef0123456789abcdef.md": "# Roof of the barn\n\nCreated: May 4, 2026 10:15 AM\nTags: house, copper\nStatus: Open\n\nOrder brackets.\n",
		"Roof of the barn.md": "title:: Roof of the barn\ntags:: [[house]], copper\ndate:: 2026-05-04\n\n- Order brackets\n",
		"Roof.md":             "- title:: Roof of the barn\n  tags:: #house #copper\n  created:: 2026-05-04\n- Order brackets\n",
	} {
		d := testextract.Read(t, name, text)
		if d.Meta.Title != "Roof of the barn" || !slices.Equal(d.Meta.Tags, []string{"house", "copper"}) || d.Meta.Date.Format(time.DateOnly) != "2026-05-04" || d.Text != text {
			t.Errorf("%s: it says of itself %+v", name, d.Meta)
		}
	}
	d := testextract.Read(t, "a.md", "Title: roof\nstd::vector is a class\n")
	if len(d.Meta.Tags) > 0 {
		t.Errorf("%+v", d.Meta)
	}
	if got := extract.PlainName("/a/Roof 0123456789abcdef0123456789abcdef.md"); got != "Roof" {
		t.Errorf("%q", got)
	}
}
