package models

import (
	"slices"
	"strings"
	"testing"
)

func TestParsePruning(t *testing.T) {
	const sound = `{"model": "ab", "prior": 20, "thresholds": [{"candidates": 20, "k": 10, "sure": 3, "min_layers": 3, "tau": 0.4, "traces": 200, "agreement": 0.999, "cost": 0.6}]}`
	p, err := parsePruning([]byte(sound))
	want := Threshold{Candidates: 20, K: 10, Sure: 3, MinLayers: 3, Tau: 0.4, Traces: 200, Agreement: 0.999, Cost: 0.6}
	if err != nil || p.Model != "ab" || p.Prior != 20 || len(p.Thresholds) != 1 || p.Thresholds[0] != want {
		t.Fatalf("%+v, %v", p, err)
	}
	for _, c := range []struct{ from, to, says string }{
		{`"model": "ab"`, `"model": ""`, "name the weights"},
		{`"prior"`, `"priority"`, "unknown field"},
		{`"k": 10`, `"k": 0`, "0 of 20"},
		{`"k": 10`, `"k": 20`, "20 of 20"},
		{`"sure": 3`, `"sure": 0`, "sure of 0"},
		{`"sure": 3`, `"sure": 11`, "sure of 11"},
		{`"min_layers": 3`, `"min_layers": -1`, "min_layers -1"},
		{`"tau": 0.4`, `"tau": -0.4`, "tau -0.4"},
	} {
		if _, err := parsePruning([]byte(strings.Replace(sound, c.from, c.to, 1))); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.to, err)
		}
	}
}

// TestBundledPruning: each reranker that the program carries comes with thresholds for
// what searches ask of it, and a model that is none comes without.
func TestBundledPruning(t *testing.T) {
	rerankers := 0
	for _, e := range Catalogue() {
		if e.Role != Reranker || !Bundled(e.Name) {
			continue
		}
		rerankers++
		p, err := BundledPruning(e.Name)
		if err != nil || p == nil {
			t.Fatalf("%s has none: %v", e.Name, err)
		}
		prior := e.Prior
		if purpose, err := BundledPurpose(e.Name); err == nil && purpose != nil {
			prior = purpose.Prior
		}
		if p.Prior != prior {
			t.Errorf("%s: measured with a prior of %g, it is used with %g: measure again", e.Name, p.Prior, prior)
		}
		for _, want := range [][2]int{{12, 1}, {12, 6}, {20, 1}, {20, 5}, {20, 10}} {
			if !slices.ContainsFunc(p.Thresholds, func(th Threshold) bool { return th.Candidates == want[0] && th.K == want[1] }) {
				t.Errorf("%s: nothing is said of the best %d of %d", e.Name, want[1], want[0])
			}
		}
	}
	if rerankers != 2 {
		t.Errorf("%d rerankers in the catalogue and the program, 2 are wanted", rerankers)
	}
	for _, name := range []string{DefaultEmbedder, DefaultReader, "unknown"} {
		if p, err := BundledPruning(name); p != nil || err != nil {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}
