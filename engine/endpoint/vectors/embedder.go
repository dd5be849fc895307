package vectors

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"dowse/engine"
	"dowse/engine/endpoint"
	"dowse/engine/fusion"
)

// Options describe the server and its use. Zero values below Local mean the
// usual.
type Options struct {
	Server     endpoint.Server
	Query      string // before a query
	Passage    string // before a passage
	Dimensions int    // of the vectors, for models with a choice; 0: all
	Folder     string // of the probe
	// Local opens the local model with the server's model name, or is nil.
	Local func(ctx context.Context) (Local, error)

	// Tell is given sentences for the person until Notify replaces it; it must
	// not block. It may be nil.
	Tell func(string)

	Documents endpoint.Options // timeouts while indexing
	Queries   endpoint.Options // timeouts while a person waits
	Patience  time.Duration    // with a server that is away, while indexing: 2 min
	Pause     time.Duration    // between attempts, doubled up to 15 s: 1 s
	Rest      time.Duration    // during which queries do not ask a server that was away: 10 s
}

func (o Options) filled() Options {
	usual := func(d *time.Duration, value time.Duration) {
		if *d == 0 {
			*d = value
		}
	}
	usual(&o.Queries.First, 10*time.Second)
	usual(&o.Queries.Whole, 20*time.Second)
	usual(&o.Queries.Connect, 3*time.Second)
	if o.Queries.Tries == 0 {
		o.Queries.Tries = 2
	}
	usual(&o.Patience, 2*time.Minute)
	usual(&o.Pause, time.Second)
	usual(&o.Rest, 10*time.Second)
	return o
}

// room is the tokens that every server reads: the shortest served models have
// 256.
const room = 256

// Embedder is a server's embedding model. It is safe for concurrent use.
type Embedder struct {
	options  Options
	patient  *endpoint.Client
	quick    *endpoint.Client
	probe    *probe
	scale    fusion.Scale
	estimate endpoint.TokenEstimate

	requests atomic.Uint32 // counts them: the probe's sentences take turns
	asking   asking
	tell     atomic.Pointer[func(string)]
	told     sync.Map                  // sentences told once
	waited   atomic.Pointer[time.Time] // when a silence was told
}

// Open prepares a server's model. It asks the server only for a model that was
// never used before.
func Open(ctx context.Context, o Options) (*Embedder, error) {
	o = o.filled()
	e := &Embedder{options: o}
	if o.Tell != nil {
		e.Notify(o.Tell)
	}
	e.options.Documents.Waiting = e.wait
	o = e.options
	var err error
	if e.patient, err = o.Server.Client(o.Documents); err != nil {
		return nil, err
	}
	if e.quick, err = o.Server.Client(o.Queries); err != nil {
		return nil, err
	}
	e.asking.Embedder = e
	if e.probe, err = readProbe(e.probePath()); err != nil {
		return nil, err
	}
	if e.probe == nil {
		if e.probe, err = e.firstProbe(ctx); err != nil {
			return nil, err
		}
	}
	// If the model cannot be measured, cosines stay as they are.
	e.scale, _ = fusion.MeasureScale(ctx, e.probe)
	return e, nil
}

func (e *Embedder) probePath() string {
	o := &e.options
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %d", o.Server.Model, o.Query, o.Passage, o.Dimensions))
	return filepath.Join(o.Folder, hex.EncodeToString(sum[:8])+".json")
}

// Adopt replaces the probe by the present model's, and reports whether the
// model changed. Indexes of the earlier one are no longer searched by meaning.
func (e *Embedder) Adopt(ctx context.Context) (changed bool, err error) {
	next, err := e.measure(ctx)
	if err != nil {
		return false, err
	}
	if e.probe.agrees(next, sameModel) {
		return false, nil
	}
	if err := next.write(e.probePath(), true); err != nil {
		return false, err
	}
	e.probe = next
	return true, nil
}

