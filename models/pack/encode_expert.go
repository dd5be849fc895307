package pack

import (
	"context"
	"fmt"
)

// experts writes the blocks of the experts of all layers that have some.
func (w *writer) experts(ctx context.Context) error {
	c := w.source.config
	for i := range c.Layers {
		if !c.Mixture.In(i) {
			continue
		}
		err := w.block(expertsPlace(c, i), func(b *blockWriter, r *tensorReader) {
			for e := range c.Mixture.Experts {
				b.expert(c, w.source.expert(ctx, r, i, e))
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// expert reads an expert of layer i.
func (s *source) expert(ctx context.Context, r *tensorReader, i, expert int) Expert {
	gateUp, down := s.expertMatrices(i, expert)
	return Expert{
		GateUp: r.linear(ctx, s.config.Hidden, gateUp...),
		Down:   r.linear(ctx, s.config.Mixture.Width, down),
	}
}

// expertMatrices lists the projections of an expert of layer i: gate and up; down.
func (s *source) expertMatrices(i, expert int) (gateUp []part, down part) {
	c, n := s.config, s.names
	name := func(pattern string) string {
		return fmt.Sprintf(n.layer, i) + fmt.Sprintf(pattern, expert)
	}
	return []part{{name(n.expertGate), c.Mixture.Width, false}, {name(n.expertUp), c.Mixture.Width, false}},
		part{name(n.expertDown), c.Hidden, false}
}

// expert writes a record: the projections, their checksum, and zeros up to whole pages.
func (b *blockWriter) expert(c Config, e Expert) {
	start := b.at
	b.record = 0
	b.linear(e.GateUp)
	b.linear(e.Down)
	b.align()
	b.int32s([]int32{int32(b.record)})
	if b.err == nil && b.at-start != expertSize(c) {
		b.err = fmt.Errorf("an expert of %d bytes instead of %d", b.at-start, expertSize(c))
	}
	b.write(make([]byte, align(b.at, blockAlign)-b.at))
}
