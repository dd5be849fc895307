package modelset

import (
	"context"

	"dowse/engine/leann"
	"dowse/engine/transformer"
)

// rounded is an embedder of this machine whose vectors of documents are on the grid of eight bits a
// number, wherever they are used: an index with them, one that recomputes them and one that has kept
// them rank alike, to the bit.
type rounded struct {
	*transformer.Embedder
	table func() ([]byte, error) // reads the static vectors; nil for an embedder without them
}

// EmbedDocuments implements Embedder.
func (r rounded) EmbedDocuments(ctx context.Context, texts []string) ([]float32, error) {
	vectors, err := r.Embedder.EmbedDocuments(ctx, texts)
	if err == nil {
		leann.Round(vectors, r.Dim())
	}
	return vectors, err
}

// Static returns what makes the static vectors of texts: a table that is held as long as that is. It is nil where the embedder
// has none.
func (r rounded) Static() (embed func(texts []string) []float32, err error) {
	if r.table == nil {
		return nil, nil
	}
	data, err := r.table()
	if err != nil {
		return nil, err
	}
	t, err := transformer.ReadStaticTable(data)
	if err != nil || !t.Fits(r.Embedder) {
		return nil, err
	}
	return func(texts []string) []float32 { return r.EmbedStatic(t, texts) }, nil
}

// Local is the embedder of this machine, nil where a server embeds.
func (m *Set) Local() *transformer.Embedder {
	if r, is := m.Embedder.(rounded); is {
		return r.Embedder
	}
	return nil
}
