package local

import (
	"sync"

	"dowse/engine"
	"dowse/engine/transformer"
)

// useGauge follows what a model reads while it writes; safe for concurrent use.
type useGauge struct {
	mu     sync.Mutex
	closed bool
	last   transformer.DecoderUse
	known  bool
	begun  *mark // of the present text; nil before its first word
	token  int64 // bytes read for a token of the present text, or the last
}

// mark is the bytes read and tokens written so far.
type mark struct {
	read   int64
	tokens int
}

func (g *useGauge) begin() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.begun = nil
}

// wrote takes a reading after tokens of the text, beginning with none, which
// excludes the prompt.
func (g *useGauge) wrote(d *transformer.Decoder, tokens int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.read(d) {
		return
	}
	now := mark{g.last.Read, tokens}
	switch {
	case g.begun == nil:
		g.begun, g.token = &now, 0
	case tokens > g.begun.tokens:
		g.token = max(0, now.read-g.begun.read) / int64(tokens-g.begun.tokens)
	}
}

// read reads a decoder's figures unless it computes; the caller holds mu.
func (g *useGauge) read(d *transformer.Decoder) bool {
	if g.closed || d == nil {
		return false
	}
	use, ok := d.Use()
	if ok {
		g.last, g.known = use, true
	}
	return ok
}

// close ends all readings, before the decoder is freed.
func (g *useGauge) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
}

// figures returns the last known figures.
func (o *Model) figures(name string) *engine.ModelUse {
	g := &o.use
	g.mu.Lock()
	defer g.mu.Unlock()
	g.read(o.Decoder)
	if g.closed || !g.known {
		return nil
	}
	stats := &g.last.Stats
	u := &engine.ModelUse{Name: name, Way: engine.Streamed, Layers: o.Decoder.Layers(), Kept: stats.Kept, Cache: g.last.Cached, TokenBytes: g.token, Sparsity: g.last.Sparsity}
	switch {
	case stats.Resident:
		u.Way, u.TokenBytes = engine.Resident, 0
	case g.last.Swapped:
		u.Way, u.Hits, u.Misses = engine.Swapped, stats.Swap.Hits, stats.Swap.Misses
	case g.last.Mixture:
		u.Way, u.Hits, u.Misses = engine.Mixture, stats.Experts.Hits, stats.Experts.Chosen-stats.Experts.Hits
	}
	return u
}

// Use says how the open model runs; nil without one. It does not wait for an
// answer.
func (w *Writer) Use() *engine.ModelUse {
	if w == nil {
		return nil
	}
	o := w.using.Load()
	if o == nil {
		return nil
	}
	return o.figures(w.name)
}
