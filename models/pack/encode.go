package pack

import (
	"context"
	"fmt"
)

// attentionNames are the tensors of attention in a layer of an encoder of BERT's kind, without
// ".weight" and ".bias".
type attentionNames struct{ query, key, value, attention, attentionNorm string }

func encoderNames(f family) attentionNames {
	if f.relative {
		return attentionNames{"attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o", "attention.LayerNorm"}
	}
	const self = "attention.self."
	return attentionNames{self + "query", self + "key", self + "value", "attention.output.dense", "attention.output.LayerNorm"}
}

// layer writes block layer.i of an encoder.
func (w *writer) layer(ctx context.Context, i int) error {
	name, names := fmt.Sprintf("encoder.layer.%d.", i), encoderNames(w.source.family)
	d, f := w.source.config.Hidden, w.source.config.Intermediate
	return w.block(firstLayerPlace+i, func(b *blockWriter, r *tensorReader) {
		r.prefix = w.source.prefix
		b.linear(r.linear(ctx, d,
			part{name + names.query, d, true}, part{name + names.key, d, true}, part{name + names.value, d, true}))
		b.linear(r.linear(ctx, d, part{name + names.attention, d, true}))
		b.norm(r.norm(name+names.attentionNorm, d))
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
		if w.source.family.relative {
			b.float32s(make([]float32, c.Types*c.Hidden))
		} else {
			b.float32s(r.tensor("embeddings.token_type_embeddings.weight", c.Types, c.Hidden))
		}
		b.norm(r.norm("embeddings.LayerNorm", c.Hidden))
		if w.source.family.relative {
			b.float32s(r.tensor("encoder.relative_attention_bias.weight", c.RelativeBuckets, c.Heads))
		}
	})
}

// head writes the block of the head.
func (w *writer) head(context.Context) error {
	s, d := w.source, w.source.config.Hidden
	output := s.family.output + ".weight"
	if t, ok := s.weights.lookup(output); ok && s.config.Head != LayerHeads && len(t.shape) == 2 && t.shape[0] != 1 {
		return fmt.Errorf("tensor %q is for %d labels; one is supported, the score", output, t.shape[0])
	}
	return w.block(lastPlace(s.config), func(b *blockWriter, r *tensorReader) {
		switch s.config.Head {
		case DenseHead, DenseTanhHead:
			r.err = w.denseHead(b)
			return
		case GeluHead:
			r.err = w.geluHead(b)
			return
		case LayerHeads:
			b.float32s(r.tensor(layerHeadWeights, s.config.Layers, d))
			b.float32s(r.tensor(layerHeadBias, 1, s.config.Layers))
			return
		}
		dense := s.family.dense
		if s.family.densePrefix {
			dense = s.prefix + dense
		}
		b.float32s(r.tensor(dense+".weight", d, d))
		b.float32s(r.tensor(dense+".bias", 1, d))
		b.float32s(r.tensor(s.family.output+".weight", 1, d))
		b.float32s(r.tensor(s.family.output+".bias", 1, 1))
	})
}

// denseHead writes the modules Dense, which may lack a bias, composed into one.
func (w *writer) denseHead(b *blockWriter) error {
	c := w.source.config
	var weights, bias []float32
	in := c.Hidden
	for i, head := range w.source.heads {
		out := w.source.widths[i]
		r := &tensorReader{source: &source{weights: head}}
		own, ownBias := r.tensor("linear.weight", out, in), r.biasOf("linear", out)
		if r.err != nil {
			return fmt.Errorf("module Dense: %w", r.err)
		}
		if weights == nil {
			weights, bias = own, ownBias
		} else {
			weights, bias = composed(own, ownBias, weights, bias, c.Hidden)
		}
		in = out
	}
	b.float32s(weights)
	b.float32s(bias)
	return nil
}

// composed is the product of a first linear layer [in,width] and a second one [out,in].
func composed(second, secondBias, first, firstBias []float32, width int) (weights, bias []float32) {
	in, out := len(firstBias), len(secondBias)
	weights, bias = make([]float32, out*width), make([]float32, out)
	sums := make([]float64, width)
	for o := range out {
		clear(sums)
		row, shift := second[o*in:(o+1)*in], float64(secondBias[o])
		for i, v := range row {
			shift += float64(float64(v) * float64(firstBias[i]))
			for j, u := range first[i*width : (i+1)*width] {
				sums[j] += float64(float64(v) * float64(u))
			}
		}
		for j, sum := range sums {
			weights[o*width+j] = float32(sum)
		}
		bias[o] = float32(shift)
	}
	return weights, bias
}
