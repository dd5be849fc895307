package indexer_test

import (
	"slices"
	"strings"
	"testing"

	"dowse/internal/testshapes"
)

// shape makes a file of a kind that holds much.
func shape(t *testing.T, name string, n int) []byte {
	t.Helper()
	all := testshapes.All()
	at := slices.IndexFunc(all, func(s testshapes.Shape) bool { return s.Name == name })
	if at < 0 {
		t.Fatalf("no shape is called %s", name)
	}
	return all[at].Make(n)
}

// A sheet of a billion equal rows: its passages are embedded once each, its neighbour is indexed, and its limit is told.
func TestEqualPassagesAreEmbeddedOnce(t *testing.T) {
	b := newBench(t)
	b.write("costs.ods", string(shape(t, "rows.ods", 1_000_000_000)))
	b.write("neighbour.md", "The gutter above the porch leaks.")
	b.run(b.root)
	embedded := b.embed.take()
	slices.Sort(embedded)
	if n := len(embedded); n == 0 || n > 40 || len(slices.Compact(embedded)) != n {
		t.Errorf("%d texts were embedded, %d of them different", n, len(slices.Compact(embedded)))
	}
	if !slices.ContainsFunc(embedded, func(s string) bool { return strings.Contains(s, "gutter") }) {
		t.Error("the neighbour was not embedded")
	}
	left, err := b.index.Left()
	if err != nil || len(left.Partial) != 1 || !strings.Contains(left.Partial[0].Lacking, "1.0 MiB of its text") {
		t.Errorf("%v, in part: %+v", err, left.Partial)
	}
}
