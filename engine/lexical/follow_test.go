package lexical_test

import (
	"fmt"
	"reflect"
	"testing"

	"dowse/engine/lexical"
)

// TestFollowEqualsNew changes an index at random and compares the collection
// that followed every change with one that is made anew. The one before must
// still answer as it did: searches use it.
func TestFollowEqualsNew(t *testing.T) {
	w := newWorld(t, 91)
	w.batch(40)
	current, err := lexical.NewCollection(w.store, w.live())
	if err != nil {
		t.Fatal(err)
	}
	for step := range 300 {
		before := current.Stats()
		old := current
		switch w.random.IntN(6) {
		case 0, 1:
			w.batch(1 + w.random.IntN(12))
		case 2:
			w.long(1000 + w.random.IntN(100))
		case 3:
			w.kill(0.1)
		case 4:
			w.batch(3)
			w.kill(0.02)
			if _, err := lexical.MergeDue(t.Context(), w.store, w.live()); err != nil {
				t.Fatal(err)
			}
		case 5:
			if _, err := lexical.MergeAll(t.Context(), w.store, w.live()); err != nil {
				t.Fatal(err)
			}
		}
		want, err := lexical.NewCollection(w.store, w.live())
		if err != nil {
			t.Fatal(err)
		}
		if current, err = current.Follow(w.store, w.live()); err != nil {
			t.Fatal(err)
		}
		if current.Stats() != want.Stats() {
			t.Fatalf("step %d: %+v, want %+v", step, current.Stats(), want.Stats())
		}
		for seed := range uint32(4) {
			if got, want := w.hits(current, seed), w.hits(want, seed); !reflect.DeepEqual(got, want) {
				t.Fatalf("step %d: %+v, want %+v", step, got, want)
			}
		}
		if old.Stats() != before {
			t.Fatalf("step %d: the collection before became %+v, was %+v", step, old.Stats(), before)
		}
	}
}

// long adds a document of many terms.
func (w *world) long(terms int) {
	w.t.Helper()
	b, document := lexical.NewBuilder(), []string{}
	for range terms {
		document = append(document, w.term())
	}
	b.Add(w.next, document)
	if _, err := b.Write(w.store); err != nil {
		w.t.Fatal(err)
	}
	w.documents[w.next] = document
	w.next++
}

// hits searches with a few terms.
func (w *world) hits(c *lexical.Collection, seed uint32) lexical.Result {
	w.t.Helper()
	var q lexical.Query
	for i := range 5 {
		q = append(q, lexical.QueryTerm{Term: fmt.Sprintf("term%d", 1+7*int(seed)+i*i), Weight: 1})
	}
	r, err := c.Search(w.t.Context(), w.store, q, 50, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}
