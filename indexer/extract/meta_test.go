package extract_test

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract"
)

func TestWhatNotesSayOfThemselves(t *testing.T) {
	day := time.Date(2026, 3, 14, 0, 0, 0, 0, time.UTC)
	for text, want := range map[string]document.Meta{
		"---\ntitle: \"Roof: the plan\" # draft\nauthor: Ann Lee\ntags: [garden, \"roses/red\" , '#roof']\ndate: 2026-03-14\n---\n# Other\n": {
			Title: "Roof: the plan", Authors: []string{"Ann Lee"}, Tags: []string{"garden", "roses/red", "roof"}, Date: day,
		},
		"\ufeff---\r\nTags:\r\n  - garden\r\n- roof\r\nauthors:\r\n  - Ann\r\n  - Ben\r\ncreated: 2026-03-14T09:30\r\n---\r\ntext\r\n": {
			Authors: []string{"Ann", "Ben"}, Tags: []string{"garden", "roof"}, Date: day.Add(9*time.Hour + 30*time.Minute),
		},
		"---\ntags: garden, old roof\ndate: someday\nnested:\n  title: not this\n  - nor this\n---\ntext": {Tags: []string{"garden", "old roof"}},
		"---\ntags: \"#garden #roof\"\n---\ntext":                                                         {Tags: []string{"garden", "roof"}},
		"---\ntitle: never ends\n\ntext":                                                                  {},
		"# Heading\n\n---\ntitle: no front matter\n---\n#garden\n":                                        {},
		"text\n":                             {},
		"---\n---\n---\ntitle: x\n---\ntext": {},
		"---\ntitle:\nauthor: []\n---\ntext": {Authors: []string(nil)},
		"---\ntitle: " + strings.Repeat("x", 20<<10) + "\n---\ntext": {},
	} {
		doc, err := extract.Bytes(context.Background(), "a.md", []byte(text), extract.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(doc.Meta, want) {
			t.Errorf("%.40q says %+v, want %+v", text, doc.Meta, want)
		}
	}
}

func TestWhatPagesSayOfThemselves(t *testing.T) {
	const page = `<!DOCTYPE html><html><head><title> Roof &amp;
 gutter </title><META NAME="author" content="Ann Lee"><meta name=keywords content="garden, roof">
<meta property="og:title" content="other"><meta property="article:published_time" content="2026-03-14T10:00:00+01:00"></head>
<body><svg><title>drawing</title></svg><meta name="author" content="Eve"><h1>Roof</h1></body></html>`
	doc, err := extract.Bytes(context.Background(), "a.html", []byte(page), extract.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := document.Meta{Title: "Roof & gutter", Authors: []string{"Ann Lee"}, Tags: []string{"garden", " roof"}, Date: time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)}
	for i := range doc.Meta.Tags {
		want.Tags[i] = strings.TrimSpace(want.Tags[i])
	}
	if !reflect.DeepEqual(doc.Meta, want) {
		t.Errorf("%+v, want %+v", doc.Meta, want)
	}
}

func TestPagesSayItAsLinkedData(t *testing.T) {
	day := time.Date(2017, 8, 14, 0, 0, 0, 0, time.UTC)
	const script = `<script type="application/ld+json">`
	for page, want := range map[string]document.Meta{
		script + `{"@type":"Article","headline":"Kiln\n log","datePublished":"2017-08-14","author":["Ann",{"name":"Ben"}],"keywords":"clay, glaze"}</script>`: {
			Title: "Kiln log", Date: day, Authors: []string{"Ann", "Ben"}, Tags: []string{"clay", "glaze"},
		},
		`<head><title>Page</title><meta name="author" content="Eve"><meta name="dcterms.created" content="2017-08-14"></head>` + script +
			`{"@graph":[{"@type":"Person","name":"No"},{"headline":"Kiln","author":"Ann","datePublished":"2001-01-01"}]}</script>`: {
			Title: "Page", Date: day, Authors: []string{"Eve"},
		},
		script + `{"headline":"broken"</script>`:                                                      {},
		`<p>application/ld+json {"headline":"text"}</p>`:                                              {},
		script + `{"@type":"Person","name":"Ann"}</script>`:                                           {},
		`<meta itemprop="datePublished" content="2017-08-14"><meta name="DC.Subject" content="clay">`: {Date: day, Tags: []string{"clay"}},
		strings.Repeat(script, 5000) + `{"headline":"far"}`:                                           {},
		script + strings.Repeat(`{"@graph":`, 1000):                                                   {},
	} {
		doc, err := extract.Bytes(context.Background(), "a.html", []byte("<p>words</p>"+page), extract.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(doc.Meta, want) {
			t.Errorf("%.60q says %+v, want %+v", page, doc.Meta, want)
		}
	}
}
