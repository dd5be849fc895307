package pack

import (
	"fmt"
	"hash/crc32"
)

// Expert is one feed-forward part of a mixture. D is Config.Hidden and W is
// Mixture.Width.
type Expert struct {
	GateUp Linear // [D,2W]: columns of gate, before SiLU, and of up
	Down   Linear // [W,D], of their product
}

// The experts of a layer are a block of their own. Each is a record of whole pages that ends
// with its own checksum, since a token reads a few of them: 4.5 MiB each in Qwen3-30B-A3B,
// 168 MiB in Mixtral-8x7B.

// expert returns the layout of an expert's record, and where its checksum stands.
func (c *cursor) expert(config Config) (e Expert, sum []int32) {
	d, w := config.Hidden, config.Mixture.Width
	e = Expert{GateUp: c.linear(d, 2*w), Down: c.linear(w, d)}
	return e, c.int32s(1)
}

// expertSize returns the bytes of an expert's record, without padding.
func expertSize(config Config) int64 {
	var c cursor
	c.expert(config)
	return c.at
}

// ExpertBuffer returns the bytes of a buffer for ReadExpert, a multiple of 4096; 0 where
// there are no experts.
func (c *Config) ExpertBuffer() int {
	if c.Mixture.Experts == 0 {
		return 0
	}
	return int(align(expertSize(*c), blockAlign))
}

// expertViews returns views of a record, and its checksum.
func expertViews(config Config, record []byte) (e Expert, sum uint32) {
	c := cursor{block: record}
	e, sums := c.expert(config)
	return e, uint32(sums[0])
}

func expertsBlock(i int) string { return fmt.Sprintf("experts.%d", i) }

// expertsPlace returns the place of the block of layer i's experts, which follow the
// layers.
func expertsPlace(c Config, i int) int {
	return firstLayerPlace + c.Layers + c.Mixture.Layers(i)
}

// checkExpert refuses a layer without experts, and an expert out of range.
func (c *Config) checkExpert(layer, expert int) error {
	if layer < 0 || layer >= c.Layers || !c.Mixture.In(layer) || expert < 0 || expert >= c.Mixture.Experts {
		return fmt.Errorf("expert %d of layer %d: %s has %d layers with %d experts", expert, layer, c.Architecture, c.Mixture.Layers(c.Layers), c.Mixture.Experts)
	}
	return nil
}

// Expert returns views of expert 0 <= expert < Mixture.Experts of a layer with experts.
func (p *Pack) Expert(layer, expert int) Expert {
	c := p.header.Config
	size := c.ExpertBuffer()
	e, _ := expertViews(c, p.block(expertsPlace(c, layer))[expert*size:][:size])
	return e
}

// ReadExpert reads an expert of a layer into a buffer of ExpertBuffer bytes that starts
// at a multiple of 4096, and returns views of it. The error wraps ErrTruncated or
// ErrCorrupt when the file is no longer what was opened.
func (s *Stream) ReadExpert(layer, expert int, buffer []byte) (Expert, error) {
	c := s.header.Config
	if err := c.checkExpert(layer, expert); err != nil {
		return Expert{}, err
	}
	size := c.ExpertBuffer()
	if len(buffer) < size {
		return Expert{}, fmt.Errorf("expert %d of layer %d: a buffer of %d bytes for %d", expert, layer, len(buffer), size)
	}
	block := s.header.Blocks[expertsPlace(c, layer)]
	if err := s.read(buffer[:size], block.Offset+int64(expert)*int64(size)); err != nil {
		return Expert{}, fmt.Errorf("expert %d of layer %d: %w", expert, layer, err)
	}
	e, sum := expertViews(c, buffer[:size])
	if crc32.Checksum(buffer[:expertSize(c)-4], castagnoli) != sum {
		return Expert{}, fmt.Errorf("read %s: %w: the checksum of expert %d of layer %d differs", s.path, s.header.kind().corrupt, expert, layer)
	}
	return e, nil
}
