package search

import (
	"context"
	"errors"

	"dowse/engine"
	"dowse/engine/endpoint/scores"
	"dowse/engine/endpoint/vectors"
	"dowse/engine/kernel"
	"dowse/engine/transformer"
)

// Embedder is what an index is built with: a model of this machine, or of a server.
type Embedder interface {
	engine.Embedder
	EmbedQueries(ctx context.Context, texts []string) ([]float32, error)
	Dim() int
	Count(text string) int // tokens of a text, or about as many
	Room() int             // tokens of a passage that are read
	Peak() int64           // bytes of memory
	Fingerprint() string
	Close() error
}

// ServedRecompute is how many vectors a search has a server recompute at most: one request.
const ServedRecompute = 31

// openServed makes the embedder of a server ready, and the other models.
func openServed(o *ModelOptions, k *kernel.Kernel) (*Models, error) {
	server := *o.Server
	if o.Pack != "" && server.Local == nil {
		server.Local = func(ctx context.Context) (vectors.Local, error) {
			e, err := openEmbedder(o, k)
			if err != nil {
				return nil, err
			}
			o.Machine.Memory.Reserve(e.Peak())
			return e, nil
		}
	}
	e, err := vectors.Open(context.Background(), server)
	if err != nil {
		return nil, errors.Join(err, k.Close())
	}
	m, err := o.models(k, e, e.Scale())
	if err != nil {
		return nil, err
	}
	m.ServedEmbedder = e
	return m, nil
}

var _ vectors.Local = (*transformer.Embedder)(nil)

// serveReranker has a server rerank, with the reranker of this machine in reserve.
func (m *Models) serveReranker(o scores.Options) (err error) {
	if m.Reranker != nil {
		o.Local = m.Reranker
	}
	m.ServedReranker, err = scores.Open(o)
	return err
}

// Asking is the embedder of searches, for which somebody waits.
func (m *Models) Asking() engine.Embedder {
	if m.ServedEmbedder != nil {
		return m.ServedEmbedder.Asking()
	}
	return m.Embedder
}

// Serve sets what of an engine's options follows from servers: the embedder that does not
// wait, the reranker, and what is told of what they are sent.
func (m *Models) Serve(o *Options) {
	o.Embedder = m.Asking()
	if e := m.ServedEmbedder; e != nil {
		server := e.Server()
		o.Model, o.Distant = server.How(), server.Elsewhere()
		o.Sent = &engine.Sent{To: server.Address(), Model: server.Model, Remote: server.Elsewhere(), Plain: server.Plain()}
		if o.Recompute == 0 {
			o.Recompute = ServedRecompute
		}
	}
	if m.ServedReranker != nil {
		o.Reranker, o.RerankSends = m.ServedReranker, true
	}
}
