package pack

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// rotaryNames is a family's names of the tensors of an encoder of ModernBERT's kind, without
// ".weight" and ".bias". Those of a layer follow its number.
type rotaryNames struct {
	words, norm, final                                 string
	attentionNorm, query, key, value                   string // query alone where one matrix holds all three
	queryNorm, keyNorm, attention, attentionOutputNorm string
	innerNorm, gate, up, down, outputNorm              string // gate alone where one matrix holds both
}

// modernNames are those of ModernBERT.
var modernNames = rotaryNames{
	words: "embeddings.tok_embeddings", norm: "embeddings.norm", final: "final_norm",
	attentionNorm: "attn_norm", query: "attn.Wqkv", attention: "attn.Wo",
	innerNorm: "mlp_norm", gate: "mlp.Wi", down: "mlp.Wo",
}

// rotaryPart is a matrix of a layer, with a bias if the checkpoint has one.
func (r *tensorReader) rotaryPart(name string, outputs int) part {
	_, bias := r.source.weights.lookup(r.prefix + name + ".bias")
	return part{name, outputs, bias}
}

// rotaryNorm reads a norm. A LayerNorm may lack a bias; Gemma's RMSNorm multiplies with its
// weight plus one.
func (r *tensorReader) rotaryNorm(name string, n int) Norm {
	norm := Norm{Gamma: r.tensor(name+".weight", 1, n)}
	if r.source.config.RotaryEncoder.Gemma {
		for i := range norm.Gamma {
			norm.Gamma[i]++
		}
		return norm
	}
	norm.Beta = make([]float32, n)
	if _, ok := r.source.weights.lookup(r.prefix + name + ".bias"); ok {
		norm.Beta = r.tensor(name+".bias", 1, n)
	}
	return norm
}

// rotaryNorm writes a norm.
func (b *blockWriter) rotaryNorm(n Norm) {
	b.float32s(n.Gamma)
	if n.Beta != nil {
		b.float32s(n.Beta)
	}
}

// rotaryLayer writes block layer.i of an encoder of ModernBERT's kind.
func (w *writer) rotaryLayer(ctx context.Context, i int) error {
	c, n := w.source.config, w.source.rotary
	d, f, gemma := c.Hidden, c.Intermediate, c.RotaryEncoder.Gemma
	heads, keys := c.Heads*c.HeadDim, c.KVHeads*c.HeadDim
	return w.block(firstLayerPlace+i, func(b *blockWriter, r *tensorReader) {
		r.prefix = fmt.Sprintf("%slayers.%d.", w.source.prefix, i)
		if i > 0 || gemma {
			b.rotaryNorm(r.rotaryNorm(n.attentionNorm, d))
		}
		qkv := []part{r.rotaryPart(n.query, heads+2*keys)}
		if n.key != "" {
			qkv = []part{r.rotaryPart(n.query, heads), r.rotaryPart(n.key, keys), r.rotaryPart(n.value, keys)}
		}
		b.linear(r.linear(ctx, d, qkv...))
		if c.QKNorm {
			b.float32s(scaled(r.rotaryNorm(n.queryNorm, c.HeadDim).Gamma, w.source.queryScale))
			b.float32s(r.rotaryNorm(n.keyNorm, c.HeadDim).Gamma)
		}
		b.linear(r.linear(ctx, heads, r.rotaryPart(n.attention, d)))
		if gemma {
			b.rotaryNorm(r.rotaryNorm(n.attentionOutputNorm, d))
		}
		b.rotaryNorm(r.rotaryNorm(n.innerNorm, d))
		gateUp := []part{r.rotaryPart(n.gate, 2*f)}
		if n.up != "" {
			gateUp = []part{r.rotaryPart(n.gate, f), r.rotaryPart(n.up, f)}
		}
		b.linear(r.linear(ctx, d, gateUp...))
		b.linear(r.linear(ctx, f, r.rotaryPart(n.down, d)))
		if gemma {
			b.rotaryNorm(r.rotaryNorm(n.outputNorm, d))
		}
	})
}

