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
		if back, err := rerank.ParseKey(c.want); err != nil || back != key {
			t.Errorf("%q: %+v, %v", c.want, back, err)
		}
	}
}

// TestKeyRoundTrip: every size and share comes back from its text.
func TestKeyRoundTrip(t *testing.T) {
	for n := 1; n < 3000; n = n*3/2 + 1 {
		for k := 1; k <= n; k = k*5/4 + 1 {
			key := rerank.KeyOf("m", rerank.Raw, n, k)
			if back, err := rerank.ParseKey(key.String()); err != nil || back != key {
				t.Fatalf("n %d, k %d: %+v instead of %+v, %v", n, k, back, key, err)
			}
		}
	}
}

// TestParseKeyRefuses: only what String writes is read.
func TestParseKeyRefuses(t *testing.T) {
	for _, text := range []string{
		"", " ", "   ", "m", "prob n16-31 k25-50%", " prob n16-31 k25-50%",
		"m logit n16-31 k25-50%", "m prob n16-32 k25-50%", "m prob n17-31 k25-50%",
		"m prob n0-0 k25-50%", "m prob n-16-31 k25-50%", "m prob 16-31 k25-50%",
		"m prob n16-31 k20-50%", "m prob n16-31 k25-60%", "m prob n16-31 k25-50", "m prob n16-31 k25-50% ",
	} {
		if key, err := rerank.ParseKey(text); err == nil {
			t.Errorf("%q is read as %+v", text, key)
		}
	}
}

// FuzzParseKey: whatever is read is written the same.
func FuzzParseKey(f *testing.F) {
	f.Add("mini lm prob n16-31 k25-50%")
	f.Add("m raw n4611686018427387904-9223372036854775807 k0-5%")
	f.Add("m prob n-1--1 k50-100%")
	f.Fuzz(func(t *testing.T, text string) {
		if key, err := rerank.ParseKey(text); err == nil && key.String() != text {
			t.Errorf("%q is read as %+v, which is %q", text, key, key)
		}
	})
}
