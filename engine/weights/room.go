package weights

import (
	"cmp"

	"dowse/engine/kv"
	"dowse/engine/memory"
	"dowse/models/pack"
)

// Room is the memory that a decoder has for layers, conversations and the states of a
// prompt, beside what it always needs.
type Room struct {
	config    pack.Config
	budget    int64 // 0 means any number of bytes
	resident  bool
	fixed     Peak  // what it always needs
	layer     int64 // bytes of a layer
	layers    int
	expert    int64 // bytes of an expert, where layers have some
	experts   int   // of all layers
	keyValues kv.Shape
	tokenRows int // embedding rows that are kept, if the output is not tied to them
}

// decoderTokenRows is how many embedding rows are kept at most: a prompt of 2000
// tokens has some 700 different ones.
const decoderTokenRows = 2048

// NewRoom measures a decoder whose longest conversation has Config.MaxTokens tokens;
// it is resident if it fits beside that. The error wraps ErrBudget when the budget
// does not hold two layers beside what a decoder always needs and that conversation.
func NewRoom(m Model, limits Limits) (Room, error) {
	r := measure(m, limits)
	return r, r.check()
}

func measure(m Model, limits Limits) Room {
	r := measureShared(m, limits)
	beside := r.fixed.Weights
	r.fixed.Weights += m.Mapped
	if r.budget <= 0 || r.fixed.Total()+r.Conversation(m.Config.MaxTokens) <= r.budget {
		r.resident = true
		return r
	}
	r.fixed.Weights = beside
	r.keepFixed(m)
	return r
}

// measureShared measures the fixed memory of any source of weights: working memory,
// positions and an adapter.
func measureShared(m Model, limits Limits) Room {
	c := &m.Config
	threads, shape := max(limits.Threads, 1), ShapeOf(c)
	e := estimate{config: c, shape: shape, threads: threads, longest: c.MaxTokens}
	r := Room{
		config: m.Config, budget: limits.Budget, layers: c.Layers, layer: memory.InPages(c.LayerBuffer()),
		keyValues: kv.Shape{Layers: c.Layers, Heads: c.KVHeads, HeadDim: c.HeadDim, ChunkTokens: cmp.Or(m.ChunkTokens, usualChunk)},
	}
	r.fixed.Activations = e.hidden(BlockRows) + int64(threads)*e.workspace(mostRows(threads)) + allocationSlack
	r.fixed.Weights = PositionBytes(c) + m.Resident
	if c.Mixture.Experts > 0 {
		r.expert, r.experts = memory.InPages(c.ExpertBuffer()), c.Mixture.Experts*c.Mixture.Layers(c.Layers)
		r.fixed.Activations += e.hidden(BlockRows) + allocationSlack // normed states of a block: its rows go through experts together
	}
	return r
}

// keepFixed adds the parts of its pack that a streamed or swapped model always keeps:
// tokenizer, output, and embeddings or a cache of their rows.
func (r *Room) keepFixed(m Model) {
	c := &m.Config
	r.fixed.Weights += m.Tokenizer + int64(c.OutputBuffer())
	if c.TiedOutput {
		r.fixed.Weights += int64(c.EmbeddingsBuffer())
		return
	}
	r.tokenRows = min(decoderTokenRows, mostTokenRows(c))
	r.fixed.Weights += int64(c.TablesBuffer())
	r.fixed.Rows = rowCacheBytes(c, r.tokenRows)
	r.fixed.Activations += rowScratchBytes(c)
}

// usualChunk is how many tokens of a conversation share a chunk of memory by default.
const usualChunk = BlockRows

// KeyValues returns the shape of the keys and values of its conversations.
func (r *Room) KeyValues() kv.Shape { return r.keyValues }

// Resident reports whether the whole pack is in memory.
func (r *Room) Resident() bool { return r.resident }

// TokenRows returns how many embedding rows are kept; 0 if the output is tied to them.
func (r *Room) TokenRows() int { return r.tokenRows }

// Conversation returns the bytes of a conversation of that length and of a draft tree.
func (r *Room) Conversation(tokens int) int64 { return r.keyValues.Held(tokens) }

// check returns what is wrong with a conversation of Config.MaxTokens.
func (r *Room) check() error {
	if r.resident {
		return nil
	}
	return r.Check(r.Conversation(r.config.MaxTokens), 0)
}

// Check returns the error about too little room beside conversations of held bytes
// and the states of a round of rows. It wraps ErrBudget.
func (r *Room) Check(held int64, rows int) error {
	if _, ok := r.keep(held, rows); ok {
		return nil
	}
	return &BudgetError{r.config.Architecture + " takes with its conversations", r.Least(held) + r.states(rows), r.budget}
}

// Least returns the least budget beside conversations of held bytes.
func (r *Room) Least(held int64) int64 {
	return r.fixed.Total() + held + int64(min(2, r.layers))*r.layer + r.leastExperts()
}

// SetBudget changes the budget of a model that is not resident.
func (r *Room) SetBudget(bytes int64) { r.budget = bytes }

// Keep returns how many layers there is room for beside conversations of held bytes
// and the states of a round of rows.
func (r *Room) Keep(held int64, rows int) int {
	layers, _ := r.keep(held, rows)
	return layers
}

// states returns the bytes of the hidden states of a round, beyond those of one block, which
// are fixed.
func (r *Room) states(rows int) int64 {
	if rows <= BlockRows {
		return 0
	}
	bytes := memory.InPages(4 * rows * r.config.Hidden)
	if r.experts > 0 {
		bytes *= 2 // with the normed ones
	}
	return bytes
}

