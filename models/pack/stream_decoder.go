package pack

import "fmt"

// ReadDecoderLayer is ReadLayer for a decoder.
func (s *Stream) ReadDecoderLayer(i int, buffer []byte) (DecoderLayer, error) {
	if err := s.needDecoder(); err != nil {
		return DecoderLayer{}, err
	}
	if i < 0 || i >= s.header.Config.Layers {
		return DecoderLayer{}, fmt.Errorf("layer %d of %d", i, s.header.Config.Layers)
	}
	block, err := s.readBlock(firstLayerPlace+i, buffer)
	if err != nil {
		return DecoderLayer{}, err
	}
	c := cursor{block: block}
	return c.decoderLayer(s.header.Config), nil
}

// OutputBuffer returns the bytes of a buffer for ReadOutput, a multiple of 4096.
func (c *Config) OutputBuffer() int { return int(align(outputSize(*c), blockAlign)) }

// ReadOutput reads a decoder's output, with rows only if they are not those of
// the embeddings, into a buffer of OutputBuffer bytes that starts at a multiple
// of 4096.
func (s *Stream) ReadOutput(buffer []byte) (Output, error) {
	if err := s.needDecoder(); err != nil {
		return Output{}, err
	}
	block, err := s.readBlock(lastPlace(s.header.Config), buffer)
	if err != nil {
		return Output{}, err
	}
	c := cursor{block: block}
	return c.output(s.header.Config), nil
}

// EmbeddingsBuffer returns the bytes of a buffer for ReadEmbeddings, a multiple of
// 4096.
func (c *Config) EmbeddingsBuffer() int { return int(align(embeddingsSize(*c), blockAlign)) }

// ReadEmbeddings is ReadLayer for the whole of the embeddings, with a buffer of
// EmbeddingsBuffer bytes: for models whose words are their output's too.
func (s *Stream) ReadEmbeddings(buffer []byte) (Embeddings, error) {
	block, err := s.readBlock(embeddingsPlace, buffer)
	if err != nil {
		return Embeddings{}, err
	}
	c := cursor{block: block}
	return c.embeddings(s.header.Config), nil
}

func (s *Stream) needDecoder() error {
	if !s.header.Config.Decoder {
		return fmt.Errorf("%s is a %s, which is no decoder", s.path, s.header.Config.Architecture)
	}
	return nil
}
