package pack

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A seeded mixture is a sound pack, the same for the same seed, and its sums are right.
func TestSeededMixture(t *testing.T) {
	for name, c := range SeededMixtures() {
		c.Layers, c.Hidden, c.Heads, c.KVHeads, c.HeadDim, c.Vocabulary, c.Intermediate = 3, 64, 4, 2, 16, 200, 96
		c.Mixture.Width, c.Mixture.Experts = 96, 9
		if c.QKNorm {
			c.Mixture.Dense.Add(1)
		}
		var files [2][]byte
		for i := range files {
			path := filepath.Join(t.TempDir(), "seeded.pack")
			if err := WriteSeededMixture(t.Context(), path, c, 4, nil); err != nil {
				t.Fatal(err)
			}
			p := openPack(t, path)
			if err := p.Verify(t.Context()); err != nil || p.Config() != c {
				t.Errorf("%s: %+v (%v)", name, p.Config(), err)
			}
			e := p.Expert(2, 7)
			sum := int32(0)
			for k := range e.Down.K {
				sum += int32(e.Down.Weights[k*e.Down.N+5])
			}
			if sum != e.Down.ColSum[5] || slices.Equal(e.Down.Weights, p.Expert(2, 6).Down.Weights) {
				t.Errorf("%s: a sum of %d, want %d, or experts are alike", name, e.Down.ColSum[5], sum)
			}
			var err error
			if files[i], err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(files[0], files[1]) {
			t.Errorf("%s: two packs of one seed differ", name)
		}
	}
}
