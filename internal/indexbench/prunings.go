package indexbench

import (
	"context"
	"fmt"

	"dowse/engine/leann"
)

// GraphRow is a graph and what a search with a=1 recomputes on it.
type GraphRow struct {
	Graph         string      `json:"graph"`
	Shape         string      `json:"shape"`
	BuildSeconds  float64     `json:"build_s"`
	Degree        float64     `json:"degree"` // mean links on level 0
	BytesPerChunk float64     `json:"bytes_per_chunk"`
	Results       []GraphGoal `json:"results"`
}

// GraphGoal is what it takes to reach a recall.
type GraphGoal struct {
	Goal  float64  `json:"goal"`
	Best  *Outcome `json:"best"`  // nil: no setting of the grid reaches it
	Ratio float64  `json:"ratio"` // of recomputes to those of the original; 0: unknown
}

// comparePrunings measures each graph of a set.
func (b *bench) comparePrunings(ctx context.Context, c *Collection, g *graphSet) ([]GraphRow, error) {
	shape := func(s leann.Shape) string { return fmt.Sprintf("M=%d, %d at most", s.Own, s.Cap) }
	graphs := []struct {
		name, shape string
		graph       *leann.Graph
	}{
		{"original", shape(fullShape), g.full},
		{"hub-pruned", "hubs as before, others " + shape(shapeOf(g.hubLinks)), g.hub},
		{"randomly pruned", fmt.Sprintf("%g of the links", keptShare), g.random},
		{"small M", shape(shapeOf(g.smallLinks)), g.small},
	}
	var rows []GraphRow
	for _, x := range graphs {
		m := exactWalk(x.name+" graph", c, x.graph)
		found, err := b.sweep(ctx, c, m, goals)
		if err != nil {
			return nil, err
		}
		row := GraphRow{
			Graph: x.name, Shape: x.shape, BuildSeconds: b.seconds[x.graph],
			Degree: x.graph.Degree(), BytesPerChunk: m.bytes / float64(c.Vectors.Len()),
		}
		for i, o := range found {
			goal := GraphGoal{Goal: goals[i], Best: o}
			first := o
			if len(rows) > 0 {
				first = rows[0].Results[i].Best
			}
			if o != nil && first != nil {
				goal.Ratio = o.Recomputes / first.Recomputes
			}
			row.Results = append(row.Results, goal)
		}
		rows = append(rows, row)
	}
	return rows, nil
}
