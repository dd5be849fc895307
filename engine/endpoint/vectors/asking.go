package vectors

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"dowse/engine"
	"dowse/engine/endpoint"
)

// Local is a local model that may replace the server's.
type Local interface {
	engine.Embedder
	EmbedQueries(ctx context.Context, texts []string) ([]float32, error)
	Dim() int
	Close() error
}

// asking embeds queries: it fails fast, and a local model with the same vectors
// stands in.
type asking struct {
	*Embedder

	mu    sync.Mutex
	until time.Time // the server is not asked before
	why   error

	standing sync.Mutex // held while the local model opens
	looked   bool
	local    Local // the stand-in, or nil
	no       error // why there is no stand-in
}

var _ engine.Embedder = (*asking)(nil)

// SearchEmbedder embeds queries; it fails fast instead of waiting. Its error is
// engine.ErrNoVectors where the server is away or changed and no local model
// stands in.
func (e *Embedder) SearchEmbedder() engine.Embedder { return &e.asking }

func (a *asking) EmbedQuery(ctx context.Context, text string) (vector []float32, tokens int, err error) {
	vector, err = a.quickly(ctx, a.options.Query, []string{text})
	if err == nil {
		return vector, a.Count(text), nil
	}
	local, err := a.instead(ctx, err)
	if err != nil {
		return nil, 0, err
	}
	return local.EmbedQuery(ctx, text)
}

func (a *asking) EmbedDocuments(ctx context.Context, texts []string) ([]float32, error) {
	vectors, err := a.quickly(ctx, a.options.Passage, texts)
	if err == nil {
		return vectors, nil
	}
	local, err := a.instead(ctx, err)
	if err != nil {
		return nil, err
	}
	return local.EmbedDocuments(ctx, texts)
}

// quickly asks the server unless it failed recently.
func (a *asking) quickly(ctx context.Context, prompt string, texts []string) ([]float32, error) {
	if err := a.away(); err != nil {
		return nil, err
	}
	vectors, err := a.embed(ctx, a.quick, prompt, texts)
	switch {
	case err == nil:
		a.answered()
	case ctx.Err() == nil && endpoint.IsOutage(err):
		a.mu.Lock()
		a.until, a.why = time.Now().Add(a.options.Rest), err
		a.mu.Unlock()
	}
	return vectors, err
}

// away is why the server failed recently; nil if it is to be asked.
func (a *asking) away() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if time.Now().Before(a.until) {
		return a.why
	}
	return nil
}

func (a *asking) answered() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.until, a.why = time.Time{}, nil
}

// instead is the stand-in, or why there is none.
func (a *asking) instead(ctx context.Context, why error) (Local, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	local, err := a.standIn(ctx)
	server := &a.options.Server
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case local != nil:
		a.say(fmt.Sprintf("%v; meanwhile the same model of this machine embeds your questions", server.Failed(why)), true)
		return local, nil
	case err != nil:
		why = fmt.Errorf("%w (%w)", why, err)
	}
	return nil, fmt.Errorf("%w: %w", engine.ErrNoVectors, server.Failed(why))
}

// standIn opens the local model once and compares its vectors with the
// server's.
func (a *asking) standIn(ctx context.Context) (Local, error) {
	a.standing.Lock()
	defer a.standing.Unlock()
	if a.looked || a.options.Local == nil {
		return a.local, a.no
	}
	local, err := a.options.Local(ctx)
	if err == nil && local != nil {
		if err = a.probe.sameAs(ctx, local); err != nil {
			_ = local.Close() // it was only read from
			local = nil
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	a.looked, a.local, a.no = true, local, err
	return local, err
}

// sameAs returns why a local model may not stand in for the probe's.
func (p *probe) sameAs(ctx context.Context, local Local) error {
	if local.Dim() != p.Dim() {
		return fmt.Errorf("the model of that name on this machine makes vectors of %d numbers, and not %d", local.Dim(), p.Dim())
	}
	without := make([]string, len(p.Texts)) // the local model adds its prompts
	for i, text := range p.Texts {
		prompt := p.Query
		if i >= p.Queries {
			prompt = p.Passage
		}
		without[i] = text[len(prompt):]
	}
	queries, err := local.EmbedQueries(ctx, without[:p.Queries])
	if err != nil {
		return err
	}
	passages, err := local.EmbedDocuments(ctx, without[p.Queries:])
	if err != nil {
		return err
	}
	d, all, least := p.Dim(), slices.Concat(queries, passages), 1.0
	for i := range p.Texts {
		least = min(least, cosine(p.vector(i), all[i*d:(i+1)*d]))
	}
	if !(least >= sameName) {
		return fmt.Errorf("the model of that name on this machine makes other vectors, with a cosine of %.3f", least)
	}
	return nil
}

func (a *asking) close() error {
	a.standing.Lock()
	defer a.standing.Unlock()
	local := a.local
	a.looked, a.local = true, nil
	if local == nil {
		return nil
	}
	return local.Close()
}
