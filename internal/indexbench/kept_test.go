package indexbench

import "testing"

// TestVisitedCacheCatchesMore: vectors that a sample of queries needed most are
// needed by those queries more often than the ones of most links.
func TestVisitedCacheCatchesMore(t *testing.T) {
	c := clustered(t, 600, 40)
	b := quiet()
	g, err := b.build(t.Context(), "", c.Vectors, fullShape)
	if err != nil {
		t.Fatal(err)
	}
	m := exactWalk("walk", c, g)
	setting := Setting{Ratio: 1, Keep: 3, Batch: 1}
	visits, err := countVisits(t.Context(), c, m, setting, c.Queries)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := b.evaluate(t.Context(), c, m, setting, 1)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, n := range visits {
		total += n
	}
	if want := int(plain.Vectors*float64(len(c.Queries)) + 0.5); total != want {
		t.Errorf("%d visits, want %d", total, want)
	}
	cached := map[string]float64{}
	for name, kept := range map[string][]bool{"hubs": hubCache(g, false, 0.1), "visited": visitedCache(visits, 0.1)} {
		m.cached = kept
		o, err := b.evaluate(t.Context(), c, m, setting, 1)
		if err != nil {
			t.Fatal(err)
		}
		if cached[name] = o.Cached; o.Recall != plain.Recall || o.Vectors != plain.Vectors {
			t.Errorf("%s: %+v, without a cache %+v", name, o, plain)
		}
	}
	if cached["visited"] < cached["hubs"] {
		t.Errorf("of %.1f vectors the most visited hold %.1f, hubs %.1f", plain.Vectors, cached["visited"], cached["hubs"])
	}
}
