package modelset

import (
	"context"
	"errors"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/engine/answer/local"
	"dowse/engine/answer/remote"
	"dowse/engine/endpoint"
	"dowse/engine/endpoint/scores"
	"dowse/engine/rerank/crossencoder"
	"dowse/engine/search"
)

// Choice says which models rank and answer. A person may change it while searches run.
type Choice struct {
	Reranker crossencoder.Options // without a name: nothing is reranked
	Depth    int                  // candidates that are reranked; 0: as many as the reranker says
	// RerankServer reranks, with Reranker in reserve, where it is not nil.
	RerankServer *scores.Options

	Writer       local.Options    // without a name: answers are extracted
	Verifies     bool             // Writer may be told only to verify quotations
	AnswerServer *endpoint.Server // writes in the place of Writer, where it is not nil
}

// Chosen are the models of a Choice.
type Chosen struct {
	Choice
	Reranker       *crossencoder.Reranker // nil where none is wanted
	ServedReranker *scores.Reranker       // asks a server, with Reranker in reserve; nil where none is asked
	Writer         *local.Writer          // nil where answers are extracted
}

// Chosen are the models that rank and answer now.
func (m *Set) Chosen() *Chosen { return m.chosen.Load() }

// make makes the models of a choice ready.
func (m *Set) make(c Choice) (*Chosen, error) {
	chosen := &Chosen{Choice: c}
	if c.Reranker.Name != "" {
		chosen.Reranker = crossencoder.New(m.machine, c.Reranker)
	}
	if c.Writer.Name != "" {
		c.Writer.Keys = m.Keys
		chosen.Writer = local.NewWriter(m.machine, c.Writer)
	}
	if c.RerankServer == nil {
		return chosen, nil
	}
	served := *c.RerankServer
	if chosen.Reranker != nil {
		served.Local = chosen.Reranker
	}
	var err error
	chosen.ServedReranker, err = scores.Open(served)
	return chosen, err
}

// Choose makes other models rank and answer: of a choice, those whose names differ from the present ones'. They are
// loaded first, in the memory that there is; where one cannot be, the present ones stay. The result is
// what they took the place of, for the caller to close .
func (m *Set) Choose(ctx context.Context, c Choice) (old *Chosen, err error) {
	old = m.Chosen()
	next, err := m.make(c)
	if err != nil {
		return nil, err
	}
	rerankerStays := old.Choice.Reranker.Name == c.Reranker.Name
	writerStays := old.Choice.Writer.Name == c.Writer.Name
	if rerankerStays {
		next.Reranker, next.ServedReranker = old.Reranker, old.ServedReranker
	} else if err := load(ctx, next.Reranker != nil, func() (func() error, error) {
		_, done, err := next.Reranker.Acquire(ctx)
		return done, err
	}); err != nil {
		return nil, errors.Join(err, next.Reranker.Close())
	}
	if writerStays {
		next.Writer = old.Writer
	} else if err := load(ctx, next.Writer != nil, func() (func() error, error) {
		_, done, err := next.Writer.Acquire(ctx)
		return done, err
	}); err != nil {
		err = errors.Join(err, next.Writer.Close())
		if !rerankerStays {
			err = errors.Join(err, next.Reranker.Close())
		}
		return nil, err
	}
	m.chosen.Store(next)
	gone := &Chosen{}
	if !rerankerStays {
		gone.Reranker = old.Reranker
	}
	if !writerStays {
		gone.Writer = old.Writer
	}
	return gone, nil
}

// load has a model opened where there is one.
func load(ctx context.Context, is bool, acquire func() (done func() error, err error)) error {
	if !is {
		return ctx.Err()
	}
	done, err := acquire()
	if err != nil {
		return err
	}
	return done()
}

// Close waits for the searches that use the models and closes them.
func (c *Chosen) Close() error { return errors.Join(c.Writer.Close(), c.Reranker.Close()) }

// Models are what a search asks besides the embedder.
func (m *Set) Models(analyzer answer.Analyzer) search.Models {
	c := m.Chosen()
	out := search.Models{Answerer: m.answerer(c, analyzer)}
	if c.Reranker != nil {
		out.Reranker, out.RerankDepth = c.Reranker, c.Depth
	}
	if c.ServedReranker != nil {
		out.Reranker, out.RerankSends = c.ServedReranker, true
	}
	return out
}

// answerer answers questions by a server where there is one, or else by the writer. The extractor
// answers where these cannot, or are not there.
func (m *Set) answerer(c *Chosen, analyzer answer.Analyzer) engine.Answerer {
	switch {
	case c.AnswerServer != nil:
		return remote.NewAnswerer(*c.AnswerServer, m.Extractor, analyzer)
	case c.Writer != nil:
		return local.NewAnswerer(c.Writer, m.Extractor, analyzer, c.Verifies)
	}
	return m.Extractor
}