// Check embeds a sentence of the probe and returns why the server's vectors
// cannot be used.
func (e *Embedder) Check(ctx context.Context) error {
	_, err := e.send(ctx, e.quick, e.options.Query, nil)
	return e.options.Server.Failed(err)
}

// Notify sets the receiver of sentences for the person. It must not block.
func (e *Embedder) Notify(tell func(string)) { e.tell.Store(&tell) }

// say tells a sentence, at most once if once is set.
func (e *Embedder) say(sentence string, once bool) {
	tell := e.tell.Load()
	if tell == nil {
		return
	}
	if _, known := e.told.LoadOrStore(sentence, true); known && once {
		return
	}
	(*tell)(sentence)
}

// wait reports the server's silence, at most once a minute.
func (e *Embedder) wait(silent time.Duration) {
	now := time.Now()
	if last := e.waited.Load(); last != nil && now.Sub(*last) < waitsApart && silent < waitsApart {
		return
	}
	e.waited.Store(&now)
	e.say(e.options.Server.Waits(silent), false)
}

const waitsApart = time.Minute

// Server is the embedding server.
func (e *Embedder) Server() *endpoint.Server { return &e.options.Server }

// Prompts are the texts before a query and a passage.
func (e *Embedder) Prompts() (query, passage string) { return e.options.Query, e.options.Passage }

// Scale maps the model's cosines to those that fusion was fitted on.
func (e *Embedder) Scale() fusion.Scale { return e.scale }

// Peak is the embedder's memory: negligible.
func (e *Embedder) Peak() int64 { return 0 }

// Dim is the length of a vector.
func (e *Embedder) Dim() int { return e.probe.Dim() }

// Count estimates a text's tokens from above.
func (e *Embedder) Count(text string) int { return e.estimate.CountTokens(text) }

// Room is the tokens of a passage, by Count, that every server reads.
func (e *Embedder) Room() int { return max(room-e.Count(e.options.Passage), 1) }

// Fingerprint identifies model, prompts, dimensions and probe.
func (e *Embedder) Fingerprint() string { return e.probe.fingerprint() }

// EmbedQuery implements engine.Embedder; it waits for a server that is away,
// unlike SearchEmbedder.
func (e *Embedder) EmbedQuery(ctx context.Context, text string) (vector []float32, tokens int, err error) {
	vector, err = e.EmbedQueries(ctx, []string{text})
	return vector, e.Count(text), err
}

// EmbedQueries returns the vectors of queries, one after the other.
func (e *Embedder) EmbedQueries(ctx context.Context, texts []string) ([]float32, error) {
	return e.patiently(ctx, e.options.Query, texts)
}

// EmbedDocuments returns passages' vectors, one after the other. It waits for a
// server that is away; engine.ErrNoVectors says that it did not return or has
// another model.
func (e *Embedder) EmbedDocuments(ctx context.Context, texts []string) ([]float32, error) {
	o := &e.options
	e.say(fmt.Sprintf("the text of your files is sent to %s, %s", o.Server.How(), o.Server.Where()), true)
	return e.patiently(ctx, o.Passage, texts)
}

// mostPause bounds the time between attempts.
const mostPause = 15 * time.Second

// patiently embeds texts and waits for a server that is away.
func (e *Embedder) patiently(ctx context.Context, prompt string, texts []string) ([]float32, error) {
	begun, said := time.Now(), false
	for pause := e.options.Pause; ; pause = min(2*pause, mostPause) {
		vectors, err := e.embed(ctx, e.patient, prompt, texts)
		if err == nil {
			e.asking.answered()
			return vectors, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !endpoint.IsOutage(err) || time.Since(begun)+pause > e.options.Patience {
			return nil, fmt.Errorf("%w: %w", engine.ErrNoVectors, e.options.Server.Failed(err))
		}
		if !said {
			said = true
			e.say(fmt.Sprintf("%v; it is waited for, %v at most, and what is indexed is kept", e.options.Server.Failed(err), e.options.Patience), false)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// Close closes the stand-in, if any.
func (e *Embedder) Close() error { return e.asking.close() }
