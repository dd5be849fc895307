package indexbench

import (
	"context"

	"dowse/engine/leann"
)

// GrowthRow says how the work of a method grows with the collection.
type GrowthRow struct {
	Method string        `json:"method"`
	Sizes  []GrowthPoint `json:"sizes"`
}

// GrowthPoint is the cheapest setting at one size.
type GrowthPoint struct {
	Chunks int      `json:"chunks"`
	Best   *Outcome `json:"best"` // nil: no setting of the grid reaches the recall
}

// growthGoal is the recall that growth is measured at.
const growthGoal = 0.90

// smallSize is the size that all of n passages are compared with: a tenth of
// LEANN's usual hundred thousand, and of small collections a quarter.
func smallSize(n int) int {
	const usual = 10000
	if n >= 2*usual {
		return usual
	}
	return max(1, n/4)
}

// rotates says whether codes of a collection come from a rotated codebook, as
// dowse's own do from some size on. Every method that is compared gets the same
// kind, at both sizes of growth too: otherwise the difference of two codebooks
// would be read as one of two methods, or of two sizes.
func rotates(c *Collection) bool { return c.Vectors.Len() >= leann.RotateChunks }

// compareGrowth measures the methods on a part of the collection. Their
// results on all of it are in rows already.
func (b *bench) compareGrowth(ctx context.Context, c *Collection, part *Collection, hubLinks int, rows []MethodRow) ([]GrowthRow, error) {
	full, err := b.build(ctx, "building the small graph", part.Vectors, fullShape)
	if err != nil {
		return nil, err
	}
	graph, err := b.prune(ctx, "pruning the small graph", full, part.Vectors, shapeOf(hubLinks))
	if err != nil {
		return nil, err
	}
	quantized, err := NewQuantized(ctx, part.Vectors, b.opts.CodeBytes, rotates(c))
	if err != nil {
		return nil, err
	}
	x := &indexes{graph: graph, quantized: quantized}
	own, err := b.ownIndex(ctx, part.Vectors, rotates(c))
	if err != nil {
		return nil, err
	}
	var out []GrowthRow
	for _, m := range []*method{own, twoLevel(twoLevelName, part, x, 1), scannedCodes(part, quantized), exactWalk(exactName, part, graph)} {
		found, err := b.sweep(ctx, part, m, []float64{growthGoal})
		if err != nil {
			return nil, err
		}
		out = append(out, GrowthRow{m.name, []GrowthPoint{
			{part.Vectors.Len(), found[0]},
			{c.Vectors.Len(), bestOf(rows, m.name)},
		}})
	}
	return out, nil
}

// bestOf is what a method took to reach the recall of growth.
func bestOf(rows []MethodRow, name string) *Outcome {
	for _, row := range rows {
		for _, r := range row.Results {
			if row.Method == name && r.Goal == growthGoal {
				return r.Best
			}
		}
	}
	return nil
}
