package search

import (
	"reflect"
	"testing"

	"dowse/engine"
	"dowse/store"
)

// TestPassagesSayWhatTheirDocumentsSay: of both indexes.
func TestPassagesSayWhatTheirDocumentsSay(t *testing.T) {
	w := libraryWorld(t)
	other := besideWorld(t, w, root+"/letters")
	other.index(file{root + "/letters/x.md", "zebra crossing", on(2, 1)})
	other.say(root+"/letters/x.md", store.Facts{Title: "The letter", Tags: []string{"post"}})
	for query, want := range map[string]engine.About{
		"roof again":     {Authors: []string{"A. Lee <Ann@Example.org>", "Jan Vogel"}, Format: "eml"},
		"zebra crossing": {Title: "The letter", Tags: []string{"post"}, Format: "text"},
		"roses":          {Title: "Roses of the year", Tags: []string{"garden/Roses", "home office"}, Format: "text"},
	} {
		r := w.search(engine.Request{Query: query, Mode: engine.Lexical, K: 1})
		if len(r.Passages) != 1 || !reflect.DeepEqual(r.Passages[0].About, want) {
			t.Errorf("%s: %+v", query, r.Passages)
		}
		if want := on(2, 1); query == "zebra crossing" && !r.Passages[0].Modified.Equal(want) {
			t.Errorf("changed %v, want %v", r.Passages[0].Modified, want)
		}
	}
}
