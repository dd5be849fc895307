package leann

import (
	"context"
	"fmt"
	"slices"
)

// Params steer a search. They trade recall for recomputed vectors.
type Params struct {
	// Keep is how many exact results are kept while searching (ef): the
	// search ends when no node left to expand is better than the worst of them.
	Keep int
	// Ratio is the share of newly seen nodes whose vectors are recomputed
	// (LEANN's a, Algorithm 2): at 1 all are, and codes are not used.
	Ratio float64
	// Beam is the width of the walk by estimates alone that finds where to
	// begin; it recomputes nothing.
	Beam int
	// Batch is how many vectors are recomputed at a time, at least: one for
	// each core keeps them busy, more expands stale candidates for nothing.
	Batch int
}

// Request is what is searched for.
type Request struct {
	Query   []float32
	K       int     // hits wanted
	Tail    int     // estimates wanted beyond them
	Allowed Allowed // nil admits every node
	Params
}

// Searcher searches a graph as LEANN does, without an index around it: best first with
// recomputed vectors (Algorithm 1), or by two queues (Algorithm 2). dowse searches by
// Index.Search; this is what it is measured against. It is not safe for concurrent use.
type Searcher struct {
	Graph *Graph
	Codes *Codes // nil: no estimates, Ratio is 1
	Exact Exact
	Dot   Dotter
	// Trace, if not nil, is called before each expansion with how many exact results are
	// better than what is expanded next, Keep at most. A search with a smaller Keep would
	// have ended at the first call with so many: which node comes next hangs on no Keep.
	Trace func(better int)
}

// twoQueues is a search under way.
type twoQueues struct {
	*Searcher
	Request
	ctx      context.Context
	estimate estimator
	guided   bool  // estimates decide what is recomputed
	seen     marks // met, and in one of the queues
	expanded marks
	pending  queue // met and not recomputed, by estimate (Algorithm 2's AQ)
	open     queue // to be expanded, by exact score (EQ)
	best     queue // exact results, worst at the root (R)
	batch    []uint32
	vectors  []float32
	ok       []bool
	scores   []float32
	stats    Stats
}

// Search walks the graph best first, recomputing vectors as it goes (LEANN,
// Algorithms 1 and 2 with dynamic batching). It ends early with ctx.Err()
// when ctx ends.
func (s *Searcher) Search(ctx context.Context, req Request) (Found, error) {
	if s.Graph.entry() == none || req.K <= 0 {
		return Found{}, nil
	}
	w := &twoQueues{Searcher: s, Request: req, ctx: ctx, best: queue{worst: true}}
	w.Keep = max(w.Keep, req.K)
	w.Batch = max(w.Batch, 1)
	w.guided = s.Codes != nil && req.Ratio < 1
	w.seen.reset(int(s.Graph.size))
	w.expanded.reset(int(s.Graph.size))
	if w.guided {
		w.estimate = s.Codes.estimator(req.Query)
	}
	if err := w.start(); err != nil {
		return Found{}, err
	}
	if err := w.run(); err != nil {
		return Found{}, err
	}
	return w.found(), nil
}

// start finds where to begin on level 0.
func (w *twoQueues) start() error {
	if !w.guided {
		return w.descendExactly()
	}
	w.beam(w.descend())
	w.take(max(w.Batch, int(w.Ratio*float64(w.Beam))))
	return w.recompute()
}

// descend walks the upper levels by estimates.
func (w *twoQueues) descend() scored {
	at := scored{w.Graph.entry(), w.estimate.score(w.Graph.entry())}
	for level := w.Graph.top(); level > 0; level-- {
		for moved := true; moved; {
			moved = false
			for _, n := range w.Graph.levels[level].neighbours(at.node) {
				if s := (scored{n, w.estimate.score(n)}); s.before(at) {
					at, moved = s, true
				}
			}
		}
	}
	return at
}

// beam walks level 0 by estimates and leaves what it met pending.
func (w *twoQueues) beam(from scored) {
	open, near := queue{}, queue{worst: true}
	open.push(from)
	w.meet(from.node)
	near.push(from)
	for open.len() > 0 {
		at := open.pop()
		if near.len() >= w.Beam && near.root().before(at) {
			break
		}
		w.expanded.add(at.node)
		for _, n := range w.Graph.levels[0].neighbours(at.node) {
			if w.seen.has(n) {
				continue
			}
			s := scored{n, w.meet(n)}
			if near.offer(s, w.Beam) {
				open.push(s)
			}
		}
	}
}

// meet puts a node that was not seen before into the queue where it belongs,
// and returns its estimate.
func (w *twoQueues) meet(node uint32) float32 {
	w.seen.add(node)
	w.stats.Seen++
	score := float32(0)
	if w.guided {
		score = w.estimate.score(node)
		if !w.allowed(node) {
			// It leads on to others but is never a result: no need to know
			// it exactly.
			w.open.push(scored{node, score})
			return score
		}
	}
	w.pending.push(scored{node, score})
	return score
}

func (w *twoQueues) allowed(node uint32) bool { return w.Allowed == nil || w.Allowed.Has(node) }