// keep returns how many layers may stay: all, or two less than the buffers that fit, since
// the others are read through two. It is false where not even two fit.
func (r *Room) keep(held int64, rows int) (layers int, ok bool) {
	buffers := (r.budget - r.fixed.Total() - held - r.states(rows) - r.leastExperts()) / r.layer
	switch {
	case buffers >= int64(r.layers):
		return r.layers, true
	case buffers >= 2:
		return int(buffers) - 2, true
	}
	return 0, false
}

// RoundRows chooses how many tokens of a prompt go through the layers at a time. Fewer
// rounds read the other layers fewer times, but their states leave room for fewer kept
// ones: it minimises the layers read, then the rounds.
func (r *Room) RoundRows(held int64, tokens int) (rows int) {
	if r.experts > 0 {
		return r.fewestRounds(held, tokens)
	}
	rows, best := min(tokens, BlockRows), -1
	for n := 1; ; n++ {
		blocks := (tokens + BlockRows - 1) / BlockRows
		each := min(tokens, (blocks+n-1)/n*BlockRows)
		if kept, ok := r.keep(held, each); ok {
			count := (tokens + each - 1) / max(each, 1)
			if read := count * (r.layers - kept); best < 0 || read < best {
				rows, best = each, read
			}
		}
		if each <= BlockRows {
			return rows
		}
	}
}

// RecomputeRows chooses how many tokens in the middle of a conversation go through the
// layers at a time: all that fit, since each round waits for chunks that are read.
func (r *Room) RecomputeRows(held int64, tokens int) (rows int) {
	if !r.resident {
		return r.RoundRows(held, tokens)
	}
	if r.budget <= 0 {
		return tokens
	}
	rows = min(tokens, BlockRows)
	for more := rows; more < tokens && r.fixed.Total()+held+r.states(more) <= r.budget; {
		rows, more = more, min(tokens, more+BlockRows)
	}
	return rows
}

// planConversation fits a conversation of that length.
func planConversation(m Model, limits Limits, tokens int) (Plan, error) {
	r, err := NewRoom(m, limits)
	if err != nil {
		return Plan{}, err
	}
	held := r.Conversation(tokens)
	p := Plan{
		Streamed: !r.resident, TokenRows: r.tokenRows, ChunkRows: BlockRows,
		Kept: r.layers, KeptAtFirst: r.layers, RoundRows: min(tokens, BlockRows), Peak: r.fixed,
	}
	p.Peak.KeyValues = held
	if r.resident {
		return p, nil
	}
	p.Kept = r.Keep(held, 0)
	p.RoundRows = r.RoundRows(held, tokens)
	p.KeptAtFirst = r.Keep(held, p.RoundRows)
	// The states of a round are held, or the layers that make room for them, never both.
	prompt, later := r.peak(held, p.KeptAtFirst, p.RoundRows), r.peak(held, p.Kept, 0)
	if p.Peak = prompt; later.Total() > prompt.Total() {
		p.Peak = later
	}
	return p, nil
}

// peak returns the memory with some layers kept and the states of some rows.
func (r *Room) peak(held int64, kept, rows int) Peak {
	p := r.fixed
	p.KeyValues = held
	p.Kept, p.Window = int64(kept)*r.layer+r.Experts(held, rows), int64(min(2, r.layers-kept))*r.layer
	p.Activations += r.states(rows)
	return p
}

// LongestConversation returns the most tokens, from least to want, of a conversation that
// fits the budget; 0 if least do not. A model that stays resident beside least has the most
// that it stays resident beside: reading layers costs more than tokens are worth.
func LongestConversation(m Model, limits Limits, least, want int) int {
	streamed := 0
	for tokens := want; ; tokens = max(least, tokens-BlockRows) {
		m.Config.MaxTokens = tokens
		r, err := NewRoom(m, limits)
		if err == nil && r.Resident() {
			return tokens
		}
		if err == nil && streamed == 0 {
			streamed = tokens
		}
		if tokens <= least {
			return streamed
		}
	}
}

// leastSlots is the fewest experts in memory: one is computed while the next is read.
const leastSlots = 2

// leastExperts returns the bytes of the fewest experts; 0 where layers have none.
func (r *Room) leastExperts() int64 { return int64(min(leastSlots, r.experts)) * r.expert }

// Experts returns the bytes that experts may have beside conversations of held bytes and
// the states of a round of rows: whatever the layers leave, since a kept layer saves its
// bytes with each token, an expert with some.
func (r *Room) Experts(held int64, rows int) int64 {
	if r.experts == 0 || r.resident {
		return 0
	}
	kept, _ := r.keep(held, rows)
	layers := int64(kept+min(2, r.layers-kept)) * r.layer
	slots := (r.budget - r.fixed.Total() - held - r.states(rows) - layers) / r.expert
	return min(slots, int64(r.experts)) * r.expert
}

// fewestRounds is RoundRows for a model with experts: as many rows at a time as fit, since
// each round reads nearly all experts.
func (r *Room) fewestRounds(held int64, tokens int) (rows int) {
	blocks := (tokens + BlockRows - 1) / BlockRows
	for n := 1; ; n++ {
		rows = min(tokens, (blocks+n-1)/n*BlockRows)
		if _, ok := r.keep(held, rows); ok || rows <= BlockRows {
			return rows
		}
	}
}
