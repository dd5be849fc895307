package modeltest

import (
	"fmt"
	"math/rand/v2"
)

// shape is the size of a model's body.
type shape struct {
	Layers, Hidden, Intermediate, Positions, Vocabulary, Types int
}

// generator draws tensors, always the same ones for a seed.
type generator struct {
	rng    *rand.Rand
	prefix string // of the names
	all    map[string]Tensor
}

func newGenerator(seed uint64, prefix string) *generator {
	return &generator{rng: rand.New(rand.NewPCG(seed, 2)), prefix: prefix, all: map[string]Tensor{}}
}

func (g *generator) add(name string, mean, spread float64, shape ...int) {
	n := 1
	for _, d := range shape {
		n *= d
	}
	t := Tensor{Shape: shape, Values: make([]float32, n)}
	for i := range t.Values {
		t.Values[i] = float32(mean + spread*g.rng.NormFloat64())
	}
	g.all[g.prefix+name] = t
}

func (g *generator) linear(name string, in, out int) {
	g.add(name+".weight", 0, 0.2, out, in)
	g.add(name+".bias", 0, 0.1, out)
}

func (g *generator) norm(name string, width int) {
	g.add(name+".weight", 1, 0.1, width)
	g.add(name+".bias", 0, 0.1, width)
}

// body draws embeddings and layers.
func (s shape) body(g *generator) map[string]Tensor {
	d := s.Hidden
	g.add("embeddings.word_embeddings.weight", 0, 0.5, s.Vocabulary, d)
	g.add("embeddings.position_embeddings.weight", 0, 0.1, s.Positions, d)
	g.add("embeddings.token_type_embeddings.weight", 0, 0.1, s.Types, d)
	g.norm("embeddings.LayerNorm", d)
	for i := range s.Layers {
		layer := fmt.Sprintf("encoder.layer.%d.", i)
		for _, part := range []string{"query", "key", "value"} {
			g.linear(layer+"attention.self."+part, d, d)
		}
		g.linear(layer+"attention.output.dense", d, d)
		g.norm(layer+"attention.output.LayerNorm", d)
		g.linear(layer+"intermediate.dense", d, s.Intermediate)
		g.linear(layer+"output.dense", s.Intermediate, d)
		g.norm(layer+"output.LayerNorm", d)
	}
	return g.all
}

// modernBody draws embeddings and layers of a ModernBERT, which has no biases.
func (s shape) modernBody(g *generator) {
	d := s.Hidden
	g.add("embeddings.tok_embeddings.weight", 0, 0.5, s.Vocabulary, d)
	g.add("embeddings.norm.weight", 1, 0.1, d)
	for i := range s.Layers {
		layer := fmt.Sprintf("layers.%d.", i)
		if i > 0 {
			g.add(layer+"attn_norm.weight", 1, 0.1, d)
		}
		g.add(layer+"attn.Wqkv.weight", 0, 0.2, 3*d, d)
		g.add(layer+"attn.Wo.weight", 0, 0.2, d, d)
		g.add(layer+"mlp_norm.weight", 1, 0.1, d)
		g.add(layer+"mlp.Wi.weight", 0, 0.2, 2*s.Intermediate, d)
		g.add(layer+"mlp.Wo.weight", 0, 0.2, d, s.Intermediate)
	}
	g.add("final_norm.weight", 1, 0.1, d)
}
