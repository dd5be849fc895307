package transformer

import (
	"context"
	"errors"

	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models/pack"
	"dowse/models/tokenizer"
)

// model is an open pack, the part that all heads share. L is a layer of its architecture.
type model[L any] struct {
	config    pack.Config
	sum       [32]byte // fingerprint of the pack
	ledger    *memory.Ledger
	tokenizer *tokenizer.Tokenizer
	tables    pack.Embeddings // without the rows of tokens where these are streamed
	head      pack.Head
	output    pack.Output // of a decoder

	resident weights.Resident[L] // nil of a streamed model
	layers   weights.Layers[L]   // how those of a streamed model are read
	stream   *pack.Stream
	rows     *weights.RowCache // where the rows of tokens are streamed
	mapping  *pack.Pack        // with DecoderOptions.Mapped
	fixed    *memory.Buffer    // the whole pack or, of a streamed model, the parts that stay
	charged  int64             // bytes of rotary tables in the ledger
}

// Operations is how many multiplications and additions the projections of all layers take for
// a token; 0 for a mixture of experts, where it depends on the token.
func (m *model[L]) Operations() float64 {
	if m.config.Mixture.Experts > 0 {
		return 0
	}
	each, shape := 0, weights.ShapeOf(&m.config)
	for _, p := range shape.Projections {
		each += p[0] * p[1]
	}
	return 2 * float64(each) * float64(m.config.Layers)
}

// needs is the parts of a pack that a head takes beside layers, embeddings and tokenizer.
type needs struct {
	head   bool // the head that the pack has, if any
	output bool // the output of a decoder
}

// open reads a pack into memory or, by the plan, opens it for streaming, and compares every
// block with its checksum. mapped is the same pack. After an error call close.
func (m *model[L]) open(ctx context.Context, path string, mapped *pack.Pack, a architecture[L], n needs, p Plan) error {
	m.charged = weights.PositionBytes(&m.config)
	m.ledger.Grow(weights.ResidentPool, m.charged)
	if p.Streamed {
		return m.openStreamed(ctx, path, mapped, a, n, p)
	}
	return m.openResident(ctx, path, a)
}

// openResident reads the pack and binds its weights.
//
// Mapping the file would cost less (20 against 40 to 100 ms for the 132 MiB of SmolLM2-135M,
// and its size once more until the system drops the file from its cache). But a mapped file
// that is cut crashes the kernels, and one that is overwritten is another model from one
// token to the next.
func (m *model[L]) openResident(ctx context.Context, path string, a architecture[L]) error {
	p, err := pack.Load(ctx, path, func(size int) (room []byte, err error) {
		if m.fixed, err = memory.NewBuffer(m.ledger, weights.ResidentPool, size); err != nil {
			return nil, err
		}
		m.fixed.Filled()
		return m.fixed.Bytes(), nil
	})
	if err != nil {
		return err
	}
	if p.Fingerprint() != m.sum {
		return errReplaced
	}
	return m.bindPack(p, a)
}

// openMapping leaves the weights of a pack in its mapping.
func (m *model[L]) openMapping(path string, a architecture[L]) (err error) {
	if m.mapping, err = pack.Open(path); err != nil {
		return err
	}
	return m.bindPack(m.mapping, a)
}

// bindPack gives the weights of a whole pack their types.
func (m *model[L]) bindPack(p *pack.Pack, a architecture[L]) (err error) {
	if m.tokenizer, err = p.Tokenizer(); err != nil {
		return err
	}
	m.tables, m.head, m.output = p.Embeddings(), p.Head(), p.Output()
	m.resident = make(weights.Resident[L], m.config.Layers)
	for i := range m.resident {
		if m.resident[i], err = a.mapped(p, i); err != nil {
			return err
		}
	}
	return nil
}

// openStreamed reads the parts that stay in memory, past the page cache, after comparing
// checksums of all but experts: embedding rows have none when they are read, experts have.
func (m *model[L]) openStreamed(ctx context.Context, path string, mapped *pack.Pack, a architecture[L], n needs, p Plan) error {
	err := mapped.VerifyAllButExperts(ctx)
	if err != nil {
		return err
	}
	if m.stream, err = pack.OpenStream(path); err != nil {
		return err
	}
	if m.stream.Fingerprint() != m.sum {
		return errReplaced
	}
	if _, err := m.readFixed(m.stream, n, 0); err != nil {
		return err
	}
	if err := m.cacheWords(m.stream, p.TokenRows); err != nil {
		return err
	}
	m.layers = weights.Layers[L]{
		Count: m.config.Layers, Bytes: m.config.LayerBuffer(),
		Read: func(i int, buffer []byte) (L, error) { return a.read(m.stream, i, buffer) },
	}
	return nil
}

