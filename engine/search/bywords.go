package search

import (
	"context"
	"errors"
	"strings"

	"dowse/engine"
	"dowse/engine/search/passage"
)

// Somebody else may embed: a server, which may be away, or be another one than the one that
// the index was built with. Then a search goes by words alone and says so.

// retrieveAnyhow is retrieve, by words alone where texts cannot be embedded for now. While
// the person types, nothing is sent to an embedder on another machine.
func (e *Engine) retrieveAnyhow(ctx context.Context, q *formulation, req engine.Request, rec *recorder) (*passage.Commit, []candidate, error) {
	mode, err := e.mode(req)
	if err == nil && req.Estimate && e.opts.Distant && fuses(mode) {
		req.Mode = engine.Lexical
		commit, found, err := e.retrieve(ctx, q, req, rec)
		rec.stats.Estimated = q.HasText()
		return commit, found, err
	}
	before := rec.stats
	commit, found, err := e.retrieve(ctx, q, req, rec)
	if !errors.Is(err, engine.ErrNoVectors) || ctx.Err() != nil || !fuses(mode) {
		e.noteSent(q, req, mode, rec)
		return commit, found, err
	}
	why := err
	req.Mode, rec.stats = engine.Lexical, before
	if commit, found, err = e.retrieve(ctx, q, req, rec); err != nil {
		return nil, nil, err
	}
	rec.stats.ByWords = "the passages are ranked by words alone: " + reason(why)
	if !req.Estimate {
		rec.problem(rec.stats.ByWords)
	}
	return commit, found, nil
}

// reason is what a person needs to know of an error that says engine.ErrNoVectors.
func reason(err error) string {
	if _, why, said := strings.Cut(err.Error(), engine.ErrNoVectors.Error()+": "); said {
		return why
	}
	return err.Error()
}

// noteSent notes what the embedder was sent, where it is a server.
func (e *Engine) noteSent(q *formulation, req engine.Request, mode engine.Mode, rec *recorder) {
	if e.opts.Sent == nil || mode == engine.Lexical || !q.HasText() {
		return
	}
	sent := *e.opts.Sent
	sent.Bytes = len(q.Text())
	for _, s := range rec.stats.Stages {
		if s.Name == "texts" && !req.Estimate {
			sent.Passages, sent.Bytes = s.Out, sent.Bytes+int(s.Bytes)
		}
	}
	rec.stats.Sent = &sent
}
