package modelset

import (
	"context"

	"dowse/engine/leann"
	"dowse/engine/transformer"
)

// rounded is an embedder of this machine whose vectors of documents are on the grid of eight bits a
// number, wherever they are used: an index with them, one that recomputes them and one that has kept
// them rank alike, to the bit.
type rounded struct{ *transformer.Embedder }

// EmbedDocuments implements Embedder.
func (r rounded) EmbedDocuments(ctx context.Context, texts []string) ([]float32, error) {
	vectors, err := r.Embedder.EmbedDocuments(ctx, texts)
	if err == nil {
		leann.Round(vectors, r.Dim())
	}
	return vectors, err
}

// Local is the embedder of this machine, nil where a server embeds.
func (m *Set) Local() *transformer.Embedder {
	if r, is := m.Embedder.(rounded); is {
		return r.Embedder
	}
	return nil
}
