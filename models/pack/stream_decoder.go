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
	return readViews(&s.pieces, firstLayerPlace+i, buffer, decoderLayer(i))
}

// OutputBuffer returns the bytes of a buffer for ReadOutput, a multiple of 4096.
func (c *Config) OutputBuffer() int { return int(align(sizeOf(*c, (*cursor).output), blockAlign)) }

// ReadOutput reads a decoder's output, with rows only if they are not those of
// the embeddings, into a buffer of OutputBuffer bytes that starts at a multiple
// of 4096.
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

// ReadEmbeddings is ReadLayer for the whole of the embeddings, with a buffer of
// EmbeddingsBuffer bytes: for models whose words are their output's too.
func (s *pieces) ReadEmbeddings(buffer []byte) (Embeddings, error) {
	return readViews(s, embeddingsPlace, buffer, (*cursor).embeddings)
}

func (s *pieces) needDecoder() error {
	if !s.header.Config.Decoder {
		return fmt.Errorf("%s is a %s, which is no decoder", s.path, s.header.Config.Architecture)
	}
	return nil
}
