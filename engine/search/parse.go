package search

import (
	"dowse/engine"
	"fmt"
)

// Step parse: what a search is asked, and in which mode each index can answer it.

// wanted is the number of passages that a request asks for.
func wanted(k int) int {
	if k <= 0 {
		return engine.DefaultK
	}
	return k
}

// mode resolves the mode of a request. One that names none gets the best there
// is, but while the person types.
func (e *Engine) mode(req engine.Request) (engine.Mode, error) {
	switch req.Mode {
	case engine.Hybrid, engine.Lexical, engine.Vector, engine.RRF:
		return req.Mode, nil
	case engine.Reranked:
		switch {
		case e.opts.Reranker == nil:
			return "", fmt.Errorf("%w: the mode %s needs a reranker, and none is in use; run dowse models add NAME PATH with a cross-encoder, and dowse models use NAME", engine.ErrQuery, engine.Reranked)
		case req.Estimate: // for which no text is read
			return engine.Hybrid, nil
		}
		return engine.Reranked, nil
	case "":
		if e.opts.Reranker != nil && !req.Estimate {
			return engine.Reranked, nil
		}
		return engine.Hybrid, nil
	}
	return "", fmt.Errorf("%w: the mode %q is none of %s, %s, %s and %s", engine.ErrQuery, req.Mode, engine.Reranked, engine.Hybrid, engine.Lexical, engine.Vector)
}

// byWords is the mode that a mode comes down to where the vectors of the index are not
// those of the embedder, and says so.
func (e *Engine) byWords(mode engine.Mode, estimate bool, rec *recorder) (engine.Mode, error) {
	switch {
	case e.opts.ByWords == "" || mode == engine.Lexical:
		return mode, nil
	case mode == engine.Vector:
		return "", fmt.Errorf("%w: the passages cannot be ranked by meaning alone: %s", engine.ErrQuery, e.opts.ByWords)
	}
	rec.stats.ByWords = "the passages are ranked by words alone: " + e.opts.ByWords
	if !estimate { // which come with every key
		rec.problem(rec.stats.ByWords)
	}
	return engine.Lexical, nil
}

// fuses reports whether a mode ranks by words and meaning together.
func fuses(m engine.Mode) bool { return m == engine.Hybrid || m == engine.Reranked }

// modesOf are the mode of a search and those in which each index is searched: by words alone
// where its vectors are not those of its embedder, which is said.
func modesOf(engines []*Engine, mode engine.Mode, estimate bool, rec *recorder) (engine.Mode, []engine.Mode, error) {
	if len(engines) == 1 {
		mode, err := engines[0].byWords(mode, estimate, rec)
		return mode, []engine.Mode{mode}, err
	}
	modes, with, why := make([]engine.Mode, len(engines)), 0, ""
	for i, e := range engines {
		modes[i] = mode
		if e.opts.ByWords != "" && mode != engine.Lexical {
			modes[i], why = engine.Lexical, e.opts.ByWords
			continue
		}
		with++
	}
	switch {
	case why == "":
		return mode, modes, nil
	case with == 0 && mode == engine.Vector:
		return "", nil, fmt.Errorf("%w: the passages cannot be ranked by meaning alone: %s", engine.ErrQuery, why)
	case mode == engine.Vector:
		rec.stats.ByWords = "some passages are left out: " + why
	default:
		rec.stats.ByWords = "some passages are ranked by words alone: " + why
	}
	if with == 0 {
		mode = engine.Lexical
	}
	if !estimate {
		rec.problem(rec.stats.ByWords)
	}
	return mode, modes, nil
}
