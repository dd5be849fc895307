package pack

import (
	"context"
	"fmt"
)

// layer writes block layer.i of an encoder.
func (w *writer) layer(ctx context.Context, i int) error {
	name := fmt.Sprintf("encoder.layer.%d.", i)
	d, f := w.source.config.Hidden, w.source.config.Intermediate
	return w.block(firstLayerPlace+i, func(b *blockWriter, r *tensorReader) {
		r.prefix = w.source.prefix
		b.linear(r.linear(ctx, d,
			part{name + "attention.self.query", d, true},
			part{name + "attention.self.key", d, true},
			part{name + "attention.self.value", d, true}))
		b.linear(r.linear(ctx, d, part{name + "attention.output.dense", d, true}))
		b.norm(r.norm(name+"attention.output.LayerNorm", d))
		b.linear(r.linear(ctx, d, part{name + "intermediate.dense", f, true}))
		b.linear(r.linear(ctx, f, part{name + "output.dense", d, true}))
		b.norm(r.norm(name+"output.LayerNorm", d))
	})
}

const wordTable = "embeddings.word_embeddings.weight"

// embeddings writes the block of an encoder's embeddings.
func (w *writer) embeddings(ctx context.Context) error {
	c := w.source.config
	return w.block(embeddingsPlace, func(b *blockWriter, r *tensorReader) {
		r.prefix = w.source.prefix
		b.float32s(r.words(ctx, b, wordTable, c.Vocabulary, c.Hidden))
		b.float32s(r.tensor("embeddings.position_embeddings.weight", c.Positions, c.Hidden))
		b.float32s(r.tensor("embeddings.token_type_embeddings.weight", c.Types, c.Hidden))
		b.norm(r.norm("embeddings.LayerNorm", c.Hidden))
	})
}

// head writes the block of the head.
func (w *writer) head(context.Context) error {
	s, d := w.source, w.source.config.Hidden
	return w.block(lastPlace(s.config), func(b *blockWriter, r *tensorReader) {
		switch s.config.Head {
		case DenseHead, DenseTanhHead:
			r.err = w.denseHead(b)
			return
		case LayerHeads:
			b.float32s(r.tensor(layerHeadWeights, s.config.Layers, d))
			b.float32s(r.tensor(layerHeadBias, 1, s.config.Layers))
			return
		}
		output := s.family.output + ".weight"
		if t, ok := s.weights.lookup(output); ok && len(t.shape) == 2 && t.shape[0] != 1 {
			r.err = fmt.Errorf("tensor %q is for %d labels; one is supported, the score", output, t.shape[0])
			return
		}
		dense := s.family.dense
		if s.family.densePrefix {
			dense = s.prefix + dense
		}
		b.float32s(r.tensor(dense+".weight", d, d))
		b.float32s(r.tensor(dense+".bias", 1, d))
		b.float32s(r.tensor(output, 1, d))
		b.float32s(r.tensor(s.family.output+".bias", 1, 1))
	})
}

// denseHead writes the module Dense, which may have no bias.
func (w *writer) denseHead(b *blockWriter) error {
	c := w.source.config
	r := &tensorReader{source: &source{weights: w.source.dense}}
	b.float32s(r.tensor("linear.weight", c.Dimensions, c.Hidden))
	bias := make([]float32, c.Dimensions)
	if _, ok := w.source.dense.lookup("linear.bias"); ok {
		bias = r.tensor("linear.bias", 1, c.Dimensions)
	}
	b.float32s(bias)
	return r.err
}
