package app_test

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/memory"
	engines "dowse/engine/search"
	"dowse/internal/testapp"
)

// TestRelatedKeepsTopicsTogether: what is like a note about one thing is about that.
func TestRelatedKeepsTopicsTogether(t *testing.T) {
	dir := testapp.Notes(t, map[string]string{
		"bread.md": "# Bread\n\nFlour, water and salt; the dough rests overnight before it is baked.\n",
		"rolls.md": "# Rolls\n\nA dough of flour and milk, shaped into small balls and baked.\n",
		"dns.md":   "# DNS\n\nThe resolver cached a wrong address until it was restarted.\n",
		"dhcp.md":  "# DHCP\n\nThe router gives out addresses and the name of the resolver.\n",
	})
	owner := testapp.Own(t, testapp.New(t), dir)
	for of, want := range map[string]string{"bread.md": "rolls.md", "rolls.md": "bread.md", "dns.md": "dhcp.md", "dhcp.md": "dns.md"} {
		r, err := owner.Related(t.Context(), engine.RelatedRequest{Path: filepath.Join(dir, of)}, nil)
		if err != nil || len(r.Passages) != 3 || filepath.Base(r.Passages[0].Path) != want {
			t.Errorf("like %s: %+v, %v, want %s first", of, r, err, want)
		}
	}
	_, err := owner.Related(t.Context(), engine.RelatedRequest{Path: filepath.Join(dir, "none.md")}, nil)
	if err == nil || !strings.Contains(err.Error(), "none.md is not in the index: it is not there") {
		t.Errorf("a file that is not there: %v", err)
	}
}

// BenchmarkRelated looks, over 1,874 short notes, for what is like 200 of them. It
// reports median times, and how many of the five nearest notes lie in the folder of
// their note: of estimates, of what a search recomputes, and of all vectors.
func BenchmarkRelated(b *testing.B) {
	til, err := filepath.Abs(filepath.Join("..", "..", "..", "shared", "data", "corpus", "til"))
	if err != nil {
		b.Fatal(err)
	}
	if til, err = filepath.EvalSymlinks(til); err != nil {
		b.Skip("no shared test data beside the repository")
	}
	a := testapp.New(b)
	owner := testapp.Own(b, a, til)
	everything := a.Assemble(owner.Stack().DB, owner.Stack().Models, &memory.Ledger{}, true, engines.Options{Recompute: 1 << 20})
	of := everyNth(b, til, 200)
	for _, way := range []struct {
		name     string
		s        engine.Searcher
		k        int
		estimate bool
	}{
		{"estimate", owner, 30, true}, {"exact", owner, engine.DefaultK, false}, {"exact30", owner, 30, false}, {"all", everything, 5, false},
	} {
		b.Run(way.name, func(b *testing.B) {
			var times []time.Duration
			same, all := 0, 0
			for range b.N {
				times, same, all = times[:0], 0, 0
				for _, path := range of {
					clock := time.Now()
					r, err := way.s.Related(b.Context(), engine.RelatedRequest{Path: path, K: way.k, Estimate: way.estimate}, nil)
					if err != nil {
						b.Fatal(err)
					}
					times = append(times, time.Since(clock))
					for _, p := range r.Passages[:5] {
						all++
						if filepath.Dir(p.Path) == filepath.Dir(path) {
							same++
						}
					}
				}
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms/median")
			b.ReportMetric(100*float64(same)/float64(all), "%same-folder")
		})
	}
}

// everyNth returns n of the notes in folders below a root, evenly spread.
func everyNth(b *testing.B, root string, n int) []string {
	var all []string
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.HasSuffix(path, ".md") && filepath.Dir(path) != root {
			all = append(all, path)
		}
		return err
	})
	if err != nil || len(all) < n {
		b.Fatalf("%d notes, %v", len(all), err)
	}
	out := make([]string, n)
	for i := range out {
		out[i] = all[i*len(all)/n]
	}
	return out
}
