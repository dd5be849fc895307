package lexical

import (
	"math/rand/v2"
	"testing"
)

// TestDistance compares distances with their definition.
func TestDistance(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	word := func() []rune {
		w := make([]rune, rng.IntN(7))
		for i := range w {
			w[i] = rune('a' + rng.IntN(3))
		}
		return w
	}
	var d distance
	for range 5000 {
		a, b, limit := word(), word(), rng.IntN(4)
		want := min(plainDistance(a, b), limit+1)
		if got := d.between(a, b, limit); got != want {
			t.Fatalf("%q and %q, up to %d: %d, want %d", string(a), string(b), limit, got, want)
		}
	}
}

// plainDistance is the definition, by recursion over the ends of two words.
func plainDistance(a, b []rune) int {
	n, m := len(a), len(b)
	if n == 0 || m == 0 {
		return n + m
	}
	change := 1
	if a[n-1] == b[m-1] {
		change = 0
	}
	best := min(plainDistance(a[:n-1], b)+1, plainDistance(a, b[:m-1])+1, plainDistance(a[:n-1], b[:m-1])+change)
	if n > 1 && m > 1 && a[n-1] == b[m-2] && a[n-2] == b[m-1] {
		best = min(best, plainDistance(a[:n-2], b[:m-2])+1)
	}
	return best
}
