package rerankbench

import (
	"fmt"
	"slices"

	"dowse/engine/transformer"
)

// way is a way to run a model. The zero value is the usual one of a model that
// fits: resident, in chunks, all candidates together, nothing pruned.
type way struct {
	name        string
	streamed    bool // layers come through a window
	synchronous bool // and are read only when they are wanted
	offloaded   bool // hidden states lie in a file
	table       bool // a streamed model's embedding rows all stay
	whole       bool // a layer's tokens are computed at once, not in chunks
	batch       int  // candidates that end before the next begin; 0: all of them
	separate    bool // tokens that all candidates of a decoder begin with are computed for each
	pruned      bool
}

// cachedShare of the vocabulary, as 1/cachedShare, is the cache of embedding
// rows of a streamed model.
const cachedShare = 10

// plan decides as MakePlan does where the way leaves the choice, and as the
// way says where not.
func (w way) plan(m transformer.Model, threads int) func(lengths []int) (transformer.Plan, error) {
	return func(lengths []int) (transformer.Plan, error) {
		p, err := transformer.MakePlan(m, transformer.Limits{Threads: threads}, lengths)
		if err != nil {
			return p, err
		}
		longest, rows := slices.Max(append(lengths[:len(lengths):len(lengths)], 1)), 0
		for _, n := range lengths {
			rows += n
		}
		switch {
		case w.whole:
			p.ChunkRows = max(rows, 1)
		case w.offloaded: // one chunk is shared by the workers
			least := p.ChunkRows - longest
			p.ChunkRows = threads*(least+1) + longest - 1
		}
		p.Streamed, p.Offload = w.streamed, w.offloaded
		if w.streamed {
			p.WordRows = (m.Config.Vocabulary + cachedShare - 1) / cachedShare
		}
		if w.streamed && w.table {
			p.WordRows = m.Config.Vocabulary
		}
		p.Peak = transformer.Peak{} // what is held is measured
		return p, nil
	}
}

// executionWays are compared in speed and memory; the first is what the others
// are measured against. Pruned ones are left out where nothing may be pruned.
func executionWays(prune bool) []way {
	ways := []way{
		{name: residentName},
		{name: "synchronous offload", streamed: true, synchronous: true},
		{name: "streamed", streamed: true},
		{name: "streamed, states in a file", streamed: true, offloaded: true},
		{name: "resident, pruned", pruned: true},
		{name: "streamed, pruned", streamed: true, pruned: true},
		{name: "streamed, states in a file, pruned", streamed: true, offloaded: true, pruned: true},
	}
	if !prune {
		ways = ways[:4]
	}
	return ways
}

const residentName = "resident"

// baselineBatch is how many candidates the baseline of the ablation takes at a
// time.
const baselineBatch = 8

// ablationWays add one thing after the other, in the order in which GRATING's
// own ablation does: pruning, chunks, window, cache of embedding rows. Of a
// decoder the prefix that candidates share comes last.
func ablationWays(prune, decoder bool) []way {
	pruning := "+ pruning"
	if !prune {
		pruning = "+ all candidates together"
	}
	ways := []way{
		{name: fmt.Sprintf("batches of %d, resident", baselineBatch), batch: baselineBatch, whole: true},
		{name: pruning, whole: true, pruned: prune},
		{name: "+ chunks", pruned: prune},
		{name: "+ window of two layers", streamed: true, table: true, pruned: prune},
		{name: "+ cache of embedding rows", streamed: true, pruned: prune},
	}
	if decoder {
		for i := range ways {
			ways[i].separate = true
		}
		ways = append(ways, way{name: "+ shared prefix", streamed: true, pruned: prune})
	}
	return ways
}
