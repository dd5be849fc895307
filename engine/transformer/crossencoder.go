package transformer

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/models/pack"
	"dowse/models/tokenizer"
)

// CrossEncoder scores pairs of texts, a query and a passage, by reading both
// together. It computes one Pass at a time; its methods may be called from
// several goroutines.
type CrossEncoder struct {
	network    network
	inputs     inputs
	head       head
	layers     []layer // of a resident model
	words      words
	pack       *pack.Pack
	tokenizer  *tokenizer.Tokenizer
	options    CrossEncoderOptions
	workspaces []*Workspace
	turn       chan struct{} // holds one value while no pass is under way

	stream *pack.Stream   // of a streamed model, as is
	fixed  *memory.Buffer // tables and head
	cached *cachedWords
	// charged is what the ledger was told of mapped weights.
	charged int64
}

// CrossEncoderOptions configure OpenCrossEncoder.
type CrossEncoderOptions struct {
	Limits
	Ledger *memory.Ledger // may be nil
	// Spill is the folder of the file that hidden states are moved to when
	// there is no room for them; "" is where temporary files go. It should not
	// lie in memory itself.
	Spill string
	// Synchronous reads each layer of a streamed model only when it is wanted:
	// the way of offloading that streaming is measured against.
	Synchronous bool
	// Plan, where not nil, decides in place of MakePlan how candidates of the
	// given lengths run: for measurements of one technique at a time.
	Plan func(lengths []int) (Plan, error)
}

// Pair is a query and a passage as tokens, with the special ones of the model.
type Pair struct {
	IDs   []int32
	Types []uint8 // the segment of each token; nil means 0 for all
}

// OpenCrossEncoder opens the pack at path, which must be that of a model with
// a head. Weights stay in the file and are mapped if they fit into the budget;
// otherwise they are streamed. The kernel and the ledger stay the caller's.
// The error wraps ErrBudget when the budget is too small for that too, with 60
// candidates of the greatest length.
func OpenCrossEncoder(path string, k *kernel.Kernel, options CrossEncoderOptions) (*CrossEncoder, error) {
	options.Threads = max(options.Threads, 1)
	p, err := pack.Open(path)
	if err != nil {
		return nil, err
	}
	if options.Plan == nil {
		options.Plan = func(lengths []int) (Plan, error) { return MakePlan(modelOf(p), options.Limits, lengths) }
	}
	c := &CrossEncoder{pack: p, options: options, turn: make(chan struct{}, 1)}
	if err := c.open(path, k); err != nil {
		return nil, errors.Join(fmt.Errorf("open reranker %s: %w", path, err), c.Close())
	}
	return c, nil
}

// modelOf describes a pack to the planner.
func modelOf(p *pack.Pack) Model {
	return Model{Config: p.Config(), Mapped: p.Size(), Tokenizer: p.TokenizerSize()}
}

func (c *CrossEncoder) open(path string, k *kernel.Kernel) error {
	config := c.pack.Config()
	if config.Head == pack.NoHead {
		return fmt.Errorf("%s makes vectors; it has no head that scores", config.Architecture)
	}
	var err error
	if c.tokenizer, err = c.pack.Tokenizer(); err != nil {
		return err
	}
	if c.network, err = newNetwork(k, config); err != nil {
		return err
	}
	plan, err := c.options.Plan(slices.Repeat([]int{config.MaxTokens}, usualCandidates))
	if err != nil {
		return err
	}
	for range c.options.Threads {
		c.workspaces = append(c.workspaces, NewWorkspace(c.options.Ledger))
	}
	if plan.Streamed {
		err = c.openStreamed(path, plan)
	} else {
		err = c.openResident()
	}
	if err == nil {
		c.turn <- struct{}{}
	}
	return err
}

