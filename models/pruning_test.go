package models

import (
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

// TestBundledPruning: the reranker that a fresh installation uses comes with
// thresholds for what its searches ask, and a model that is none comes without.
func TestBundledPruning(t *testing.T) {
	p, err := BundledPruning(DefaultReranker)
	if err != nil || p == nil {
		t.Fatalf("%s has none: %v", DefaultReranker, err)
	}
	if e, _ := Lookup(DefaultReranker); p.Prior != e.Prior {
		t.Errorf("measured with a prior of %g, the catalogue says %g: measure again", p.Prior, e.Prior)
	}
	for _, k := range []int{1, 5, 10} {
		found := false
		for _, th := range p.Thresholds {
			found = found || th.Candidates == 20 && th.K == k
		}
		if !found {
			t.Errorf("nothing is said of the best %d of 20", k)
		}
	}
	for _, name := range []string{DefaultEmbedder, DefaultReader, "unknown"} {
		if p, err := BundledPruning(name); p != nil || err != nil {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}
