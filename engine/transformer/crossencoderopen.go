package transformer

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// CrossEncoderOptions configure OpenCrossEncoder.
type CrossEncoderOptions struct {
	Limits
	Ledger *memory.Ledger // may be nil
	// Spill is the folder of the file that hidden states are moved to when
	// there is no room for them; "" is where temporary files go. It should not
	// lie in memory itself.
	Spill string
	// MaxTokens is the longest input of the model. 0 is all positions of an encoder with a
	// table of them, and 1024 of other models, whose limits often exceed memory.
	MaxTokens int
	// Prompt asks a decoder; nil is the one its kind was trained with.
	Prompt *Prompt
	// Adapter is the folder of a low-rank adapter for a decoder, as PEFT writes
	// it, which may bring heads that score: heads.weight [1,D] or [layers,D] and
	// heads.bias among its tensors. Empty for none.
	Adapter string
	// Plan, unless nil, replaces MakePlan for candidates of the given lengths (without a
	// decoder's shared prefix), to measure one technique at a time.
	Plan func(lengths []int) (Plan, error)
}

// OpenCrossEncoder opens the pack at path: an encoder with a head, or a decoder that a
// prompt asks or an adapter gives a head. Weights are read into memory if they fit into the
// budget, otherwise streamed; every block is compared with its checksum first. ctx ends
// opening, which reads the whole pack. Kernel and ledger stay the caller's. The error wraps
// ErrBudget if not even streaming fits with 60 candidates of the greatest length.
func OpenCrossEncoder(ctx context.Context, path string, k *kernel.Kernel, options CrossEncoderOptions) (*CrossEncoder, error) {
	options.Threads = max(options.Threads, 1)
	mapped, err := pack.Open(path)
	if err != nil {
		return nil, err
	}
	config := mapped.Config()
	config.MaxTokens = LongestPair(&config, options.MaxTokens)
	c := &CrossEncoder{
		model:   model[layer]{config: config, sum: mapped.Fingerprint(), ledger: options.Ledger},
		options: options, semaphore: make(chan struct{}, 1),
	}
	if err := errors.Join(c.open(ctx, path, mapped, k), mapped.Close()); err != nil {
		return nil, errors.Join(fmt.Errorf("open reranker %s: %w", path, err), c.Close())
	}
	return c, nil
}

// plan decides how candidates run.
func (c *CrossEncoder) plan(work weights.Work) (Plan, error) {
	if c.options.Plan != nil {
		return c.options.Plan(work.Lengths)
	}
	return weights.MakePlan(c.planned, c.options.Limits, work)
}

// LongestPair is the most tokens that a CrossEncoder with the option MaxTokens gives a
// model.
func LongestPair(c *pack.Config, most int) int {
	return min(c.MaxTokens, cmp.Or(most, usualLength(c)))
}

// open opens the pack, whose open mapping is mapped.
func (c *CrossEncoder) open(ctx context.Context, path string, mapped *pack.Pack, k *kernel.Kernel) error {
	var err error
	if c.family, err = newFamily(k, c.config, &c.options); err != nil {
		return err
	}
	c.planned = Model{Config: c.config, Mapped: mapped.Size(), Tokenizer: mapped.TokenizerSize(), Resident: c.family.resident()}
	plan, err := c.plan(weights.UsualSequences(&c.config))
	if err != nil {
		return err
	}
	for range c.options.Threads {
		c.workspaces = append(c.workspaces, newWorkspace(c.options.Ledger))
	}
	if err := c.model.open(ctx, path, mapped, c.family, needs{head: true}, plan); err != nil {
		return err
	}
	output := c.output
	if c.streamed() {
		output = mapped.Output()
	}
	if c.scorer, err = c.family.scorer(c.head, output, c.tokenizer); err != nil {
		return err
	}
	in, err := c.family.begin(c.tables, output)
	if err != nil {
		return err
	}
	c.inputs = c.embeddings(in)
	c.semaphore <- struct{}{}
	return nil
}

// Close gives back weights and memory. No pass may be under way.
func (c *CrossEncoder) Close() error {
	var err error
	for _, w := range c.workspaces {
		err = errors.Join(err, w.Free())
	}
	if c.family != nil {
		err = errors.Join(err, c.family.free())
	}
	return errors.Join(err, c.close())
}
