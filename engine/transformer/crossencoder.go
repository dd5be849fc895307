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
	"dowse/models/tokenizer"
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
	tokenizer  *tokenizer.Tokenizer
	options    CrossEncoderOptions
	workspaces []*Workspace
	turn       chan struct{} // holds one value while no pass is under way

	model  Model
	sum    [32]byte       // fingerprint of the pack
	stream *pack.Stream   // nil of a resident model
	fixed  *memory.Buffer // the whole pack or, of a streamed model, tokenizer, tables and head
	cached *cachedWords
	// charged is what the ledger was told of the table of positions.
	charged int64
}

// CrossEncoderOptions configure OpenCrossEncoder.
type CrossEncoderOptions struct {
	Limits
	Ledger  *memory.Ledger  // may be nil
	Opening context.Context // ends opening, which reads the whole pack; may be nil
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
// Weights are read into memory if they fit into the budget; otherwise they are
// streamed. Either way every block is compared with its checksum first. The kernel and the ledger stay the caller's.
// The error wraps ErrBudget when the budget is too small for that too, with 60
// candidates of the greatest length.
func OpenCrossEncoder(path string, k *kernel.Kernel, options CrossEncoderOptions) (*CrossEncoder, error) {
	options.Threads = max(options.Threads, 1)
	header, err := pack.Open(path)
	if err != nil {
		return nil, err
	}
	config := header.Config()
	if config.Decoder {
		config.MaxTokens = min(config.MaxTokens, cmp.Or(options.MaxTokens, usualTokens))
	}
	c := &CrossEncoder{sum: header.Fingerprint(), config: config, options: options, turn: make(chan struct{}, 1)}
	if err := errors.Join(c.open(header, path, k), header.Close()); err != nil {
		return nil, errors.Join(fmt.Errorf("open reranker %s: %w", path, err), c.Close())
	}
	return c, nil
}

// plan decides how candidates run.
func (c *CrossEncoder) plan(r request) (Plan, error) {
	if c.options.Plan != nil {
		return c.options.Plan(r.lengths)
	}
	return makePlan(c.model, c.options.Limits, r)
}

// usualTokens is the longest input of a decoder: passages are much shorter, and
// the working memory of the longest is what models are planned for.
const usualTokens = 1024

// open uses the mapped pack for what is read once.
func (c *CrossEncoder) open(mapped *pack.Pack, path string, k *kernel.Kernel) error {
	var err error
	if c.family, err = newFamily(k, c.config, &c.options); err != nil {
		return err
	}
	c.model = Model{Config: c.config, Mapped: mapped.Size(), Tokenizer: mapped.TokenizerSize(), Resident: c.family.resident()}
	plan, err := c.plan(request{lengths: slices.Repeat([]int{c.config.MaxTokens}, usualCandidates)})
	if err != nil {
		return err
	}
	for range c.options.Threads {
		c.workspaces = append(c.workspaces, NewWorkspace(c.options.Ledger))
	}
	if plan.Streamed {
		err = c.openStreamed(mapped, path, plan)
	} else {
		err = c.openResident(path)
	}
	if err == nil {
		c.turn <- struct{}{}
	}
	return err
}

// openResident reads the pack and binds its weights.
func (c *CrossEncoder) openResident(path string) error {
	p, weights, err := loadPack(orBackground(c.options.Opening), path, c.options.Ledger)
	if err != nil {
		return err
	}
	if c.fixed = weights; p.Fingerprint() != c.sum {
		return errReplaced
	}
	if c.tokenizer, err = p.Tokenizer(); err != nil {
		return err
	}
	tables := p.Embeddings()
	inputs, err := c.family.inputs(tables)
	if err != nil {
		return err
	}
	if c.layers, err = bindLayers(c.family, p); err != nil {
		return err
	}
	c.words = mappedWords{in: inputs, table: wordTable{rows: tables.Words, scale: tables.WordScale}}
	if c.head, err = c.family.scorer(p.Head(), p, c.tokenizer); err != nil {
		return err
	}
	c.charge(rotaryBytes(&c.config))
	return nil
}

// openStreamed reads what stays resident, past the page cache, after a look at
// every byte: single embedding rows are not checked when they are read.
func (c *CrossEncoder) openStreamed(mapped *pack.Pack, path string, plan Plan) error {
	err := mapped.Verify(orBackground(c.options.Opening))
	if err != nil {
		return err
	}
	if c.stream, err = openSame(path, c.sum); err != nil {
		return err
	}
	config := c.config
	first, second := c.stream.TokenizerBuffer(), config.TablesBuffer()
	if c.fixed, err = memory.NewBuffer(c.options.Ledger, WeightsPool, first+second+headBuffer(&config)); err != nil {
		return err
	}
	room := c.fixed.Bytes()
	if c.tokenizer, err = c.stream.ReadTokenizer(room[:first]); err != nil {
		return err
	}
	tables, err := c.stream.ReadTables(room[first : first+second])
	if err != nil {
		return err
	}
	var head pack.Head
	if config.Head != pack.NoHead {
		if head, err = c.stream.ReadHead(room[first+second:]); err != nil {
			return err
		}
	}
	if c.head, err = c.family.scorer(head, mapped, c.tokenizer); err != nil {
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
	c.charge(rotaryBytes(&config))
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
	c.options.Ledger.Shrink(WeightsPool, c.charged)
	c.charged = 0
	if c.stream != nil {
		err = errors.Join(err, c.stream.Close())
	}
	return errors.Join(err, c.fixed.Free())
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
	sum := c.sum
	if variant := c.family.variant(); variant != "" {
		sum = sha256.Sum256(append(sum[:], variant...))
	}
	return hex.EncodeToString(sum[:])
}

// Encode returns the tokens of a pair, cut to MaxTokens.
func (c *CrossEncoder) Encode(query, passage string) Pair {
	return c.family.encode(c.tokenizer, query, passage, c.config.MaxTokens)
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
