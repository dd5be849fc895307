package rerankbench

import (
	"fmt"
	"strings"

	"dowse/models/pack"
)

// Shape is the size of an XLM-RoBERTa with a classification head whose weights
// are made up.
type Shape struct {
	Name                                                              string
	Layers, Hidden, Heads, Intermediate, Vocabulary, Positions, Limit int
}

// shapes can be asked for by name. The sizes of bge-m3 are those of
// bge-reranker-v2-m3.
var shapes = []Shape{
	{Name: "bge-m3", Layers: 24, Hidden: 1024, Heads: 16, Intermediate: 4096, Vocabulary: 250002, Positions: 8194, Limit: 8192},
	{Name: "small", Layers: 24, Hidden: 128, Heads: 4, Intermediate: 512, Vocabulary: 8000, Positions: 514, Limit: 512},
}

// decoders are shapes that a reranker may have and that packs cannot run yet.
var decoders = []string{"qwen3-reranker-0.6b", "qwen3-reranker-4b", "qwen3-reranker-8b", "mxbai-rerank-v2", "bge-minicpm-layerwise"}

// ShapeOf finds a shape by name.
func ShapeOf(name string) (Shape, error) {
	var names []string
	for _, s := range shapes {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	known := strings.Join(names, ", ")
	for _, d := range decoders {
		if strings.EqualFold(d, name) {
			return Shape{}, fmt.Errorf("%s is a decoder, and reranking runs encoders alone so far; choose from %s", name, known)
		}
	}
	return Shape{}, fmt.Errorf("the shape %q is unknown; choose from %s", name, known)
}

// weights is the number of a model's parameters.
func weights(c pack.Config) int64 {
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
