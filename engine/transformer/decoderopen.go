package transformer

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/models/pack"
)

// DecoderOptions configure OpenDecoder.
type DecoderOptions struct {
	Threads int // workers, at least 1
	// Budget is the bytes that the decoder and its contexts may take together, 0
	// for any number. Logits are the caller's.
	Budget    int64
	MaxTokens int             // of a Context; 0 means all that the model takes
	Ledger    *memory.Ledger  // may be nil
	Opening   context.Context // ends opening, which reads the whole pack; may be nil
	Adapter   string          // folder of a low-rank adapter as PEFT writes it; empty for none
	// KeepNone reads all layers of a model that does not fit in every pass: what
	// keeping some of them is measured against.
	KeepNone bool
}

// OpenDecoder opens the pack at path, which must be that of a decoder. Weights
// are read into memory if they fit into the budget beside a context of MaxTokens;
// otherwise layers are read during passes, and as many of them kept as there is
// room for. Either way every block is compared with its checksum first. The kernel and the ledger stay the caller's. The error wraps
// ErrBudget when the budget is too small for that too.
func OpenDecoder(path string, k *kernel.Kernel, options DecoderOptions) (*Decoder, error) {
	mapped, err := pack.Open(path)
	if err != nil {
		return nil, err
	}
	options.Threads = max(options.Threads, 1)
	d := &Decoder{
		config: mapped.Config(), options: options, sum: mapped.Fingerprint(),
		stop: mapped.Stop(), template: mapped.ChatTemplate(), turn: make(chan struct{}, 1),
	}
	if err := errors.Join(d.open(mapped, path, k), mapped.Close()); err != nil {
		return nil, errors.Join(fmt.Errorf("open decoder %s: %w", path, err), d.Close())
	}
	return d, nil
}

// open uses the mapped pack for what is read once.
func (d *Decoder) open(mapped *pack.Pack, path string, k *kernel.Kernel) error {
	c := &d.config
	if !c.Decoder {
		return fmt.Errorf("%s is no decoder; it cannot continue texts", c.Architecture)
	}
	c.MaxTokens = min(c.MaxTokens, cmp.Or(d.options.MaxTokens, c.MaxTokens))
	var err error
	if d.network, err = newDecoderNetwork(k, *c, d.options.Adapter, d.options.Ledger); err != nil {
		return err
	}
	d.charged = rotaryBytes(c)
	d.options.Ledger.Grow(WeightsPool, d.charged)
	d.room = newDecoderRoom(Model{
		Config: *c, Mapped: mapped.Size(), Tokenizer: mapped.TokenizerSize(), Resident: d.network.resident(),
	}, Limits{Budget: d.options.Budget, Threads: d.options.Threads})
	if err := d.room.check(); err != nil {
		return err
	}
	if d.room.resident {
		err = d.openResident(path)
	} else {
		err = d.openStreamed(mapped, path)
	}
	if err != nil {
		return err
	}
	d.team = openTeam(d.options.Threads, d.options.Ledger)
	if d.states, err = memory.NewBuffer(d.options.Ledger, activationsPool, 4*contextBlock*c.Hidden); err != nil {
		return err
	}
	d.turn <- struct{}{}
	return nil
}

// openResident reads the pack and binds its weights.
func (d *Decoder) openResident(path string) error {
	p, weights, err := loadPack(orBackground(d.options.Opening), path, d.options.Ledger)
	if err != nil {
		return err
	}
	if d.fixed = weights; p.Fingerprint() != d.sum {
		return errReplaced
	}
	if d.tokenizer, err = p.Tokenizer(); err != nil {
		return err
	}
	layers, err := bindLayers(d.network, p)
	if err != nil {
		return err
	}
	tables, output := p.Embeddings(), p.Output()
	d.layers = mappedLayers(layers)
	d.words = mappedWords{in: decoderInputs{width: d.config.Hidden}, table: wordTable{rows: tables.Words, scale: tables.WordScale}}
	d.bindOutput(output)
	return nil
}

// openStreamed reads what always stays in memory: tokenizer, output, and the
// embeddings where they are the same rows.
func (d *Decoder) openStreamed(mapped *pack.Pack, path string) error {
	err := mapped.Verify(orBackground(d.options.Opening)) // single embedding rows are not checked when they are read
	if err != nil {
		return err
	}
	if d.stream, err = openSame(path, d.sum); err != nil {
		return err
	}
	c := &d.config
	sizes := [3]int{d.stream.TokenizerBuffer(), c.OutputBuffer(), c.TablesBuffer()}
	if c.TiedOutput {
		sizes[2] = c.EmbeddingsBuffer()
	}
	if d.fixed, err = memory.NewBuffer(d.options.Ledger, WeightsPool, sizes[0]+sizes[1]+sizes[2]); err != nil {
		return err
	}
	rest := d.fixed.Bytes()
	take := func(n int) []byte {
		piece := rest[:n:n]
		rest = rest[n:]
		return piece
	}
	if d.tokenizer, err = d.stream.ReadTokenizer(take(sizes[0])); err != nil {
		return err
	}
	output, err := d.stream.ReadOutput(take(sizes[1]))
	if err != nil {
		return err
	}
	if err := d.openWords(take(sizes[2]), &output); err != nil {
		return err
	}
	d.bindOutput(output)
	d.residency = newResidency(d.stream, d.network, d.options.Ledger)
	d.layers = d.residency
	return nil
}

// openWords reads what of the embeddings stays, into buffer, and completes an
// output whose rows these are.
func (d *Decoder) openWords(buffer []byte, output *pack.Output) error {
	in := decoderInputs{width: d.config.Hidden}
	if d.config.TiedOutput {
		tables, err := d.stream.ReadEmbeddings(buffer)
		if err != nil {
			return err
		}
		output.Words, output.WordScale = tables.Words, tables.WordScale
		d.words = mappedWords{in: in, table: wordTable{rows: tables.Words, scale: tables.WordScale}}
		return nil
	}
	tables, err := d.stream.ReadTables(buffer)
	if err != nil {
		return err
	}
	if d.cached, err = newCachedWords(in, tables.WordScale, d.stream, d.room.wordRows, d.options.Ledger); err != nil {
		return err
	}
	d.words = d.cached
	return nil
}

func (d *Decoder) bindOutput(o pack.Output) {
	d.norm = o.Norm
	d.head = kernel.Head{Width: d.config.Hidden, Words: o.Words, WordScale: o.WordScale}
}

// Close gives back weights and working memory. No call may be under way.
// Contexts are freed by who made them.
func (d *Decoder) Close() error {
	err := d.team.free()
	if d.network != nil {
		err = errors.Join(err, d.network.free())
	}
	if d.residency != nil {
		err = errors.Join(err, d.residency.close())
	}
	if d.cached != nil {
		err = errors.Join(err, d.cached.free())
	}
	if d.stream != nil {
		err = errors.Join(err, d.stream.Close())
	}
	d.options.Ledger.Shrink(WeightsPool, d.charged)
	d.charged = 0
	return errors.Join(err, d.states.Free(), d.fixed.Free())
}
