package indexer_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/indexer/document"
)

func TestKindsAreNumberedAlike(t *testing.T) {
	for i, name := range layout.Kinds {
		if document.Kind(i).String() != name {
			t.Errorf("kind %d is %v, and %s to searches", i, document.Kind(i), name)
		}
	}
	if len(layout.Kinds) != int(document.Log)+1 || layout.Log != document.Log || layout.Converted != document.Converted {
		t.Errorf("%d kinds", len(layout.Kinds))
	}
}

// found returns the names of the files that a query finds, sorted.
func (b *bench) found(query string) string {
	b.t.Helper()
	return b.foundIn(query, func(p *engine.Passage) []string { return []string{filepath.Base(p.Path)} })
}

// foundIn returns the names that the passages of a query have, sorted and each once.
func (b *bench) foundIn(query string, names func(p *engine.Passage) []string) string {
	b.t.Helper()
	r, err := b.engine(0).Search(b.t.Context(), engine.Request{Query: query, Mode: engine.Lexical, K: 100}, nil)
	b.must(err)
	var all []string
	for i := range r.Passages {
		all = append(all, names(&r.Passages[i])...)
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

// TestFiltersByWhatDocumentsSay indexes notes, a page, code and mail, and asks for them.
func TestFiltersByWhatDocumentsSay(t *testing.T) {
	addFormat(t, document.Format{
		Name: "eml", Extensions: []string{"eml"},
		Read: func(_ context.Context, in *document.Input) (*document.Document, error) {
			b := in.Builder()
			b.Paragraph(string(in.Data))
			return b.Document("eml", document.Meta{
				Title: "Offer for the roof", Authors: []string{"Carpenter <carl@example.org>"}, To: []string{"Ann Lee <ann@example.org>"},
				Date: time.Date(2019, 5, 1, 0, 0, 0, 0, time.UTC),
			}), nil
		},
	})
	b := newBench(t)
	b.write("garden.md", "---\ntitle: Roses\ntags: [garden/roses, home]\ndate: 2020-06-01\nauthor: Ann Lee\n---\nWater them.\n")
	b.write("home.md", "---\ntags: Home\n---\nPay the rent.\n")
	b.write("plain.txt", "nothing else\n")
	b.write("page.html", "<title>Roof tiles</title><p>Clay tiles.</p>")
	b.write("main.go", "package main\n")
	b.write("offer.eml", "We offer tiles.")
	b.run(b.root)
	for query, want := range map[string]string{
		"tag:home":                "garden.md home.md",
		"tag:#HOME":               "garden.md home.md",
		"tag:garden":              "garden.md",
		"tag:garden/roses":        "garden.md",
		"tag:gard":                "",
		"tag:garden,none":         "garden.md",
		"tag:home -tag:garden":    "home.md",
		"from:ann":                "garden.md",
		`from:"ann lee"`:          "garden.md",
		"to:ann@example":          "offer.eml",
		"from:carl to:ann":        "offer.eml",
		"title:roof":              "offer.eml page.html",
		"title:roof type:mail":    "offer.eml",
		"type:eml":                "offer.eml",
		"type:converted":          "offer.eml",
		"type:note":               "garden.md home.md",
		"type:code,text":          "main.go plain.txt",
		"type:web":                "page.html",
		"-type:note -type:mail":   "main.go page.html plain.txt",
		"after:2019 before:2021":  "garden.md offer.eml",
		"before:2020":             "offer.eml",
		"after:2021":              "home.md main.go page.html plain.txt",
		"tiles type:mail":         "offer.eml",
		"rent tag:garden":         "",
		"-tag:home -title:roof x": "main.go plain.txt",
	} {
		if got := b.found(strings.TrimSuffix(query, " x")); got != want {
			t.Errorf("%s finds %q, want %q", query, got, want)
		}
	}
	r, err := b.engine(0).Search(t.Context(), engine.Request{Query: "water", Mode: engine.Lexical}, nil)
	b.must(err)
	if len(r.Passages) != 1 || r.Passages[0].Title != "Roses" {
		t.Errorf("found %+v", r.Passages)
	}
	b.write("garden.md", "---\ntags: [lawn]\n---\nWater them.\n")
	b.must(os.Remove(b.path("home.md")))
	b.run()
	b.run()
	for query, want := range map[string]string{"tag:home": "", "tag:garden": "", "tag:lawn": "garden.md", "from:ann": ""} {
		if got := b.found(query); got != want {
			t.Errorf("after the change %s finds %q, want %q", query, got, want)
		}
	}
}
