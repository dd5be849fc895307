package bench

import (
	"context"
	"time"

	"dowse/engine/leann"
)

// point is what one setting of a ladder came to for one query.
type point struct{ asked, recalled int }

// curve are the points of one query, of the cheapest setting first. Settings beyond its end
// come to what the last one does.
type curve []point

// at returns the point of a setting.
func (c curve) at(setting int) point { return c[min(setting, len(c)-1)] }

// ladderOf are the curves of all queries over the settings of one ladder.
type ladderOf struct {
	curves []curve
	name   func(setting int) string // in words
	own    time.Duration            // that all queries took in all, without embedding
}

// settings returns how many there are.
func (l ladderOf) settings() (n int) {
	for _, c := range l.curves {
		n = max(n, len(c))
	}
	return n
}

// cheapest returns, for each of the goals, the setting of any ladder that recomputes the
// fewest vectors of those that reach it. It reads what was recorded and searches no more.
func (c *searched) cheapest(ladders []ladderOf) []goalResult {
	wanted := 0
	for _, truth := range c.truth {
		wanted += len(truth)
	}
	results := make([]goalResult, len(goals))
	for i, goal := range goals {
		results[i].Goal = goal
		for _, l := range ladders {
			for s := range l.settings() {
				asked, recalled := 0, 0
				for _, curve := range l.curves {
					p := curve.at(s)
					asked, recalled = asked+p.asked, recalled+p.recalled
				}
				o := outcome{Recall: float64(recalled) / float64(wanted), Recomputes: float64(asked) / float64(len(l.curves)),
					OwnMicros: micros(l.own) / float64(len(l.curves)), Setting: setting{Text: l.name(s)}}
				if o.Recall < goal {
					continue
				}
				if best := results[i].Best; best == nil || o.Recomputes < best.Recomputes {
					results[i].Best = &o
				}
				break // the next ones are dearer
			}
		}
	}
	return results
}

// record asks every query once and keeps its curve.
func (c *searched) record(ctx context.Context, name func(setting int) string, ask func(ctx context.Context, i int) (curve, error)) (ladderOf, error) {
	l := ladderOf{curves: make([]curve, len(c.queries)), name: name}
	start := time.Now()
	err := each(ctx, len(c.queries), workers(), func(ctx context.Context, i int) (err error) {
		l.curves[i], err = ask(ctx, i)
		return err
	})
	l.own = time.Since(start) * time.Duration(min(workers(), len(c.queries)))
	return l, err
}

// order is a leann.Exact that hands out vectors that are at hand and keeps in which order
// they were asked for.
type order struct {
	vectors *Vectors
	asked   []uint32
}

// Vectors implements leann.Exact.
func (o *order) Vectors(_ context.Context, nodes []uint32, dst []float32, ok []bool) error {
	for i, node := range nodes {
		copy(dst[i*o.vectors.Dim:], o.vectors.Vector(node))
		ok[i] = true
	}
	o.asked = append(o.asked, nodes...)
	return nil
}

// depths returns as which one each of some chunks was asked for, from 1; 0: it was not.
func (o *order) depths(chunks []uint32) []int {
	depths := make([]int, len(chunks))
	for at, node := range o.asked {
		for i, chunk := range chunks {
			if chunk == node && depths[i] == 0 {
				depths[i] = at + 1
			}
		}
	}
	return depths
}

// within counts the depths that are not beyond a number.
func within(depths []int, n int) (found int) {
	for _, depth := range depths {
		countIf(&found, depth > 0 && depth <= n)
	}
	return found
}

// mostRecorded is how many vectors an index of codes recomputes at most for a curve.
const mostRecorded = 4096

// byNumber records an index that recomputes the same number of vectors for every query.
func (c *searched) byNumber(ctx context.Context, index leann.Index, store *blocks, walk leann.Walk) (ladderOf, error) {
	name := func(s int) string { return setting{Rerank: s + 1, Pull: walk.Pull}.String() }
	return c.record(ctx, name, func(ctx context.Context, i int) (curve, error) {
		asked := order{vectors: c.Vectors}
		query := leann.Query{Vector: c.queries[i], Depth: truthDepth, Batch: leann.RecomputeBatch, Recompute: min(mostRecorded, c.Len()), Walk: walk}
		if _, err := index.Search(ctx, store, &asked, query); err != nil {
			return nil, err
		}
		depths, points := asked.depths(c.truth[i]), curve{}
		for n := 1; n <= len(asked.asked); n++ {
			points = append(points, point{n, within(depths, n)})
		}
		return points, nil
	})
}

// keeps are the numbers of results kept (ef) that a search of a graph is recorded at.
var keeps = []int{3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 24, 28, 33, 40, 48, 57, 68, 80, 95, 115, 135, 160, 190, 225, 270, 320, 400, 500, 640, 800, 1000}

// byKeeping records a search of a graph with each number of results kept, by one walk with
// the largest.
func (c *searched) byKeeping(ctx context.Context, name string, s leann.Searcher, p leann.Params) (ladderOf, error) {
	p.Keep, p.Batch = keeps[len(keeps)-1], 1
	return c.record(ctx, func(s int) string { return name + setting{Keep: keeps[s]}.String() }, func(ctx context.Context, i int) (curve, error) {
		own, asked, ends := s, order{vectors: c.Vectors}, curve{}
		own.Exact = &asked
		own.Trace = func(better int) {
			for len(ends) < len(keeps) && better >= keeps[len(ends)] {
				ends = append(ends, point{asked: len(asked.asked)})
			}
		}
		if _, err := own.Search(ctx, leann.Request{Query: c.queries[i], K: truthDepth, Params: p}); err != nil {
			return nil, err
		}
		for len(ends) < len(keeps) { // it ran dry before
			ends = append(ends, point{asked: len(asked.asked)})
		}
		depths := asked.depths(c.truth[i])
		for at := range ends {
			ends[at].recalled = within(depths, ends[at].asked)
		}
		return ends, nil
	})
}
