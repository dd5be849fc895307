package collection

import (
	"slices"
	"strings"
	"testing"
)

// fields splits at white space.
type fields struct{}

func (fields) Append(dst []string, text string) []string {
	return append(dst, strings.Fields(text)...)
}

// A document that holds both words of a query comes before those with one, and of
// these the shorter one first.
func TestBM25(t *testing.T) {
	x := NewBM25([]Document{{Text: "heron"}, {Text: "gull"}, {Text: "heron lake"}, {Text: "boat lake"}, {Text: "lake"}}, fields{})
	places := func(found []Scored) (docs []int) {
		for _, f := range found {
			docs = append(docs, f.Doc)
		}
		return docs
	}
	if got := places(x.Search("heron lake", 3, nil)); !slices.Equal(got, []int{2, 0, 4}) {
		t.Errorf("found %v", got)
	}
	if got := places(x.Search("heron lake", 9, func(doc int) bool { return doc != 2 })); !slices.Equal(got, []int{0, 4, 3}) {
		t.Errorf("without the best: %v", got)
	}
	if got := x.Search("tern", 3, nil); len(got) > 0 {
		t.Errorf("a word that is nowhere: %v", got)
	}
}
