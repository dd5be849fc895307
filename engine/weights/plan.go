package weights

import (
	"fmt"
	"slices"

	"dowse/engine/kernel"
	"dowse/models/pack"
)

// Limits is what a model may use.
type Limits struct {
	Budget  int64 // bytes in all pools together; 0 means any number
	Threads int   // workers, at least 1
}

// Model is what the planner knows of a model.
type Model struct {
	Config    pack.Config
	Mapped    int64 // bytes of the pack, which a resident model holds as a whole
	Tokenizer int64 // bytes of its tokenizer, which is never streamed
	Resident  int64 // bytes of an adapter, which is never streamed
	// ChunkTokens is how many tokens of a conversation share a chunk of memory; 0
	// for 128.
	ChunkTokens int
}

// Work is what a model does at a time, in one of three forms.
type Work struct {
	// Lengths are the tokens of sequences that go through the layers together, for the state
	// of one token each. A decoder computes a shared prefix of Prefix tokens once; Lengths
	// exclude it.
	Lengths []int
	Prefix  int
	// Batch is how many tokens, of sequences of at most Config.MaxTokens, each worker brings
	// through the layers at a time, for the states of all of them.
	Batch int
	// Conversation is how many new tokens a conversation has, whose keys and values are kept.
	Conversation int
}

// Plan says how a model runs.
type Plan struct {
	// Streamed reports whether layers are read from the pack during each pass, through
	// two buffers. Otherwise the whole pack is in memory.
	Streamed bool
	// TokenRows is the number of embedding rows kept of a streamed model whose
	// embeddings are streamed too.
	TokenRows int
	// ChunkRows is the number of tokens that are computed at a time: by one
	// worker or, with Offload, by all of them together. A chunk holds whole
	// sequences, and one sequence even if that is longer.
	ChunkRows int
	// Offload reports whether hidden states lie in a file, except HiddenSlots chunks.
	Offload bool

	// Of a conversation alone:

	// Kept is how many layers of a streamed model stay in memory while tokens are
	// decoded. The others are read again in every step.
	Kept int
	// RoundRows is how many tokens of the prompt are brought through all layers at
	// a time, layer by layer. Each such round reads the layers that are not kept.
	RoundRows int
	// KeptAtFirst is how many layers stay in memory during a round: fewer than
	// Kept, as the states of the round's tokens take room.
	KeptAtFirst int

	// Peak is the most memory held at a time.
	Peak Peak
}

// Peak is memory by pool, in bytes.
type Peak struct {
	Weights, Window, Kept, Rows, Activations, KeyValues int64
}

// Total is the memory of all pools.
func (p Peak) Total() int64 {
	return p.Weights + p.Window + p.Kept + p.Rows + p.Activations + p.KeyValues
}

// usualSequences is how many sequences of the greatest length should fit beside a model's
// weights.
const usualSequences = 60

// MakePlan decides how a model runs. It depends on its arguments alone.
//
// Whether a model is streamed, and how many embedding rows are kept then, does not
// depend on Lengths or Conversation: a model stays resident if it fits beside the
// least working memory for a usual number of its longest inputs, beside the workers'
// batches, or beside a conversation of Config.MaxTokens.
//
// The error wraps ErrBudget when two layers do not fit beside what is always needed.
func MakePlan(m Model, limits Limits, w Work) (Plan, error) {
	limits.Threads = max(limits.Threads, 1)
	switch {
	case w.Conversation > 0:
		return planConversation(m, limits, w.Conversation)
	case w.Batch > 0:
		return planBatches(m, limits, w.Batch)
	}
	return planSequences(m, limits, w)
}

// planSequences fits sequences that go through the layers together.
func planSequences(m Model, limits Limits, w Work) (Plan, error) {
	c := &m.Config
	e := estimate{config: c, shape: ShapeOf(c), threads: limits.Threads, prefix: w.Prefix, sequences: len(w.Lengths), longest: 1}
	for _, n := range w.Lengths {
		e.rows += n
		e.longest = max(e.longest, n)
	}
	usual := estimate{config: c, shape: e.shape, threads: limits.Threads, rows: usualSequences * c.MaxTokens, longest: c.MaxTokens, sequences: usualSequences}
	p := Plan{ChunkRows: BlockRows + e.longest - 1}
	room := placeWeights(&p, m, limits, &usual)
	if e.streamed = p.Streamed; limits.Budget <= 0 {
		p.Peak.Activations = e.resident(p.ChunkRows)
		return p, nil
	}
	if e.least() > room {
		return Plan{}, tooSmall(m, limits, p.Peak.Total()+e.least(), e.prefix+e.longest)
	}
	e.fitActivations(&p, room)
	return p, nil
}

