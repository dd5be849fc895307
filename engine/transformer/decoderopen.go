package transformer

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"dowse/engine/kernel"
	"dowse/engine/kv"
	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// DecoderOptions configure OpenDecoder.
type DecoderOptions struct {
	Threads int // workers, at least 1
	// Budget is the bytes that the decoder and its contexts may take together, 0
	// for any number. Logits are the caller's.
	Budget    int64
	MaxTokens int            // of a Sequence; 0 means all that the model takes
	Ledger    *memory.Ledger // may be nil
	// ChunkTokens is how many tokens of a Sequence share a chunk of memory; 0 for 128.
	ChunkTokens int
	Adapter     string // folder of a low-rank adapter as PEFT writes it; empty for none
}

// OpenDecoder opens the pack at path, which must be that of a decoder. Weights
// are read into memory if they fit into the budget beside a sequence of MaxTokens;
// otherwise layers are read during passes, and as many of them kept as there is
// room for. Either way every block is compared with its checksum first. ctx ends
// opening, which reads the whole pack. The kernel and the ledger stay the caller's.
// The error wraps ErrBudget when the budget is too small for that too.
func OpenDecoder(ctx context.Context, path string, k *kernel.Kernel, options DecoderOptions) (*Decoder, error) {
	mapped, err := pack.Open(path)
	if err != nil {
		return nil, err
	}
	options.Threads = max(options.Threads, 1)
	d := &Decoder{
		model:   model[*llamaLayer]{config: mapped.Config(), sum: mapped.Fingerprint(), ledger: options.Ledger},
		options: options, stop: mapped.Stop(), template: mapped.ChatTemplate(), semaphore: make(chan struct{}, 1),
		meter: kv.NewMeter(kv.UsualProfile),
	}
	if err := errors.Join(d.open(ctx, path, mapped, k), mapped.Close()); err != nil {
		return nil, errors.Join(fmt.Errorf("open decoder %s: %w", path, err), d.Close())
	}
	return d, nil
}

// open opens the pack, whose open mapping is mapped.
func (d *Decoder) open(ctx context.Context, path string, mapped *pack.Pack, k *kernel.Kernel) error {
	c := &d.config
	if !c.Decoder {
		return fmt.Errorf("%s is no decoder; it cannot continue texts", c.Architecture)
	}
	c.MaxTokens = min(c.MaxTokens, cmp.Or(d.options.MaxTokens, c.MaxTokens))
	var err error
	if d.network, err = newLlama(k, *c, d.options.Adapter, d.options.Ledger); err != nil {
		return err
	}
	m := Model{Config: *c, Mapped: mapped.Size(), Tokenizer: mapped.TokenizerSize(), Resident: d.network.adapter.bytes(), ChunkTokens: d.options.ChunkTokens}
	if d.room, err = weights.NewRoom(m, Limits{Budget: d.options.Budget, Threads: d.options.Threads}); err != nil {
		return err
	}
	plan := Plan{Streamed: !d.room.Resident(), TokenRows: d.room.TokenRows()}
	if err := d.model.open(ctx, path, mapped, d.network, needs{output: true}, plan); err != nil {
		return err
	}
	d.source = d.resident
	if d.streamed() {
		d.streamer = weights.NewStreamer(d.layers, d.ledger)
		d.source = d.streamer
	}
	d.inputs = d.embeddings(llamaInputs{width: c.Hidden})
	d.head = kernel.Head{Width: c.Hidden, Words: d.output.Words, WordScale: d.output.WordScale}
	d.team = openTeam(d.options.Threads, d.ledger)
	if d.states, err = memory.NewBuffer(d.ledger, weights.ActivationsPool, 4*weights.BlockRows*c.Hidden); err != nil {
		return err
	}
	d.semaphore <- struct{}{}
	return nil
}

// Close gives back weights and working memory. No call may be under way.
// Sequences are freed by who made them.
func (d *Decoder) Close() error {
	err := d.team.free()
	if d.network != nil {
		err = errors.Join(err, d.network.adapter.free())
	}
	if d.streamer != nil {
		err = errors.Join(err, d.streamer.Close())
	}
	return errors.Join(err, d.states.Free(), d.close())
}
