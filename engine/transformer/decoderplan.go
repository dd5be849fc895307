package transformer

import (
	"fmt"

	"dowse/models/pack"
)

// DecoderPlan says how a decoder comes by its weights for a prompt and what is
// written after it.
type DecoderPlan struct {
	// Resident says that the whole pack is in memory, whatever the length of the
	// context. Otherwise layers are read from it during passes.
	Resident bool
	// Kept is how many layers stay in memory while tokens are decoded. The
	// others are read again in every step.
	Kept int
	// Rows is how many tokens of the prompt are brought through all layers at a
	// time, layer by layer. Each such round reads the layers that are not kept.
	Rows int
	// KeptAtFirst is how many layers stay in memory during a round: fewer than
	// Kept, as the states of the round's tokens take room.
	KeptAtFirst int
}

// PlanDecoder decides for a context of so many tokens, all of which are new. It
// depends on its arguments alone. Config.MaxTokens is the longest context. The
// error wraps ErrBudget when the budget does not hold two layers beside what a
// decoder always needs.
func PlanDecoder(m Model, limits Limits, tokens int) (DecoderPlan, error) {
	r := newDecoderRoom(m, limits)
	held := r.context(tokens)
	if err := r.check(); err != nil {
		return DecoderPlan{}, err
	}
	p := DecoderPlan{Resident: r.resident, Kept: r.layers, KeptAtFirst: r.layers, Rows: min(tokens, contextBlock)}
	if !p.Resident {
		p.Kept, _ = r.kept(held, 0)
		p.Rows = r.rounds(held, tokens)
		p.KeptAtFirst, _ = r.kept(held, p.Rows)
	}
	return p, nil
}

// LongestContext is the most tokens, from least to want, that a context may have
// for a decoder to keep to its budget; 0 if there is no room for least.
func LongestContext(m Model, limits Limits, least, want int) int {
	for tokens := want; ; tokens = max(least, tokens-contextBlock) {
		m.Config.MaxTokens = tokens
		if r := newDecoderRoom(m, limits); r.check() == nil {
			return tokens
		}
		if tokens <= least {
			return 0
		}
	}
}

// decoderRoom is the memory that a decoder has, and what of it there is no choice
// about.
type decoderRoom struct {
	config   pack.Config
	budget   int64 // 0 means any number of bytes
	resident bool
	fixed    int64 // bytes of all but layers, contexts and states of a prompt
	layer    int64 // bytes of a layer
	layers   int
	stored   int64 // bytes of a context's keys and values for contextBlock tokens
	tree     int64 // bytes of those of a draft tree
	wordRows int   // of the embeddings that are kept, where they are no part of the output
}

// newDecoderRoom measures. A model is resident if it fits beside a context of
// MaxTokens.
func newDecoderRoom(m Model, limits Limits) decoderRoom {
	c := &m.Config
	threads, shape := max(limits.Threads, 1), shapeOf(c)
	e := estimate{config: c, shape: shape, limits: limits, longest: c.MaxTokens}
	r := decoderRoom{
		config: m.Config, budget: limits.Budget, layers: c.Layers, layer: inPages(c.LayerBuffer()),
		stored: inPages(c.Layers * contextBlock * shape.stored), tree: inPages(c.Layers * MaxTree * shape.stored),
	}
	working := e.hidden(contextBlock) + int64(threads)*e.workspace(mostRows(threads)) + rotaryBytes(c) + m.Resident + allocationSlack
	if r.fixed = working + m.Mapped; r.budget <= 0 || r.fixed+r.context(c.MaxTokens) <= r.budget {
		r.resident = true
		return r
	}
	r.fixed = working + m.Tokenizer + int64(c.OutputBuffer())
	if c.TiedOutput {
		r.fixed += int64(c.EmbeddingsBuffer())
		return r
	}
	r.wordRows = min(decoderWordRows, (c.Vocabulary+wordShare-1)/wordShare)
	r.fixed += int64(c.TablesBuffer()) + wordCacheBytes(c, r.wordRows) + wordScratchBytes(c)
	return r
}

// decoderWordRows is how many embedding rows are kept at most: a prompt of 2000
// tokens has some 700 different words.
const decoderWordRows = 2048

// inPages rounds up to whole pages, the largest that systems use.
func inPages(n int) int64 {
	const page = 16 << 10
	return (int64(n) + page - 1) &^ (page - 1)
}

// mostRows is the most rows that one of so many workers is given of a block.
func mostRows(threads int) int {
	most := 0
	for rows := 1; rows <= contextBlock; rows++ {
		parts := rowParts(threads, rows)
		most = max(most, (rows+parts-1)/parts)
	}
	return most
}

// context is the bytes of a context of so many tokens and of a tree.
func (r *decoderRoom) context(tokens int) int64 {
	return int64((tokens+contextBlock-1)/contextBlock)*r.stored + r.tree
}

// check says what a model lacks that is to have a context of MaxTokens.
func (r *decoderRoom) check() error {
	if r.resident {
		return nil
	}
	return r.need(r.context(r.config.MaxTokens), 0)
}

// need is the error about too little room beside contexts of held bytes and the
// states of so many rows.
func (r *decoderRoom) need(held int64, rows int) error {
	if _, ok := r.kept(held, rows); ok {
		return nil
	}
	least := r.fixed + held + r.states(rows) + int64(min(2, r.layers))*r.layer
	return fmt.Errorf("%w: %s takes at least %d bytes with its conversations, the budget is %d", ErrBudget, r.config.Architecture, least, r.budget)
}

// states is the bytes of the hidden states of a round. Those of a block are part
// of what is fixed.
func (r *decoderRoom) states(rows int) int64 {
	if rows <= contextBlock {
		return 0
	}
	return inPages(4 * rows * r.config.Hidden)
}

// kept is how many layers there is room for beside contexts of held bytes and the
// states of a round: all of them, or two less than the buffers that fit, since
// two serve the layers that are read. It is false where not even these fit.
func (r *decoderRoom) kept(held int64, rows int) (layers int, ok bool) {
	buffers := (r.budget - r.fixed - held - r.states(rows)) / r.layer
	switch {
	case buffers >= int64(r.layers):
		return r.layers, true
	case buffers >= 2:
		return int(buffers) - 2, true
	}
	return 0, false
}

// rounds chooses how many tokens of a prompt go through the layers at a time.
// Fewer rounds read the layers that are not kept fewer times, and keep fewer,
// because states take room: the least bytes count, then the fewest rounds.
func (r *decoderRoom) rounds(held int64, tokens int) (rows int) {
	rows, best := min(tokens, contextBlock), -1
	for n := 1; ; n++ {
		blocks := (tokens + contextBlock - 1) / contextBlock
		each := min(tokens, (blocks+n-1)/n*contextBlock)
		if kept, ok := r.kept(held, each); ok {
			count := (tokens + each - 1) / max(each, 1)
			if read := count * (r.layers - kept); best < 0 || read < best {
				rows, best = each, read
			}
		}
		if each <= contextBlock {
			return rows
		}
	}
}
