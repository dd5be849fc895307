package rerank_test

import (
	"testing"

	"dowse/engine/rerank"
)

// TestKeyText spells out the buckets and their text form.
func TestKeyText(t *testing.T) {
	for _, c := range []struct {
		domain rerank.Domain
		n, k   int
		want   string
	}{
		{rerank.Prob, 20, 10, "mini lm/6 prob n16-31 k25-50%"},
		{rerank.Prob, 16, 4, "mini lm/6 prob n16-31 k10-25%"},
		{rerank.Raw, 31, 8, "mini lm/6 raw n16-31 k25-50%"},
		{rerank.Prob, 60, 3, "mini lm/6 prob n32-63 k0-5%"},
		{rerank.Prob, 60, 4, "mini lm/6 prob n32-63 k5-10%"},
		{rerank.Prob, 1000, 1000, "mini lm/6 prob n512-1023 k50-100%"},
		{rerank.Prob, 1, 9, "mini lm/6 prob n1-1 k50-100%"},
	} {
		key := rerank.KeyOf("mini lm/6", c.domain, c.n, c.k)
		if key.String() != c.want {
			t.Errorf("n %d, k %d: %q instead of %q", c.n, c.k, key, c.want)
		}
	}
}
