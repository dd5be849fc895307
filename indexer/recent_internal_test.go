package indexer

import (
	"strings"
	"testing"

	"dowse/engine/memory"
	"dowse/indexer/chunk"
	"dowse/indexer/document"
	"dowse/store"
)

// TestTheLongTextAskedForLastIsAtHand: one version of one file, and no short text.
func TestTheLongTextAskedForLastIsAtHand(t *testing.T) {
	ledger := &memory.Ledger{}
	r := NewRecent(ledger)
	long := func(word string) *document.Document {
		return document.FromText(strings.Repeat(word+" ", recentFrom/len(word)), document.Markdown)
	}
	a, b := &store.File{ID: 1, Hash: [6]byte{1}}, &store.File{ID: 2, Hash: [6]byte{1}}
	docs := map[*store.File]*document.Document{a: long("heron"), b: long("ferry")}
	r.keep(a, document.FromText("short", document.Text))
	if r.of(a) != nil || ledger.Total() != 0 {
		t.Error("a short one is kept")
	}
	for _, f := range []*store.File{a, b, a} {
		r.keep(f, docs[f])
		changed := *f
		changed.Hash[0]++
		if r.of(f) != docs[f] || r.of(&changed) != nil || ledger.Total() != int64(len(docs[f].Text)) {
			t.Errorf("file %d is not at hand, or another one, or %d bytes are counted", f.ID, ledger.Total())
		}
	}
	if r.of(b) != nil {
		t.Error("two are at hand")
	}
	read := 0
	headings := func() *chunk.Headings { read++; return &chunk.Headings{} }
	for range 3 {
		r.shared(docs[a], headings)()
	}
	first := r.shared(docs[a], headings)
	if other := r.shared(docs[b], nil); other != nil || first() == nil || read != 4 {
		t.Errorf("headings were read %d times", read)
	}
	var none *Recent
	none.keep(a, docs[a])
	if none.of(a) != nil || none.shared(docs[a], headings) == nil {
		t.Error("none holds one")
	}
}
