package rerankbench

import (
	"fmt"
	"strings"

	"dowse/models/pack"
)

// Shape is the size of a model whose weights are made up: an XLM-RoBERTa with a
// classification head or, where there are heads of keys and values, a Qwen3.
type Shape struct {
	Name                                                              string
	Layers, Hidden, Heads, Intermediate, Vocabulary, Positions, Limit int
	KVHeads, HeadDim                                                  int
}

// decoder says that the shape is a Qwen3.
func (s Shape) decoder() bool { return s.KVHeads > 0 }

// shapes can be asked for by name. The sizes of bge-m3 are those of
// bge-reranker-v2-m3.
var shapes = []Shape{
	{Name: "bge-m3", Layers: 24, Hidden: 1024, Heads: 16, Intermediate: 4096, Vocabulary: 250002, Positions: 8194, Limit: 8192},
	{
		Name: "qwen3-reranker-0.6b", Layers: 28, Hidden: 1024, Heads: 16, KVHeads: 8, HeadDim: 128, Intermediate: 3072,
		Vocabulary: 151669, Positions: 40960, Limit: 40960,
	},
	{Name: "small", Layers: 24, Hidden: 128, Heads: 4, Intermediate: 512, Vocabulary: 8000, Positions: 514, Limit: 512},
	{
		Name: "small-decoder", Layers: 30, Hidden: 128, Heads: 4, KVHeads: 2, HeadDim: 32, Intermediate: 384,
		Vocabulary: 8000, Positions: 2048, Limit: 2048,
	},
}

// ShapeOf finds a shape by name, in capitals or not.
func ShapeOf(name string) (Shape, error) {
	var names []string
	for _, s := range shapes {
		if strings.EqualFold(s.Name, name) {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Shape{}, fmt.Errorf("the shape %q is unknown; choose from %s", name, strings.Join(names, ", "))
}

// weights is the number of a model's parameters.
func weights(c pack.Config) int64 {
	if c.Decoder {
		return decoderWeights(c)
	}
	d, f := int64(c.Hidden), int64(c.Intermediate)
	embeddings := int64(c.Vocabulary+c.Positions+c.Types)*d + 2*d
	layer := 4*(d*d+d) + 2*d*f + f + d + 4*d
	head := int64(0)
	switch c.Head {
	case pack.TanhHead:
		head = d*d + d + d + 1
	case pack.LayerHeads:
		head = int64(c.Layers) * (d + 1)
	case pack.NoHead:
	}
	return embeddings + int64(c.Layers)*layer + head
}

// decoderWeights is weights of a decoder, without biases that it does not have.
func decoderWeights(c pack.Config) int64 {
	d, f, head := int64(c.Hidden), int64(c.Intermediate), int64(c.HeadDim)
	queries, keys := int64(c.Heads)*head, int64(c.KVHeads)*head
	layer := d*(queries+2*keys) + queries*d + 3*d*f + 2*d
	if c.QKNorm {
		layer += 2 * head
	}
	words := int64(c.Vocabulary) * d
	if !c.TiedOutput {
		words *= 2
	}
	return words + d + int64(c.Layers)*layer
}
