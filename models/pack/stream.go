package pack

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"dowse/models/pack/directio"
	"dowse/models/tokenizer"
)

// Stream reads a pack piece by piece into the caller's memory, past the page cache where
// possible, for models larger than their memory. It goes on reading the file that it opened
// when another takes its name. Its methods may be called from several goroutines; Close must
// come last.
type Stream struct{ pieces }

// pieces reads the parts that packs and row packs share, for Stream and Rows.
type pieces struct {
	file   *directio.File
	path   string
	header *header
}

// OpenStream opens a pack and checks its header and size as Open does, with
// the same errors.
func OpenStream(path string) (*Stream, error) {
	p, err := openPieces(path, packKind)
	if err != nil {
		return nil, err
	}
	return &Stream{p}, nil
}

// openPieces opens a file of a kind.
func openPieces(path string, kind fileKind) (pieces, error) {
	file, err := directio.Open(path)
	if err != nil {
		return pieces{}, fmt.Errorf("open pack: %w", err)
	}
	p := pieces{file: file, path: path}
	if err := p.readHeader(kind); err != nil {
		return pieces{}, errors.Join(fmt.Errorf("open pack %s: %w", path, err), file.Close())
	}
	return p, nil
}

func (s *pieces) readHeader(kind fileKind) error {
	size, err := s.file.Size()
	if err != nil {
		return err
	}
	// The header ends before the first block, within a megabyte.
	head := directio.AlignedBytes(int(min(align(maxJSON, blockAlign), size&^(blockAlign-1))))
	if len(head) == 0 {
		return errForeign
	}
	if err := s.file.ReadAt(head, 0); err != nil {
		return err
	}
	s.header, err = decodeHeader(head, size, kind)
	return err
}

// Close closes the file. What was read stays valid.
func (s *pieces) Close() error { return s.file.Close() }

// Config returns the model's configuration.
func (s *pieces) Config() Config { return s.header.Config }

// Fingerprint returns that of Pack.Fingerprint.
func (s *pieces) Fingerprint() (sum [32]byte) { return s.header.sum }

// Size returns the bytes of the file.
func (s *pieces) Size() int64 {
	last := s.header.Blocks[len(s.header.Blocks)-1]
	return align(last.Offset+last.Length, blockAlign)
}

// Stop is Pack.Stop.
func (s *pieces) Stop() []int32 { return s.header.Stop }

// ChatTemplate is Pack.ChatTemplate.
func (s *pieces) ChatTemplate() string { return s.header.ChatTemplate }

// TokenizerBuffer returns the bytes of a buffer for ReadTokenizer, a multiple of 4096.
func (s *pieces) TokenizerBuffer() int {
	return int(align(s.header.Blocks[tokenizerPlace].Length, blockAlign))
}

// ReadTokenizer reads the model's tokenizer, which goes on referring to the
// buffer, of TokenizerBuffer bytes, that starts at a multiple of 4096.
func (s *pieces) ReadTokenizer(buffer []byte) (*tokenizer.Tokenizer, error) {
	block, err := s.readBlock(tokenizerPlace, buffer)
	if err != nil {
		return nil, err
	}
	return s.header.tokenizer(block)
}

// LayerBuffer returns the bytes of a buffer for ReadLayer, a multiple of 4096: those of
// the largest layer.
func (c *Config) LayerBuffer() int {
	most := int64(0)
	for i := range c.Layers {
		most = max(most, layerSize(*c, i))
	}
	return int(align(most, blockAlign))
}

// HeadBuffer returns the bytes of a buffer for ReadHead, a multiple of 4096.
func (c *Config) HeadBuffer() int { return int(align(sizeOf(*c, (*cursor).head), blockAlign)) }

// ReadLayer reads layer i into a buffer of LayerBuffer bytes that starts at a
// multiple of 4096, and returns views of it. The error wraps ErrTruncated or
// ErrCorrupt when the file is no longer what was opened.
func (s *Stream) ReadLayer(i int, buffer []byte) (Layer, error) {
	if s.header.Config.Decoder || s.header.Config.Rotates() {
		return Layer{}, fmt.Errorf("%s is a %s, which has no layers of a BERT", s.path, s.header.Config.Architecture)
	}
	if i < 0 || i >= s.header.Config.Layers {
		return Layer{}, fmt.Errorf("layer %d of %d", i, s.header.Config.Layers)
	}
	return readViews(&s.pieces, firstLayerPlace+i, buffer, (*cursor).layer)
}

