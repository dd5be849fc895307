package snapshot

import (
	"errors"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/store"
)

// graphPool is the ledger's pool of graphs in memory.
const graphPool = "vectors.graph"

// graph is the graph of an index in memory, kept as long as the index does not change it.
type graph struct {
	stamp uint64
	walk  *leann.Graph
	bytes int64
}

// walk returns how searches of a commit use the graph. The caller holds building.
func (x *Index) walk(tx *store.Tx) (leann.Walk, error) {
	walk, err := x.soundWalk(tx)
	if err != nil && (tx.Damage().Any() || !errors.Is(err, store.ErrCorrupt)) {
		return leann.Walk{}, nil // a scan does without, and who indexes next repairs it
	}
	return walk, err
}

func (x *Index) soundWalk(tx *store.Tx) (leann.Walk, error) {
	measured, err := layout.Measured(tx)
	if err != nil {
		return leann.Walk{}, err
	}
	pull := layout.Pull(x.opts.Graph, measured)
	if pull == 0 {
		return leann.Walk{}, nil
	}
	index := layout.VectorIndex{Tx: tx}
	head, err := leann.ReadGraphHead(index)
	if err != nil || head.Stamp == 0 {
		return leann.Walk{}, err
	}
	if x.graph.stamp != head.Stamp {
		g, err := leann.ReadGraph(index)
		if err != nil {
			return leann.Walk{}, err
		}
		now := graph{head.Stamp, g, g.MemoryBytes()}
		x.opts.Ledger.Grow(graphPool, now.bytes)
		x.opts.Ledger.Shrink(graphPool, x.graph.bytes)
		x.graph = now
	}
	return leann.Walk{Graph: x.graph.walk, Pull: pull, Margin: measured.Margin}, nil
}

// graphStatus says what the index holds of a graph; nil where it has none that can be
// read.
func (x *Index) graphStatus(tx *store.Tx) *engine.GraphStatus {
	head, err := leann.ReadGraphHead(layout.VectorIndex{Tx: tx})
	measured, wrong := layout.Measured(tx)
	if err != nil || wrong != nil || head.Stamp == 0 {
		return nil
	}
	return &engine.GraphStatus{
		Nodes: head.Nodes, Links: head.Links, Hubs: head.Hubs,
		Walks: layout.Pull(x.opts.Graph, measured) > 0, Why: layout.WalkReason(x.opts.Graph, measured),
	}
}
