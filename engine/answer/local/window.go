package local

import (
	"context"
	"errors"
	"fmt"
	"math"

	"dowse/engine"
	"dowse/engine/generate"
	"dowse/engine/kv"
	"dowse/engine/memory"
	"dowse/engine/opened"
	"dowse/engine/swap"
	"dowse/engine/transformer"
	"dowse/engine/weights"
	"dowse/models"
)

const (
	// usualWindow holds a prompt: engine.AnswerPassages of some 250 tokens
	// each, the instructions and the answer.
	usualWindow = 2048
	// longWindow is the most tokens of a conversation, if the model takes as
	// many.
	longWindow = 8192
	// readTokens bounds the passages that a model reads itself: windows of some
	// 120 tokens of engine.AnswerPassages, around what the reader marks.
	readTokens = 600
	// leastWindow is the least room worth asking in.
	leastWindow = 512
	// workingMemory is what drafts and the logits of a prompt's chunk take.
	workingMemory = 16 << 20
	// streamedChunk is the tokens of a prompt computed per reading of a
	// streamed model.
	streamedChunk = 512
)

// Beside is a writer's bytes beside its decoder's and the logits of drafts.
const Beside = workingMemory + pastMemory

// room is the tokens that a model reads at once, and the memory for it.
type room struct {
	tokens       int   // of a prompt and its answer
	conversation int   // tokens, at least as many
	budget       int64 // bytes of the decoder; 0: unlimited
	swapped      bool  // the decoder reads the row pack; no whole form fits
	pays         bool  // reading active rows alone is faster there than whole layers

	disk swap.DiskProfile // of the row pack
}

// window divides the memory of a lease between the decoder and the tokens read
// at once, as the decoder plans it. A model that does not fit is streamed.
// Conversations borrow memory beyond a prompt's when needed.
func (w *Writer) window(ctx context.Context, m models.Installation, lease *memory.Lease) (room, error) {
	c := m.Config
	want, long := min(usualWindow, c.MaxTokens), min(longWindow, c.MaxTokens)
	if w.Memory.Budget() == 0 {
		return room{tokens: want, conversation: long}, nil
	}
	model, err := opened.Measure(m)
	if err != nil {
		return room{}, w.unusable(err)
	}
	beside := Beside + int64(4*generate.UsualNodes*c.Vocabulary) // of 32-bit logits
	whole := model
	whole.Config.MaxTokens = want
	granted, err := lease.Take(ctx, beside+weights.Wanted(whole, w.Threads, weights.Work{Conversation: want}))
	if err != nil {
		return room{}, err
	}
	limits := transformer.Limits{Budget: max(1, granted-beside), Threads: w.Threads} // 0 would be unlimited
	outside := w.Memory.Budget() - granted + beside                                  // the setting without the decoder's part
	least := min(leastWindow, want)
	tokens := weights.LongestConversation(model, limits, least, want)
	whole.Config.MaxTokens = max(tokens, 1)
	fits, err := weights.NewRoom(whole, limits)
	if err == nil && fits.Resident() {
		r := room{tokens: tokens, conversation: tokens, budget: limits.Budget}
		if tokens == want {
			return longer(&model, r, long, w.Threads), nil
		}
		return r, nil
	}
	var short error
	if m.Rows != "" {
		r, err := w.swapped(ctx, m, limits, least, want)
		switch {
		case err == nil && (r.pays || m.Rows == m.Path):
			return r, nil
		case m.Rows == m.Path:
			return r, w.tooLarge(outside, err)
		}
		short = err
	}
	if tokens > 0 {
		return room{tokens: tokens, conversation: tokens, budget: limits.Budget}, nil
	}
	model.Config.MaxTokens = least
	_, err = weights.MakePlan(model, limits, weights.Work{Conversation: least})
	return room{}, w.tooLarge(outside, err, short)
}

// tooLarge says how large the setting memory must be for a model of which no
// form fits; outside is not the decoder's.
func (w *Writer) tooLarge(outside int64, forms ...error) error {
	least := int64(math.MaxInt64)
	for _, err := range forms {
		var short *weights.BudgetError
		if errors.As(err, &short) {
			least = min(least, short.Least)
		}
	}
	if least == math.MaxInt64 {
		return errors.Join(forms...)
	}
	return fmt.Errorf("%w %s: it takes at least %d MiB, and may take %d MiB; give it as much by the setting memory, choose a smaller model, or run dowse models use %s to answer without",
		weights.ErrBudget, w.name, weights.WholeMiB(outside+least), w.Memory.Budget()>>20, engine.Extracted)
}

// swapped is the room of a row-swapped model, with the longest conversation
// from least to want that fits.
func (w *Writer) swapped(ctx context.Context, m models.Installation, limits transformer.Limits, least, want int) (r room, err error) {
	model, layout, err := opened.MeasureRows(m)
	if err != nil {
		return room{}, w.unusable(err)
	}
	sparsity, err := opened.Sparsity(m)
	if err != nil {
		return room{}, w.unusable(err)
	}
	r = room{budget: limits.Budget, swapped: true, disk: w.disk.Of(ctx, m.Rows)}
	for tokens := want; ; tokens = max(least, tokens-weights.BlockRows) {
		model.Config.MaxTokens = tokens
		rows, err := weights.NewRowRoom(model, swap.Least(layout), swap.Whole(layout), limits)
		if err == nil {
			r.tokens, r.conversation = tokens, tokens
			r.pays, err = opened.SwapPays(&rows, layout, sparsity, tokens, r.disk)
			return r, err
		}
		if tokens <= least {
			return room{}, err
		}
	}
}

// longer is the room of a resident model with conversations of up to long
// tokens, which pay for keys and values beyond a prompt's when they have them.
func longer(m *weights.Model, r room, long, threads int) room {
	c := m.Config
	shape := kv.Shape{Layers: c.Layers, Heads: c.KVHeads, HeadDim: c.HeadDim, ChunkTokens: weights.BlockRows}
	budget := r.budget + shape.Held(long) - shape.Held(r.tokens)
	c.MaxTokens = long
	of := *m
	of.Config = c
	if fits, err := weights.NewRoom(of, transformer.Limits{Budget: budget, Threads: threads}); err != nil || !fits.Resident() {
		return r
	}
	return room{tokens: r.tokens, conversation: long, budget: budget}
}
