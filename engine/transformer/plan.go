package transformer

import (
	"errors"
	"fmt"

	"dowse/engine/kernel"
	"dowse/models/pack"
)

// Pools of the ledger.
const (
	WeightsPool = "weights"        // those of a resident model; of a streamed one what stays resident
	WindowPool  = "weights.window" // the two layers of a streamed model
	KeptPool    = "weights.cache"  // the layers of a streamed decoder that stay
	WordsPool   = "embed.lru"      // embedding rows of a streamed model
	HiddenPool  = "acts.hidden"    // hidden states of the candidates of a pass

	activationsPool = kernel.ScratchPool // working memory
)

// ErrBudget is wrapped by the error about a budget that is too small to run a
// model in, however slowly.
var ErrBudget = errors.New("not enough memory for the model")

// Limits is what a pass may use.
type Limits struct {
	Budget  int64 // bytes in all pools together; 0 means any number
	Threads int   // workers, at least 1
}

// Plan says how candidates are brought through the layers of a model.
type Plan struct {
	// Streamed says that weights come from the pack through a window of two
	// layers; otherwise all of them are in memory.
	Streamed bool
	// Offload says that hidden states lie in a file, but for three chunks.
	Offload bool
	// ChunkRows is the number of tokens that are computed at a time: by one
	// worker or, with Offload, by all of them together. A chunk holds whole
	// candidates, and one candidate even if that is longer.
	ChunkRows int
	// WordRows is the number of embedding rows kept of a streamed model.
	WordRows int
	// Peak is the most that a pass takes.
	Peak Peak
}

// Peak is memory by pool, in bytes.
type Peak struct {
	Weights, Window, Words, Activations int64
}

// Total is the memory of all pools.
func (p Peak) Total() int64 { return p.Weights + p.Window + p.Words + p.Activations }

const (
	// plateauRows is where more rows no longer make the integer products
	// faster by much: 64 reached 92% and 512 rows 100% of the rate at 384
	// channels (go test -bench Linear ./engine/kernel), and attention wants
	// its keys and values in the cache.
	plateauRows = 128
	// hiddenSlots are the chunks of hidden states that are resident with
	// Offload: one is computed, one is written, one is read.
	hiddenSlots = 3
	// wordShare of the vocabulary, as 1/wordShare, is the LRU's capacity.
	wordShare = 10
	// wordBlockRows is the number of rows that are looked up past the LRU at a
	// time, when a request has more words than it holds.
	wordBlockRows = 256
	// wordReadBytes is the size of the largest read of embedding rows.
	wordReadBytes = 256 << 10
	// usualCandidates is how many candidates a model should have room for.
	usualCandidates = 60
	// allocationSlack is for what is rounded up to pages.
	allocationSlack = 64 << 10
)

// Model is what the planner knows of a model.
type Model struct {
	Config    pack.Config
	Mapped    int64 // bytes of the pack, all of which a resident model holds
	Tokenizer int64 // bytes of its tokenizer, which is never streamed
	Resident  int64 // bytes of an adapter, which is never streamed
}

// MakePlan decides how a model runs over candidates of the given lengths, in
// tokens. Whether it is streamed, and how many embedding rows are kept then,
// depends on model and limits alone: a model stays resident if it fits beside
// the least working memory for a usual number of its longest inputs. The error
// wraps ErrBudget when not even two layers and one candidate fit.
func MakePlan(m Model, limits Limits, lengths []int) (Plan, error) {
	return makePlan(m, limits, request{lengths: lengths})
}

// request is the candidates of a pass.
type request struct {
	prefix  int   // tokens that all of them begin with, computed once
	lengths []int // tokens of each, after the prefix
}

func makePlan(m Model, limits Limits, r request) (Plan, error) {
	c := &m.Config
	limits.Threads = max(limits.Threads, 1)
	e := estimate{config: c, shape: shapeOf(c), limits: limits, prefix: r.prefix, candidates: len(r.lengths), longest: 1}
	for _, n := range r.lengths {
		e.rows += n
		e.longest = max(e.longest, n)
	}
	usual := estimate{config: c, shape: e.shape, limits: limits, rows: usualCandidates * c.MaxTokens, longest: c.MaxTokens, candidates: usualCandidates}
	p := Plan{ChunkRows: plateauRows + e.longest - 1, Peak: Peak{Weights: m.Mapped + m.Resident + rotaryBytes(c)}}
	if limits.Budget <= 0 {
		p.Peak.Activations = e.resident(p.ChunkRows)
		return p, nil
	}
	if p.Peak.Weights+usual.least() > limits.Budget {
		p.Streamed, e.streamed, usual.streamed = true, true, true
		p.Peak.Weights = int64(c.TablesBuffer()+headBuffer(c)) + m.Tokenizer + m.Resident + rotaryBytes(c)
		p.Peak.Window = 2 * int64(c.LayerBuffer())
		p.WordRows = usual.wordRows(limits.Budget - p.Peak.Total() - usual.least())
		p.Peak.Words = wordCacheBytes(c, p.WordRows)
	}
	room := limits.Budget - p.Peak.Total()
	if e.least() > room {
		return Plan{}, fmt.Errorf("%w: %s takes at least %d bytes for inputs of %d tokens, the budget is %d",
			ErrBudget, c.Architecture, p.Peak.Total()+e.least(), e.prefix+e.longest, limits.Budget)
	}
	e.fitActivations(&p, room)
	return p, nil
}

// fitActivations chooses where hidden states lie and how large chunks are, for
// at most room bytes, which are at least e.least().
func (e *estimate) fitActivations(p *Plan, room int64) {
	need := e.resident
	if p.Offload = e.resident(e.longest) > room; p.Offload {
		need = e.offloaded
		p.ChunkRows = e.limits.Threads*plateauRows + e.longest - 1
	}
	for p.ChunkRows > e.longest && need(p.ChunkRows) > room {
		p.ChunkRows = max(e.longest, p.ChunkRows*7/8)
	}
	p.Peak.Activations = need(p.ChunkRows)
}