// packReader reads the parts that stay, from either kind of pack.
type packReader interface {
	weights.WordReader
	TokenizerBuffer() int
	ReadTokenizer(buffer []byte) (*tokenizer.Tokenizer, error)
	ReadTables(buffer []byte) (pack.Embeddings, error)
	ReadEmbeddings(buffer []byte) (pack.Embeddings, error)
	ReadOutput(buffer []byte) (pack.Output, error)
}

// readFixed reads tokenizer, embedding tables, head and output into one buffer, and returns
// further bytes of it. Rows of tokens are read only where the output is tied to them.
func (m *model[L]) readFixed(from packReader, n needs, further int) (rest []byte, err error) {
	c := &m.config
	tied := n.output && c.TiedOutput
	sizes := struct{ tokenizer, tables, head, output int }{tokenizer: from.TokenizerBuffer(), tables: c.TablesBuffer()}
	if tied {
		sizes.tables = c.EmbeddingsBuffer()
	}
	if n.head {
		sizes.head = weights.HeadBuffer(c)
	}
	if n.output {
		sizes.output = c.OutputBuffer()
	}
	if m.fixed, err = memory.NewBuffer(m.ledger, weights.ResidentPool, sizes.tokenizer+sizes.tables+sizes.head+sizes.output+further); err != nil {
		return nil, err
	}
	rest = m.fixed.Bytes()
	take := func(n int) []byte {
		piece := rest[:n:n]
		rest = rest[n:]
		return piece
	}
	if m.tokenizer, err = from.ReadTokenizer(take(sizes.tokenizer)); err != nil {
		return nil, err
	}
	read := from.ReadTables
	if tied {
		read = from.ReadEmbeddings
	}
	if m.tables, err = read(take(sizes.tables)); err != nil {
		return nil, err
	}
	if sizes.head > 0 {
		if m.head, err = m.stream.ReadHead(take(sizes.head)); err != nil {
			return nil, err
		}
	}
	if n.output {
		if m.output, err = from.ReadOutput(take(sizes.output)); err != nil {
			return nil, err
		}
	}
	if tied {
		m.output.Words, m.output.WordScale = m.tables.Words, m.tables.WordScale
	}
	return rest, nil
}

// cacheWords makes a cache of the rows of tokens, unless all are in memory.
func (m *model[L]) cacheWords(from weights.WordReader, rows int) (err error) {
	if m.tables.Words == nil {
		m.rows, err = weights.NewRowCache(from, m.tables.WordScale, rows, m.ledger)
	}
	return err
}

var errReplaced = errors.New("the pack was replaced while it was opened; try again")

// embeddings are the embeddings that make states by in.
func (m *model[L]) embeddings(in inputs) embeddings {
	if m.rows != nil {
		return &cachedEmbeddings{in: in, width: m.config.Hidden, rows: m.rows}
	}
	return residentEmbeddings{in: in, table: weights.Table{Rows: m.tables.Words, Scale: m.tables.WordScale, Form: m.config.WordsForm()}}
}

// streamed reports whether layers are read from the pack during each pass.
func (m *model[L]) streamed() bool { return m.stream != nil }

// close gives all memory back. No layer may be lent.
func (m *model[L]) close() error {
	var err error
	if m.rows != nil {
		err = m.rows.Close()
	}
	if m.stream != nil {
		err = errors.Join(err, m.stream.Close())
	}
	if m.mapping != nil {
		err = errors.Join(err, m.mapping.Close())
	}
	m.ledger.Shrink(weights.ResidentPool, m.charged)
	m.charged = 0
	return errors.Join(err, m.fixed.Free())
}

// Types of package weights that callers need to open a model.
type (
	// Limits is what a model may use.
	Limits = weights.Limits
	// Model is what the planner knows of a model.
	Model = weights.Model
	// Plan says how a model runs.
	Plan = weights.Plan
)

// ErrBudget is wrapped by the error about a budget that is too small to run a
// model in, however slowly.
var ErrBudget = weights.ErrBudget