// openResident binds the mapped weights.
func (c *CrossEncoder) openResident() error {
	tables := c.pack.Embeddings()
	var err error
	if c.inputs, err = newInputs(&c.network, tables); err != nil {
		return err
	}
	if c.layers, err = bindLayers(c.pack); err != nil {
		return err
	}
	c.words = mappedWords{in: &c.inputs, table: wordTable{rows: tables.Words, scale: tables.WordScale}}
	c.head = newHead(&c.network, c.pack.Head())
	c.charge(c.pack.Size())
	return nil
}

// openStreamed opens the pack a second time, past the page cache, and reads
// what stays resident. Of the mapping only the tokenizer is used.
func (c *CrossEncoder) openStreamed(path string, plan Plan) error {
	var err error
	if c.stream, err = pack.OpenStream(path); err != nil {
		return err
	}
	if c.stream.Fingerprint() != c.pack.Fingerprint() {
		return errors.New("the pack was replaced while it was opened; try again")
	}
	config := c.pack.Config()
	tablesSize := config.TablesBuffer()
	if c.fixed, err = memory.NewBuffer(c.options.Ledger, WeightsPool, tablesSize+config.HeadBuffer()); err != nil {
		return err
	}
	tables, err := c.stream.ReadTables(c.fixed.Bytes()[:tablesSize])
	if err != nil {
		return err
	}
	head, err := c.stream.ReadHead(c.fixed.Bytes()[tablesSize:])
	if err != nil {
		return err
	}
	c.head = newHead(&c.network, head)
	if c.inputs, err = newInputs(&c.network, tables); err != nil {
		return err
	}
	if c.cached, err = newCachedWords(&c.inputs, c.stream, plan.WordRows, c.options.Ledger); err != nil {
		return err
	}
	c.words = c.cached
	c.charge(c.pack.TokenizerSize())
	return nil
}

func (c *CrossEncoder) charge(n int64) {
	c.options.Ledger.Grow(WeightsPool, n)
	c.charged = n
}

// Close gives back weights and memory. No pass may be under way.
func (c *CrossEncoder) Close() error {
	var err error
	for _, w := range c.workspaces {
		err = errors.Join(err, w.Free())
	}
	if c.cached != nil {
		err = errors.Join(err, c.cached.free())
	}
	err = errors.Join(err, c.fixed.Free())
	if c.stream != nil {
		err = errors.Join(err, c.stream.Close())
	}
	c.options.Ledger.Shrink(WeightsPool, c.charged)
	c.charged = 0
	return errors.Join(err, c.pack.Close())
}

// Layers is the number of layers.
func (c *CrossEncoder) Layers() int { return c.network.config.Layers }

// MaxTokens is the most tokens that a pair may have.
func (c *CrossEncoder) MaxTokens() int { return c.network.config.MaxTokens }

// LayerHeads says that the model has a head trained for each layer, so that
// scores after early layers mean as much as they can.
func (c *CrossEncoder) LayerHeads() bool { return c.head.layered }

// Streamed says that weights are read from the pack during each pass.
func (c *CrossEncoder) Streamed() bool { return c.stream != nil }

// Fingerprint identifies weights, tokenizer and configuration.
func (c *CrossEncoder) Fingerprint() string {
	sum := c.pack.Fingerprint()
	return hex.EncodeToString(sum[:])
}

// Encode returns the tokens of a pair, cut to MaxTokens.
func (c *CrossEncoder) Encode(query, passage string) Pair {
	ids, types := c.tokenizer.EncodePair(query, passage, c.network.config.MaxTokens)
	return Pair{IDs: ids, Types: types}
}

// Score is the plain use: the score of each pair after the last layer, higher
// is more relevant. Scores of one model are comparable.
func (c *CrossEncoder) Score(ctx context.Context, pairs []Pair) (scores []float32, err error) {
	p, err := c.Begin(ctx, pairs)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	all := upTo(len(pairs))
	for i := range c.Layers() {
		if err := p.Advance(ctx, i, all); err != nil {
			return nil, err
		}
	}
	scores = make([]float32, len(pairs))
	p.Scores(c.Layers()-1, all, scores)
	return scores, nil
}
