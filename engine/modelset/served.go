package modelset

import (
	"context"

	"dowse/engine"
	"dowse/engine/endpoint/vectors"
	"dowse/engine/fusion"
	"dowse/engine/kernel"
	"dowse/engine/search"
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

// openServed makes the embedder of a server ready.
func (o *Options) openServed(k *kernel.Kernel) (Embedder, fusion.Scale, error) {
	server := *o.Server
	if o.Pack != "" && server.Local == nil {
		local := *o
		local.Server, local.Fitted = nil, true // its scale is the server's
		server.Local = func(context.Context) (vectors.Local, error) {
			e, _, err := local.openEmbedder(k)
			return e, err
		}
	}
	e, err := vectors.Open(context.Background(), server)
	if err != nil {
		return nil, fusion.Scale{}, err
	}
	return e, e.Scale(), nil
}

// Served is the embedder where a server embeds; nil where none does.
func (m *Set) Served() *vectors.Embedder {
	e, _ := m.Embedder.(*vectors.Embedder)
	return e
}

// SearchEmbedder embeds queries; of a server it fails fast instead of queueing.
func (m *Set) SearchEmbedder() engine.Embedder {
	if e := m.Served(); e != nil {
		return e.SearchEmbedder()
	}
	return m.Embedder
}

// Serve sets the options of an engine that follow from a server that embeds: the embedder that does not
// wait, and whom texts are sent to.
func (m *Set) Serve(o *search.Options) {
	o.Embedder = m.SearchEmbedder()
	if e := m.Served(); e != nil {
		server := e.Server()
		o.Model, o.Distant = server.How(), server.Elsewhere()
		o.Sent = &engine.Sent{To: server.Address(), Model: server.Model, Remote: server.Elsewhere(), Plain: server.Plain()}
		if o.Recompute == 0 {
			o.Recompute = ServedRecompute
		}
	}
}