// planBatches fits a batch for each worker.
func planBatches(m Model, limits Limits, tokens int) (Plan, error) {
	c := &m.Config
	e := estimate{config: c, shape: ShapeOf(c), threads: limits.Threads, longest: c.MaxTokens}
	p := Plan{ChunkRows: max(tokens, c.MaxTokens)}
	e.batch = p.ChunkRows
	room := placeWeights(&p, m, limits, &e)
	e.streamed = p.Streamed
	for limits.Budget > 0 && p.ChunkRows > e.longest && e.batches(p.ChunkRows) > room {
		p.ChunkRows = max(e.longest, p.ChunkRows*7/8)
	}
	if p.Peak.Activations = e.batches(p.ChunkRows); limits.Budget > 0 && p.Peak.Activations > room {
		return Plan{}, tooSmall(m, limits, p.Peak.Total(), e.longest)
	}
	return p, nil
}

// Wanted is the least budget in which all weights of a model are resident.
func Wanted(m Model, threads int, w Work) int64 {
	p, err := MakePlan(m, Limits{Threads: threads}, w)
	if err != nil { // only a budget can be too small
		return 0
	}
	return p.Peak.Total()
}

// UsualSequences is the work that should fit beside the weights of a model of sequences.
func UsualSequences(c *pack.Config) Work {
	return Work{Lengths: slices.Repeat([]int{c.MaxTokens}, usualSequences)}
}

// placeWeights decides whether the weights are resident beside the least memory of usual,
// and returns the remaining room.
func placeWeights(p *Plan, m Model, limits Limits, usual *estimate) (room int64) {
	c := &m.Config
	p.Peak.Weights = m.Mapped + m.Resident + PositionBytes(c)
	if limits.Budget > 0 && p.Peak.Weights+usual.least() > limits.Budget {
		p.Streamed, usual.streamed = true, true
		p.Peak.Weights = int64(c.TablesBuffer()+HeadBuffer(c)) + m.Tokenizer + m.Resident + PositionBytes(c)
		p.Peak.Window = 2 * int64(c.LayerBuffer())
		p.TokenRows = usual.tokenRows(limits.Budget - p.Peak.Total() - usual.least())
		p.Peak.Rows = rowCacheBytes(c, p.TokenRows)
	}
	return limits.Budget - p.Peak.Total()
}

// fitActivations chooses where hidden states lie and how large chunks are, within room
// bytes, at least e.least().
func (e *estimate) fitActivations(p *Plan, room int64) {
	need := e.resident
	if p.Offload = e.resident(e.longest) > room; p.Offload {
		need = e.offloaded
		p.ChunkRows = e.threads*BlockRows + e.longest - 1
	}
	for p.ChunkRows > e.longest && need(p.ChunkRows) > room {
		p.ChunkRows = max(e.longest, p.ChunkRows*7/8)
	}
	p.Peak.Activations = need(p.ChunkRows)
}

// tooSmall is the error about a budget.
func tooSmall(m Model, limits Limits, least int64, tokens int) error {
	return &BudgetError{fmt.Sprintf("%s takes for inputs of %d tokens", m.Config.Architecture, tokens), least, limits.Budget}
}

// HeadBuffer is the bytes of the pack's head.
func HeadBuffer(c *pack.Config) int {
	if c.Head == pack.NoHead {
		return 0
	}
	return c.HeadBuffer()
}

// PositionBytes is the bytes of the tables by position that opening a model computes: rotary
// ones, another for an encoder's local layers, and the bias by distance.
func PositionBytes(c *pack.Config) int64 {
	if c.RelativeBuckets > 0 {
		return kernel.RelativeBiasBytes(c.Heads, c.Room())
	}
	table := 4 * int64(c.MaxTokens) * int64(c.HeadDim)
	if c.RotaryEncoder.Window > 0 || c.Gemma.LocalBase > 0 {
		return 2 * table
	}
	return table
}
