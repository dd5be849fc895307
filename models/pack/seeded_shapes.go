package pack

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// SeededShape returns the configuration of a published decoder by name, a mixture of
// experts or not.
func SeededShape(name string) (Config, error) {
	all := SeededShapes()
	maps.Copy(all, SeededMixtures())
	c, ok := all[name]
	if !ok {
		return c, fmt.Errorf("there is no shape %q; there are: %s", name, strings.Join(slices.Sorted(maps.Keys(all)), ", "))
	}
	return c, nil
}

// WriteSeeded writes random weights in the form in which a model is swapped: a mixture
// of experts as a pack (WriteSeededMixture), any other decoder as a row pack
// (WriteSeededRows).
func WriteSeeded(ctx context.Context, path string, c Config, seed uint64, o RowOptions, progress func(done, total int64)) error {
	if c.Mixture.Experts > 0 {
		return WriteSeededMixture(ctx, path, c, seed, progress)
	}
	return WriteSeededRows(ctx, path, c, seed, o, progress)
}

// SeededSize returns the bytes of the file that WriteSeeded writes.
func SeededSize(c Config, o RowOptions) (int64, error) {
	if err := c.check(); err != nil {
		return 0, err
	}
	words, err := seededTokenizer()
	if err != nil {
		return 0, err
	}
	w := blockFile{header: seededRows{config: c}.header()}
	if c.Mixture.Experts == 0 {
		if err := checkRows(o.GroupLayers, o.Bits); err != nil {
			return 0, err
		}
		w.header.Rows = &rowsHeader{GroupLayers: o.GroupLayers, Bits: o.Bits, Source: w.header.Fingerprint}
	}
	if err := w.plan(len(words)); err != nil {
		return 0, err
	}
	return w.total, nil
}
