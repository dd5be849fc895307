package transformer

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"dowse/engine/kernel"
	"dowse/engine/kv"
	"dowse/engine/memory"
	"dowse/engine/swap"
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
	// Sparsity says which inputs a row pack that does not fit into the budget leaves out; nil
	// for none. A row pack that fits is computed in full.
	Sparsity *swap.Sparsity
	// Disk is the cost of reads of a row pack; the zero profile is swap.UsualDisk. No result
	// depends on it.
	Disk swap.DiskProfile
	// Passes are how tokens of a row pack are decoded; no result depends on them.
	Passes swap.Passes
	// Cold decodes behind a prompt without the rows that it would leave in memory, for
	// comparison.
	Cold bool
	// Layers is how many layers are computed, the first ones, where a part of a model tells
	// what all of it costs; 0 for all. What it writes then means nothing.
	Layers int
	// Mapped leaves the weights in the mapped file, unverified, for comparison and trials.
	// Budget must be 0. See openResident.
	Mapped bool
}

// OpenDecoder opens the pack or row pack of a decoder at path. Weights are read into memory
// if they fit into the budget beside a sequence of MaxTokens; otherwise layers of a pack are
// streamed, as many kept as fit, and rows of a row pack swapped. Every block is compared
// with its checksum first. ctx ends opening, which reads the whole file. Kernel and ledger
// stay the caller's. The error wraps ErrBudget if the budget is too small for that too.
func OpenDecoder(ctx context.Context, path string, k *kernel.Kernel, options DecoderOptions) (*Decoder, error) {
	rows, err := pack.IsRows(path)
	if err != nil {
		return nil, err
	}
	options.Threads = max(options.Threads, 1)
	d := &Decoder{
		model:   model[*llamaLayer]{ledger: options.Ledger},
		options: options, semaphore: make(chan struct{}, 1), meter: kv.NewMeter(kv.UsualProfile),
		waits: weights.NewWaits(longWait),
	}
	open := d.openPack
	if rows {
		open = d.openRows
	}
	if err := open(ctx, path, k); err != nil {
		return nil, errors.Join(fmt.Errorf("open decoder %s: %w", path, err), d.Close())
	}
	return d, nil
}

// describe notes the description of the model, and makes its network.
func (d *Decoder) describe(p description, k *kernel.Kernel) (err error) {
	d.config, d.sum, d.stop, d.template = p.Config(), p.Fingerprint(), p.Stop(), p.ChatTemplate()
	c := &d.config
	if c.Dim() > 0 {
		return fmt.Errorf("%s makes vectors of this pack; it writes nothing", c.Architecture)
	}
	if !c.Decoder {
		return fmt.Errorf("%s is no decoder; it cannot continue texts", c.Architecture)
	}
	c.MaxTokens = min(c.MaxTokens, cmp.Or(d.options.MaxTokens, c.MaxTokens))
	c.Layers = min(c.Layers, cmp.Or(d.options.Layers, c.Layers))
	d.network, err = newLlama(k, *c, d.options.Adapter, d.options.Ledger)
	return err
}

// description is the methods of *pack.Pack and *pack.Rows that describe a model.
type description interface {
	Config() pack.Config
	Fingerprint() (sum [32]byte)
	Stop() []int32
	ChatTemplate() string
}

// openPack opens a pack whose layers lie one after the other.
func (d *Decoder) openPack(ctx context.Context, path string, k *kernel.Kernel) error {
	mapped, err := pack.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.openMapped(ctx, path, mapped, k), mapped.Close())
}

// openMapped opens the pack, whose open mapping is mapped.
func (d *Decoder) openMapped(ctx context.Context, path string, mapped *pack.Pack, k *kernel.Kernel) error {
	if err := d.describe(mapped, k); err != nil {
		return err
	}
	c := &d.config
	m := Model{Config: *c, Mapped: mapped.Size(), Tokenizer: mapped.TokenizerSize(), Resident: d.network.adapter.bytes(), ChunkTokens: d.options.ChunkTokens}
	room, err := weights.NewRoom(m, Limits{Budget: d.options.Budget, Threads: d.options.Threads})
	if err != nil {
		return err
	}
	d.room = &room
	if d.options.Mapped {
		err = d.openMapping(path, d.network)
	} else {
		plan := Plan{Streamed: !room.Resident(), TokenRows: room.TokenRows()}
		err = d.open(ctx, path, mapped, d.network, needs{output: true}, plan)
	}
	if err != nil {
		return err
	}
	d.source, d.fit = d.resident, func(int64, int) error { return nil }
	if d.streamed() {
		d.streamer = weights.NewStreamer(d.layers, d.ledger)
		d.streamer.Tell(d.waits)
		d.source, d.fit = d.streamer, func(held int64, rows int) error {
			if err := room.Check(held, rows); err != nil {
				return err
			}
			if d.mixture != nil {
				if err := d.mixture.cache.SetBudget(room.Experts(held, rows)); err != nil {
					return err
				}
			}
			return d.streamer.Keep(room.Keep(held, rows))
		}
		d.source = budgeted{d.source, d}
	}
	return d.ready()
}

// ready makes all but the layers, for either kind of pack.
func (d *Decoder) ready() (err error) {
	width := d.config.Hidden
	d.inputs = d.embeddings(d.network.inputs())
	d.head = kernel.Head{Width: width, Words: d.output.Words, WordScale: d.output.WordScale}
	if rows := &d.output.Rows; rows.Blocks != nil {
		if err := rows.Check(); err != nil {
			return fmt.Errorf("output: %w", err)
		}
		d.head.Rows = rows
	}
	d.team = openTeam(d.options.Threads, d.ledger)
	if err := d.openMixture(); err != nil {
		return err
	}
	if d.states, err = memory.NewBuffer(d.ledger, weights.ActivationsPool, 4*weights.BlockRows*width); err != nil {
		return err
	}
	d.semaphore <- struct{}{}
	return nil
}

// Close frees weights and working memory. No call may be under way. Callers free their
// Sequences.
func (d *Decoder) Close() error {
	err := d.team.free()
	if d.network != nil {
		err = errors.Join(err, d.network.adapter.free())
	}
	if d.streamer != nil {
		err = errors.Join(err, d.streamer.Close())
	}
	return errors.Join(err, d.swap.close(), d.mixture.close(), d.states.Free(), d.close())
}