// ReadRotaryLayer is ReadLayer for an encoder of ModernBERT's kind.
func (s *Stream) ReadRotaryLayer(i int, buffer []byte) (RotaryLayer, error) {
	if !s.header.Config.Rotates() {
		return RotaryLayer{}, fmt.Errorf("%s is a %s, which has no layers of a ModernBERT", s.path, s.header.Config.Architecture)
	}
	if i < 0 || i >= s.header.Config.Layers {
		return RotaryLayer{}, fmt.Errorf("layer %d of %d", i, s.header.Config.Layers)
	}
	return readViews(&s.pieces, firstLayerPlace+i, buffer, rotaryLayer(i))
}

// ReadHead is ReadLayer for the head, with a buffer of HeadBuffer bytes. The
// model must have a head.
func (s *Stream) ReadHead(buffer []byte) (Head, error) {
	if s.header.Config.Head == NoHead {
		return Head{}, fmt.Errorf("%s has no head", s.path)
	}
	return readViews(&s.pieces, lastPlace(s.header.Config), buffer, (*cursor).head)
}

// readViews reads a block and returns views of it, by its layout.
func readViews[T any](s *pieces, place int, buffer []byte, layout func(*cursor, Config) T) (views T, err error) {
	block, err := s.readBlock(place, buffer)
	if err != nil {
		return views, err
	}
	return layout(&cursor{block: block}, s.header.Config), nil
}

// readBlock reads a whole block and compares its checksum.
func (s *pieces) readBlock(place int, buffer []byte) ([]byte, error) {
	b := s.header.Blocks[place]
	size := align(b.Length, blockAlign)
	if int64(len(buffer)) < size {
		return nil, fmt.Errorf("block %s: a buffer of %d bytes for %d", b.Name, len(buffer), size)
	}
	if err := s.read(buffer[:size], b.Offset); err != nil {
		return nil, fmt.Errorf("block %s: %w", b.Name, err)
	}
	data := buffer[:b.Length:b.Length]
	if crc32.Checksum(data, castagnoli) != b.CRC {
		return nil, fmt.Errorf("read %s: %w: the checksum of block %s differs", s.path, s.header.kind().corrupt, b.Name)
	}
	return data, nil
}

// read fills whole pages from an offset that is one.
func (s *pieces) read(buffer []byte, offset int64) error {
	err := s.file.ReadAt(buffer, offset)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("read %s: %w", s.path, s.header.kind().truncated)
	case errors.Is(err, os.ErrClosed):
		return err
	case err != nil:
		return fmt.Errorf("read %s: %w", s.path, err)
	}
	return nil
}

// ReadDecoderLayer is ReadLayer for a decoder.
func (s *Stream) ReadDecoderLayer(i int, buffer []byte) (DecoderLayer, error) {
	if err := s.needDecoder(); err != nil {
		return DecoderLayer{}, err
	}
	if i < 0 || i >= s.header.Config.Layers {
		return DecoderLayer{}, fmt.Errorf("layer %d of %d", i, s.header.Config.Layers)
	}
	return readViews(&s.pieces, firstLayerPlace+i, buffer, decoderLayer(i))
}

// OutputBuffer returns the bytes of a buffer for ReadOutput, a multiple of 4096.
func (c *Config) OutputBuffer() int { return int(align(sizeOf(*c, (*cursor).output), blockAlign)) }

// ReadOutput reads a decoder's output, without rows if they are tied to the embeddings, into
// a buffer of OutputBuffer bytes that starts at a multiple of 4096.
func (s *pieces) ReadOutput(buffer []byte) (Output, error) {
	if err := s.needDecoder(); err != nil {
		return Output{}, err
	}
	return readViews(s, s.header.outputPlace(), buffer, (*cursor).output)
}

// EmbeddingsBuffer returns the bytes of a buffer for ReadEmbeddings, a multiple of
// 4096.
func (c *Config) EmbeddingsBuffer() int {
	return int(align(sizeOf(*c, (*cursor).embeddings), blockAlign))
}

// ReadEmbeddings is ReadLayer for all embeddings, with a buffer of EmbeddingsBuffer bytes,
// for models with a tied output.
func (s *pieces) ReadEmbeddings(buffer []byte) (Embeddings, error) {
	return readViews(s, embeddingsPlace, buffer, (*cursor).embeddings)
}

func (s *pieces) needDecoder() error {
	if !s.header.Config.Decoder {
		return fmt.Errorf("%s is a %s, which is no decoder", s.path, s.header.Config.Architecture)
	}
	return nil
}