// descendExactly walks the upper levels with recomputed vectors.
func (w *twoQueues) descendExactly() error {
	at, err := w.nearest(scored{none, 0}, []uint32{w.Graph.entry()})
	if err != nil {
		return err
	}
	for level := w.Graph.top(); level > 0; level-- {
		for {
			next, err := w.nearest(at, w.Graph.levels[level].neighbours(at.node))
			if err != nil {
				return err
			}
			if next.node == at.node {
				break
			}
			at = next
		}
	}
	w.seen.add(at.node)
	w.stats.Seen++
	if at.score == unknownScore { // it leads on, but is no result
		w.open.push(scored{at.node, 0})
		return nil
	}
	w.enter(at.node, at.score)
	return nil
}

// nearest recomputes nodes and returns the best of them and at. A node that
// cannot be recomputed never is.
func (w *twoQueues) nearest(at scored, nodes []uint32) (scored, error) {
	if len(nodes) == 0 {
		return at, nil
	}
	w.batch = append(w.batch[:0], nodes...)
	if err := w.compute(); err != nil {
		return at, err
	}
	for i, node := range w.batch {
		s := scored{node, w.scores[i]}
		if !w.ok[i] {
			w.stats.Stale++
			s.score = unknownScore
		}
		if at.node == none || s.before(at) {
			at = s
		}
	}
	w.batch = w.batch[:0]
	return at, nil
}

// run alternates between expanding what is known exactly and recomputing the
// most promising of what that brought, until nothing can improve the results.
func (w *twoQueues) run() error {
	for {
		for len(w.batch) < w.Batch && !w.finished() {
			w.take(w.share(w.expand(w.open.pop())))
		}
		if len(w.batch) == 0 && w.best.len() < w.Keep {
			w.take(w.Batch) // the walk has run dry, but estimates are left
		}
		if len(w.batch) == 0 {
			return nil
		}
		if err := w.recompute(); err != nil {
			return err
		}
	}
}

// finished is the stop rule of best-first search.
func (w *twoQueues) finished() bool {
	if w.Trace != nil {
		better := 0
		for _, s := range w.best.items {
			better += bitOf(w.open.len() == 0 || s.before(w.open.root()))
		}
		w.Trace(better)
	}
	return w.open.len() == 0 || w.best.len() >= w.Keep && w.best.root().before(w.open.root())
}

// expand meets the neighbours of a node and returns how many were new.
func (w *twoQueues) expand(s scored) int {
	if !w.expanded.add(s.node) {
		return 0
	}
	met := 0
	for _, n := range w.Graph.levels[0].neighbours(s.node) {
		if !w.seen.has(n) {
			w.meet(n)
			met++
		}
	}
	return met
}

// share returns how many pending nodes are recomputed after an expansion that
// brought so many new ones.
func (w *twoQueues) share(met int) int {
	if !w.guided {
		return met
	}
	return max(1, int(w.Ratio*float64(met)))
}

// take moves the n most promising pending nodes into the batch.
func (w *twoQueues) take(n int) {
	for ; n > 0 && w.pending.len() > 0; n-- {
		w.batch = append(w.batch, w.pending.pop().node)
	}
}

// recompute gives the nodes of the batch their exact scores.
func (w *twoQueues) recompute() error {
	if err := w.compute(); err != nil {
		return err
	}
	for i, node := range w.batch {
		if w.ok[i] {
			w.enter(node, w.scores[i])
			continue
		}
		w.stats.Stale++
		// Its links may still lead on; what stands there now is unknown.
		score := float32(0)
		if w.guided {
			score = w.estimate.score(node)
		}
		w.open.push(scored{node, score})
	}
	w.batch = w.batch[:0]
	return nil
}

// enter puts a node with its exact score into the queues.
func (w *twoQueues) enter(node uint32, score float32) {
	w.open.push(scored{node, score})
	if w.allowed(node) {
		w.best.offer(scored{node, score}, w.Keep)
	}
}

// compute fills scores and ok for the batch.
func (w *twoQueues) compute() error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	n, dim := len(w.batch), len(w.Query)
	w.stats.Recomputed += n
	w.stats.Batches++
	w.vectors = slices.Grow(w.vectors[:0], n*dim)[:n*dim]
	w.ok = slices.Grow(w.ok[:0], n)[:n]
	w.scores = slices.Grow(w.scores[:0], n)[:n]
	if err := w.Exact.Vectors(w.ctx, w.batch, w.vectors, w.ok); err != nil {
		return fmt.Errorf("recompute vectors: %w", err)
	}
	for i := range n {
		w.scores[i] = w.Dot.Dot(w.Query, w.vectors[i*dim:(i+1)*dim])
	}
	return nil
}

// found gathers the results.
func (w *twoQueues) found() Found {
	found := Found{Stats: w.stats}
	slices.SortFunc(w.best.items, compareScored)
	for _, s := range w.best.items[:min(w.K, len(w.best.items))] {
		found.Hits = append(found.Hits, Hit{s.node, float64(s.score)})
	}
	for w.guided && w.pending.len() > 0 && len(found.Tail) < w.Tail {
		s := w.pending.pop()
		found.Tail = append(found.Tail, Hit{s.node, float64(s.score)})
	}
	return found
}
