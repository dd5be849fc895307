package transformer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/models/pack"
)

// CrossEncoder scores pairs of texts, a query and a passage, by reading both
// together. It computes one Pass at a time; its methods may be called from
// several goroutines.
type CrossEncoder struct {
	config     pack.Config
	family     family
	head       scorer
	layers     []block // of a resident model
	words      words
	pack       *pack.Pack
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
	// MaxTokens is the longest input that a decoder is given, 0 for 1024. What
	// it could take is often far more than memory is there for.
	MaxTokens int
	// Prompt asks a decoder; nil is what the model's kind is trained on.
	Prompt *Prompt
	// Adapter is the folder of a low-rank adapter for a decoder, as PEFT writes
	// it, which may bring heads that score: heads.weight [1,D] or [layers,D] and
	// heads.bias among its tensors. Empty for none.
	Adapter string
	// SeparatePrefixes computes what the inputs of a decoder have in common for
	// each of them again: what sharing it is measured against.
	SeparatePrefixes bool
	// Synchronous reads each layer of a streamed model only when it is wanted:
	// the way of offloading that streaming is measured against.
	Synchronous bool
	// Plan, where not nil, decides in place of MakePlan how candidates of the
	// given lengths run: for measurements of one technique at a time. Of a
	// decoder the lengths are without the prefix that candidates share.
	Plan func(lengths []int) (Plan, error)
}

// Pair is a query and a passage as tokens, with the special ones of the model.
type Pair struct {
	IDs   []int32
	Types []uint8 // the segment of each token; nil means 0 for all
}

// from is the pair without its first n tokens.
func (p Pair) from(n int) Pair {
	p.IDs = p.IDs[n:]
	if p.Types != nil {
		p.Types = p.Types[n:]
	}
	return p
}

// OpenCrossEncoder opens the pack at path, which must be that of an encoder with
// a head, or of a decoder, which a prompt asks or an adapter gives a head.
// Weights stay in the file and are mapped if they fit into the budget;
// otherwise they are streamed. The kernel and the ledger stay the caller's.
// The error wraps ErrBudget when the budget is too small for that too, with 60
// candidates of the greatest length.
func OpenCrossEncoder(path string, k *kernel.Kernel, options CrossEncoderOptions) (*CrossEncoder, error) {
	options.Threads = max(options.Threads, 1)
	p, err := pack.Open(path)
	if err != nil {
		return nil, err
	}
	config := p.Config()
	if config.Decoder {
		config.MaxTokens = min(config.MaxTokens, cmp.Or(options.MaxTokens, usualTokens))
	}
	c := &CrossEncoder{pack: p, config: config, options: options, turn: make(chan struct{}, 1)}
	if err := c.open(path, k); err != nil {
		return nil, errors.Join(fmt.Errorf("open reranker %s: %w", path, err), c.Close())
	}
	return c, nil
}

// plan decides how candidates run.
func (c *CrossEncoder) plan(r request) (Plan, error) {
	if c.options.Plan != nil {
		return c.options.Plan(r.lengths)
	}
	model := Model{Config: c.config, Mapped: c.pack.Size(), Tokenizer: c.pack.TokenizerSize(), Resident: c.family.resident()}
	return makePlan(model, c.options.Limits, r)
}

// usualTokens is the longest input of a decoder: passages are much shorter, and
// the working memory of the longest is what models are planned for.
const usualTokens = 1024

func (c *CrossEncoder) open(path string, k *kernel.Kernel) error {
	tokenizer, err := c.pack.Tokenizer()
	if err != nil {
		return err
	}
	if c.family, err = newFamily(k, c.config, tokenizer, &c.options); err != nil {
		return err
	}
	plan, err := c.plan(request{lengths: slices.Repeat([]int{c.config.MaxTokens}, usualCandidates)})
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
	inputs, err := c.family.inputs(tables)
	if err != nil {
		return err
	}
	if c.layers, err = bindLayers(c.family, c.pack); err != nil {
		return err
	}
	c.words = mappedWords{in: inputs, table: wordTable{rows: tables.Words, scale: tables.WordScale}}
	if c.head, err = c.family.scorer(c.pack.Head(), c.pack); err != nil {
		return err
	}
	c.charge(c.pack.Size() + rotaryBytes(&c.config))
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
	config := c.config
	tablesSize := config.TablesBuffer()
	if c.fixed, err = memory.NewBuffer(c.options.Ledger, WeightsPool, tablesSize+headBuffer(&config)); err != nil {
		return err
	}
	tables, err := c.stream.ReadTables(c.fixed.Bytes()[:tablesSize])
	if err != nil {
		return err
	}
	var head pack.Head
	if config.Head != pack.NoHead {
		if head, err = c.stream.ReadHead(c.fixed.Bytes()[tablesSize:]); err != nil {
			return err
		}
	}
	if c.head, err = c.family.scorer(head, c.pack); err != nil {
		return err
	}
	inputs, err := c.family.inputs(tables)
	if err != nil {
		return err
	}
	if c.cached, err = newCachedWords(inputs, tables.WordScale, c.stream, plan.WordRows, c.options.Ledger); err != nil {
		return err
	}
	c.words = c.cached
	c.charge(c.pack.TokenizerSize() + rotaryBytes(&config))
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
	if c.family != nil {
		err = errors.Join(err, c.family.free())
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
func (c *CrossEncoder) Layers() int { return c.config.Layers }

// MaxTokens is the most tokens that a pair may have.
func (c *CrossEncoder) MaxTokens() int { return c.config.MaxTokens }

// headBuffer is the bytes that the pack's own head takes.
func headBuffer(c *pack.Config) int {
	if c.Head == pack.NoHead {
		return 0
	}
	return c.HeadBuffer()
}

// LayerHeads says that the model has a head trained for each layer, so that
// scores after early layers mean as much as they can.
func (c *CrossEncoder) LayerHeads() bool { return c.head.layered() }

// Streamed says that weights are read from the pack during each pass.
func (c *CrossEncoder) Streamed() bool { return c.stream != nil }

// Fingerprint identifies weights, tokenizer and configuration, and of a decoder
// its adapter and its prompt.
func (c *CrossEncoder) Fingerprint() string {
	sum := c.pack.Fingerprint()
	if variant := c.family.variant(); variant != "" {
		sum = sha256.Sum256(append(sum[:], variant...))
	}
	return hex.EncodeToString(sum[:])
}

// Encode returns the tokens of a pair, cut to MaxTokens.
func (c *CrossEncoder) Encode(query, passage string) Pair {
	return c.family.encode(query, passage, c.config.MaxTokens)
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
