package transformer

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"dowse/engine/kernel"
	"dowse/engine/kv"
	"dowse/engine/memory"
	"dowse/engine/swap"
	"dowse/engine/weights"
	"dowse/models/pack"
	"dowse/models/tokenizer"
)

// Decoder continues texts: it appends tokens to a Sequence and computes logits. It computes one Append at a time; its methods may be called from
// several goroutines.
type Decoder struct {
	model[*llamaLayer]
	network  *llama
	options  DecoderOptions
	stop     []int32
	template string
	inputs   embeddings
	head     kernel.Head // [Vocabulary,D], after the norm
	room     decoderRoom

	source   weights.Source[*llamaLayer]    // of passes that leave nothing out
	streamer *weights.Streamer[*llamaLayer] // the same of a streamed model, or nil
	swap     *swapped                       // of a row pack, or nil
	mixture  *mixture                       // of a model with experts, or nil

	thresholds swap.Thresholds // of the inputs of tokens that are decoded; nil for none
	observer   swap.Observer   // of the inputs of all passes; nil for nobody

	// fit frees weights so that sequences may hold held bytes beside the states of a round of
	// rows, or keeps more where there is room.
	fit    func(held int64, rows int) error
	budget changingBudget
	waits  *weights.Waits // for the disk

	semaphore chan struct{} // holds one value while no call is under way
	team      *team
	states    *memory.Buffer // [BlockRows,D]
	held      atomic.Int64   // bytes of all sequences
	meter     *kv.Meter
}

// decoderRoom is a weights.Room or a weights.RowRoom.
type decoderRoom interface {
	KeyValues() kv.Shape
	RoundRows(held int64, tokens int) (rows int)
	RecomputeRows(held int64, tokens int) (rows int)
	Least(held int64) int64
	SetBudget(bytes int64)
}

// Vocabulary is the number of logits of a token.
func (d *Decoder) Vocabulary() int { return d.head.Size() }

// MaxTokens is the most tokens that a Sequence may have.
func (d *Decoder) MaxTokens() int { return d.config.MaxTokens }

// Config is the configuration of the pack, with MaxTokens as the decoder has it.
func (d *Decoder) Config() pack.Config { return d.config }

// Layers is the number of layers.
func (d *Decoder) Layers() int { return d.config.Layers }

// Tokenizer is the model's own.
func (d *Decoder) Tokenizer() *tokenizer.Tokenizer { return d.tokenizer }

// Stop returns the tokens that end an answer; the caller must not change them.
func (d *Decoder) Stop() []int32 { return d.stop }

// ChatTemplate is the template, in Jinja, that prompts of the model are made
// with, or empty.
func (d *Decoder) ChatTemplate() string { return d.template }

// Fingerprint identifies weights, tokenizer and configuration.
func (d *Decoder) Fingerprint() string {
	return hex.EncodeToString(d.sum[:])
}

// Resident reports whether the whole model is in memory. Otherwise layers are read
// while tokens are computed, the same for one token as for many.
func (d *Decoder) Resident() bool { return !d.streamed() && (d.swap == nil || d.swap.room.Resident()) }

// promptTokens is the fewest tokens of an Append that Meter counts, more than an answer adds
// at a time.
const promptTokens = 64

// Meter follows the time of prompts, which is that of computing as many tokens again.
// Callers of Restore add its own.
func (d *Decoder) Meter() *kv.Meter { return d.meter }

// enter waits until no other call computes, or for the end of ctx.
func (d *Decoder) enter(ctx context.Context) error {
	select {
	case <-d.semaphore:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leave lets the next one compute.
func (d *Decoder) leave() {
	d.semaphore <- struct{}{}
	d.rebudget()
}

// complete refuses a sequence with keys and values that are not in memory.
func complete(s *Sequence) error {
	if missing := len(s.MissingChunks()); missing > 0 {
		return fmt.Errorf("%d of %d chunks of keys and values are not in memory; restore them first", missing, s.Chunks())
	}
	return nil
}

// Append adds tokens to a sequence and writes the logits after each of the last
// len(logits)/Vocabulary() of them, row by row; nil logits cost nothing. Logits, keys and
// values are the same to the bit however tokens are spread over calls. After an error the
// sequence is as it was.
func (d *Decoder) Append(ctx context.Context, s *Sequence, ids []int32, logits []float32) error {
	return d.appendWith(ctx, s, ids, logits, &d.head)
}

// appendWith is Append with the logits of the tokens of a head.
func (d *Decoder) appendWith(ctx context.Context, s *Sequence, ids []int32, logits []float32, head *kernel.Head) error {
	if s.owner != d {
		return errors.New("the sequence is that of another decoder")
	}
	tokens := max(1, head.Size())
	last := len(logits) / tokens
	if len(logits) != last*tokens || last > len(ids) {
		return fmt.Errorf("room for %d logits, want those of at most %d tokens, %d each", len(logits), len(ids), tokens)
	}
	if total := s.Len() + len(ids); total > d.config.MaxTokens {
		return fmt.Errorf("%d tokens, the context has room for %d", total, d.config.MaxTokens)
	}
	if err := complete(s); err != nil {
		return err
	}
	if err := d.enter(ctx); err != nil {
		return err
	}
	defer d.leave()
	s.DropTree()
	d.swap.begin()
	if s.Len() == 0 {
		d.mixture.begin()
	}
	before, begin := s.Len(), time.Now()
	if err := d.append(ctx, s, ids, logits, head); err != nil {
		return errors.Join(err, s.Truncate(before))
	}
	if n := len(ids); n >= promptTokens && last <= 1 {
		d.meter.Computed(n, int64(n*before+n*(n+1)/2), time.Since(begin))
	}
	return nil
}
