package pack

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"runtime/debug"

	"dowse/models/tokenizer"
)

// Pack is an open pack. Its methods may be called from several goroutines;
// Close must come last.
type Pack struct {
	data   []byte // the whole file, read-only
	unmap  func() error
	header *header
}

// Open maps a pack and checks its header and size, which takes well under a
// millisecond. The error wraps errForeign, errVersion, ErrTruncated or
// ErrCorrupt when the file is not what it should be.
func Open(path string) (*Pack, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open pack: %w", err)
	}
	defer func() { _ = f.Close() }() // a mapping outlives its file
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("open pack: %w", err)
	}
	if info.Size() == 0 || info.Size() > math.MaxInt || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("open pack %s: %w", path, errForeign)
	}
	data, unmap, err := mapFile(f, int(info.Size()))
	if err != nil {
		return nil, fmt.Errorf("open pack %s: map: %w", path, err)
	}
	h, err := decodeHeader(data, info.Size(), packKind)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open pack %s: %w", path, err), unmap())
	}
	return &Pack{data: data, unmap: unmap, header: h}, nil
}

// Close ends the mapping; all views become invalid.
func (p *Pack) Close() error {
	unmap := p.unmap
	if unmap == nil {
		return nil
	}
	p.unmap, p.data = nil, nil
	if err := unmap(); err != nil {
		return fmt.Errorf("close pack: %w", err)
	}
	return nil
}

// Config returns the model's configuration.
func (p *Pack) Config() Config { return p.header.Config }

// Size returns the bytes of the file.
func (p *Pack) Size() int64 { return int64(len(p.data)) }

// Fingerprint identifies weights, tokenizer and configuration of the source, and the version
// of the format. Vectors of different fingerprints must not be compared.
func (p *Pack) Fingerprint() (sum [32]byte) {
	return p.header.sum
}

// block returns the bytes of a block by its place in the directory.
func (p *Pack) block(i int) []byte {
	b := p.header.Blocks[i]
	return p.data[b.Offset : b.Offset+b.Length : b.Offset+b.Length]
}

// Places of blocks in the directory, in the order of blockSizes.
const (
	tokenizerPlace  = 0
	embeddingsPlace = 1
	firstLayerPlace = 2
)

// lastPlace returns that of the block after the layers and their experts.
func lastPlace(c Config) int { return expertsPlace(c, c.Layers) }

// outputPlace returns the place of a decoder's output, the last block of either kind of
// file.
func (h *header) outputPlace() int { return len(h.Blocks) - 1 }

// Tokenizer returns the model's tokenizer, which refers to the mapping.
func (p *Pack) Tokenizer() (*tokenizer.Tokenizer, error) {
	return p.header.tokenizer(p.block(tokenizerPlace))
}

// tokenizer makes it from its block.
func (h *header) tokenizer(block []byte) (*tokenizer.Tokenizer, error) {
	t, err := tokenizer.FromCompact(block)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", h.kind().corrupt, err)
	}
	if t.Size() > h.Config.Vocabulary {
		return nil, fmt.Errorf("%w: %d tokens for %d embeddings", h.kind().corrupt, t.Size(), h.Config.Vocabulary)
	}
	return t, nil
}

// TokenizerSize returns the bytes that the tokenizer takes in the mapping.
func (p *Pack) TokenizerSize() int64 { return p.header.Blocks[tokenizerPlace].Length }

// Embeddings returns views of the embedding tables.
func (p *Pack) Embeddings() Embeddings {
	c := cursor{block: p.block(embeddingsPlace)}
	return c.embeddings(p.header.Config)
}

// RotaryLayer returns views of layer i, 0 <= i < Config().Layers, of an encoder of
// ModernBERT's kind; all are nil for other models.
func (p *Pack) RotaryLayer(i int) RotaryLayer {
	if !p.header.Config.Rotates() {
		return RotaryLayer{}
	}
	c := cursor{block: p.block(firstLayerPlace + i)}
	return rotaryLayer(i)(&c, p.header.Config)
}

// Layer returns views of layer i, 0 <= i < Config().Layers, of an encoder of BERT's
// kind; all are nil for other models.
func (p *Pack) Layer(i int) Layer {
	if c := p.header.Config; c.Decoder || c.Rotates() || c.Static() {
		return Layer{}
	}
	c := cursor{block: p.block(firstLayerPlace + i)}
	return c.layer(p.header.Config)
}

// Head returns views of the head's weights; all are nil with NoHead.
func (p *Pack) Head() Head {
	if p.header.Config.Head == NoHead {
		return Head{}
	}
	c := cursor{block: p.block(lastPlace(p.header.Config))}
	return c.head(p.header.Config)
}

// DecoderLayer returns views of layer i, 0 <= i < Config().Layers, of a decoder;
// all are nil for an encoder.
func (p *Pack) DecoderLayer(i int) DecoderLayer {
	if !p.header.Config.Decoder {
		return DecoderLayer{}
	}
	c := cursor{block: p.block(firstLayerPlace + i)}
	return decoderLayer(i)(&c, p.header.Config)
}

// Output returns views of a decoder's output; all are nil for an encoder. Tied
// rows are those of Embeddings.
func (p *Pack) Output() Output {
	config := p.header.Config
	if !config.Decoder {
		return Output{}
	}
	c := cursor{block: p.block(lastPlace(config))}
	o := c.output(config)
	if config.TiedOutput {
		e := p.Embeddings()
		o.Words, o.WordScale = e.Words, e.WordScale
	}
	return o
}

// Stop returns the tokens that end a decoder's answer; the caller must not change them.
func (p *Pack) Stop() []int32 { return p.header.Stop }

// ChatTemplate returns the Jinja template of a decoder's prompts, or "".
func (p *Pack) ChatTemplate() string { return p.header.ChatTemplate }

// Verify reads the whole file and compares the checksum of every block. The
// error wraps ErrCorrupt and names the block, or ErrTruncated when the file was
// cut meanwhile.
func (p *Pack) Verify(ctx context.Context) error {
	return p.verify(ctx, func(int) bool { return true })
}

// VerifyAllButExperts is Verify without the experts, which ReadExpert compares.
func (p *Pack) VerifyAllButExperts(ctx context.Context) error {
	c := p.header.Config
	first, end := expertsPlace(c, 0), lastPlace(c)
	return p.verify(ctx, func(i int) bool { return i < first || i >= end })
}

// verify compares the checksums of some blocks.
func (p *Pack) verify(ctx context.Context, of func(i int) bool) (err error) {
	// What a mapping has lost is a fault of the processor when it is read.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		cause := recover()
		fault, ok := cause.(interface{ Addr() uintptr })
		switch {
		case cause == nil:
		case ok:
			err = fmt.Errorf("%w: nothing is there to read at %#x", ErrTruncated, fault.Addr())
		default:
			panic(cause)
		}
	}()
	for i, b := range p.header.Blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		if of(i) && crc32.Checksum(p.block(i), castagnoli) != b.CRC {
			return fmt.Errorf("%w: the checksum of block %s differs", ErrCorrupt, b.Name)
		}
	}
	return nil
}
