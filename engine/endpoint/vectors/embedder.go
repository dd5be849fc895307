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

// Options say which server embeds, and how. Those below Local may be zero, for the usual.
type Options struct {
	Server     endpoint.Server
	Query      string // stands before a query
	Passage    string // stands before a passage
	Dimensions int    // of the vectors, for models that can be asked for fewer; 0: all that there are
	Folder     string // where the probe is kept
	// Local opens the model of this machine that has the name of the server's; nil: none
	// has.
	Local func(ctx context.Context) (Local, error)

	// Tell is told, in a sentence, of what a person should know, until Notify names another;
	// it must not block. nil: nobody is.
	Tell func(string)

	Documents endpoint.Options // how long the server is waited for while indexing
	Queries   endpoint.Options // and while somebody waits
	Patience  time.Duration    // for a server that is away, while indexing: 2 min
	Pause     time.Duration    // between two looks whether it is back, doubled up to 15 s: 1 s
	Rest      time.Duration    // in which nobody who waits asks a server again that was away: 10 s
}

// filled returns the options with the usual values for those not given.
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

// room is how many tokens of a text a server reads for sure: models of 256 are the shortest
// that are served.
const room = 256

// Embedder is a model of a server that embeds. It may be used from several goroutines.
type Embedder struct {
	options  Options
	patient  *endpoint.Client
	quick    *endpoint.Client
	probe    *probe
	scale    fusion.Scale
	estimate endpoint.TokenEstimate

	requests atomic.Uint32 // numbers them, so that each sentence of the probe has its turn
	asking   asking
	tell     atomic.Pointer[func(string)]
	told     sync.Map                  // sentences that were told once
	waited   atomic.Pointer[time.Time] // when a silence was told
}

// Open makes a server's model ready. It asks the server only where the model was never used
// before, and cancelling ctx ends that.
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
	// Of a model that tells nothing apart the cosines stay as they are.
	e.scale, _ = fusion.MeasureScale(ctx, e.probe)
	return e, nil
}

// probePath is the file of the probe.
func (e *Embedder) probePath() string {
	o := &e.options
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %d", o.Server.Model, o.Query, o.Passage, o.Dimensions))
	return filepath.Join(o.Folder, hex.EncodeToString(sum[:8])+".json")
}

// Adopt makes what the server's model answers now the kept probe, and reports whether that
// is another model than before. Indexes of the one before are no longer searched by meaning.
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

// Check asks the server for a sentence of the probe, and returns why its vectors cannot be
// used.
func (e *Embedder) Check(ctx context.Context) error {
	_, err := e.send(ctx, e.quick, e.options.Query, nil)
	return e.options.Server.Failed(err)
}

// Notify has tell told, in a sentence, of what a person should know. It must not block.
func (e *Embedder) Notify(tell func(string)) { e.tell.Store(&tell) }

// say tells a sentence; one that is told once is not told again.
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

// wait tells that the server has been silent for a time; of one that is often, once a minute.
func (e *Embedder) wait(silent time.Duration) {
	now := time.Now()
	if last := e.waited.Load(); last != nil && now.Sub(*last) < waitsApart && silent < waitsApart {
		return
	}
	e.waited.Store(&now)
	e.say(e.options.Server.Waits(silent), false)
}

// waitsApart is the time between two words of a silence.
const waitsApart = time.Minute

// Server is who embeds.
func (e *Embedder) Server() *endpoint.Server { return &e.options.Server }

// Prompts are what stands before a query and before a passage.
func (e *Embedder) Prompts() (query, passage string) { return e.options.Query, e.options.Passage }

// Scale brings the cosines of the model to those that rankings are fused on.
func (e *Embedder) Scale() fusion.Scale { return e.scale }

// Peak is the memory that the embedder takes: none to speak of.
func (e *Embedder) Peak() int64 { return 0 }

// Dim is the length of a vector.
func (e *Embedder) Dim() int { return e.probe.Dim() }

// Count is about how many tokens a text has, or more.
func (e *Embedder) Count(text string) int { return e.estimate.CountTokens(text) }

// Room is how many tokens of a passage, by Count, every server reads.
func (e *Embedder) Room() int { return max(room-e.Count(e.options.Passage), 1) }

// Fingerprint identifies model, prompts and dimensions by what the server's vectors were.
func (e *Embedder) Fingerprint() string { return e.probe.fingerprint() }

// EmbedQuery implements engine.Embedder; it waits for a server that is away. Asking does not.
func (e *Embedder) EmbedQuery(ctx context.Context, text string) (vector []float32, tokens int, err error) {
	vector, err = e.EmbedQueries(ctx, []string{text})
	return vector, e.Count(text), err
}

// EmbedQueries returns the vectors of questions, one after the other.
func (e *Embedder) EmbedQueries(ctx context.Context, texts []string) ([]float32, error) {
	return e.patiently(ctx, e.options.Query, texts)
}

// EmbedDocuments returns the vectors of passages, one after the other. A server that is away
// is waited for. engine.ErrNoVectors says that it did not come back, or is another one.
func (e *Embedder) EmbedDocuments(ctx context.Context, texts []string) ([]float32, error) {
	o := &e.options
	e.say(fmt.Sprintf("the text of your files is sent to %s, %s", o.Server.How(), o.Server.Where()), true)
	return e.patiently(ctx, o.Passage, texts)
}

// mostPause is the longest between two looks whether a server is back.
const mostPause = 15 * time.Second

// patiently embeds texts, and waits for a server that is away.
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

// Close closes the model of this machine that took over, if one did.
func (e *Embedder) Close() error { return e.asking.close() }