func scaled(x []float32, by float32) []float32 {
	for i := range x {
		x[i] *= by
	}
	return x
}

// rotaryEmbeddings writes the block of the embeddings.
func (w *writer) rotaryEmbeddings(ctx context.Context) error {
	c, n := w.source.config, w.source.rotary
	return w.block(embeddingsPlace, func(b *blockWriter, r *tensorReader) {
		r.prefix = w.source.prefix
		b.float32s(r.words(ctx, b, n.words+".weight", c.Vocabulary, c.Hidden))
		if n.norm != "" {
			b.rotaryNorm(r.rotaryNorm(n.norm, c.Hidden))
		}
		b.rotaryNorm(r.rotaryNorm(n.final, c.Hidden))
	})
}

// geluHead writes the head of a ModernBERT that scores: of the model's own tensors or of
// the modules of sentence-transformers.
func (w *writer) geluHead(b *blockWriter) error {
	s, d := w.source, w.source.config.Hidden
	dense, norm, output := &tensorReader{source: s}, &tensorReader{source: s}, &tensorReader{source: s}
	names := [3]string{s.family.dense, s.family.norm, s.family.output}
	if len(s.heads) > 0 {
		for i, r := range []*tensorReader{dense, norm, output} {
			r.source = &source{weights: s.heads[i], config: s.config}
		}
		names = [3]string{"linear", "norm", "linear"}
	}
	b.float32s(dense.tensor(names[0]+".weight", d, d))
	b.float32s(dense.biasOf(names[0], d))
	b.rotaryNorm(norm.rotaryNorm(names[1], d))
	b.float32s(output.tensor(names[2]+".weight", 1, d))
	b.float32s(output.biasOf(names[2], 1))
	for _, r := range []*tensorReader{dense, norm, output} {
		if r.err != nil {
			return r.err
		}
	}
	return nil
}

// biasOf reads the bias of a layer, or returns zeros.
func (r *tensorReader) biasOf(name string, n int) []float32 {
	if _, ok := r.source.weights.lookup(r.prefix + name + ".bias"); !ok {
		return make([]float32, n)
	}
	return r.tensor(name+".bias", 1, n)
}

// checkRotaryNames verifies that the biases that config.json promises are there, and refuses
// tensors that would not be used: they might be meant to change what is computed.
func (s *source) checkRotaryNames() error {
	used := map[string]bool{}
	n := s.rotary
	add := func(names ...string) {
		for _, name := range names {
			used[name+".weight"], used[name+".bias"] = true, true
		}
	}
	add(n.words, n.norm, n.final)
	for i := range s.config.Layers {
		for _, name := range []string{n.attentionNorm, n.query, n.key, n.value, n.queryNorm, n.keyNorm, n.attention, n.attentionOutputNorm,
			n.innerNorm, n.gate, n.up, n.down, n.outputNorm} {
			add(fmt.Sprintf("layers.%d.%s", i, name))
		}
		for _, name := range s.biases {
			if _, ok := s.weights.lookup(fmt.Sprintf("%slayers.%d.%s.bias", s.prefix, i, name)); !ok && (i > 0 || name != n.attentionNorm) {
				return fmt.Errorf("there is no tensor %q, which config.json promises", fmt.Sprintf("%slayers.%d.%s.bias", s.prefix, i, name))
			}
		}
	}
	head := []string{s.family.dense, s.family.norm, s.family.output}
	if s.config.Head == LayerHeads {
		head = []string{"heads"}
	}
	for _, full := range s.weights.names() {
		part := strings.TrimSuffix(strings.TrimSuffix(full, ".weight"), ".bias")
		spare := !s.family.scores() && (strings.HasPrefix(full, "head.") || strings.HasPrefix(full, "decoder.")) // of the model that was trained first
		if !used[strings.TrimPrefix(full, s.prefix)] && !slices.Contains(head, part) && !spare {
			return fmt.Errorf("tensor %q is of no use to a %s with the head %q", full, s.config.Architecture, s.config.Head)
		}
	}
	return nil
}
