package search

import (
	"dowse/engine"
	"dowse/engine/fusion"
	"dowse/engine/leann"
	"dowse/engine/search/snapshot"
	"fmt"
)

// Step parse: what a search is asked, and in which mode each index can answer it.

// parse says what is asked of which indexes, and in which mode each can answer it.
func (e *Engine) parse(q *formulation, req engine.Request, rec *recorder) (*retrieval, error) {
	mode, err := e.mode(req)
	if err != nil {
		return nil, err
	}
	engines := q.engines
	if engines == nil {
		engines = []*Engine{e}
	}
	mode, modes, err := modesOf(engines, mode, req.Estimate, rec)
	if err != nil {
		return nil, err
	}
	l := &retrieval{Engine: e, q: q, req: req, mode: mode}
	l.how = l.ranking()
	if q.machines != nil {
		l.machines = q.machines.list
		for _, m := range l.machines {
			m.ranked, m.commit = nil, nil // of a search that was given up
		}
	}
	for i, e := range engines {
		l.indexes = append(l.indexes, e.newIndexSearch(i, q, req, modes[i]))
	}
	l.numberMachines()
	if len(l.indexes)+len(l.machines) > mostParts {
		return nil, fmt.Errorf("%w: at most %d machines and indexes can be searched at once", engine.ErrQuery, mostParts)
	}
	return l, nil
}

// newIndexSearch begins a search of an engine's index.
func (e *Engine) newIndexSearch(n int, q *formulation, req engine.Request, mode engine.Mode) *indexSearch {
	if n > 0 {
		q = q.apart()
	}
	return &indexSearch{Engine: e, n: n, q: q, req: req, mode: mode, files: snapshot.NewFilter(q.Query, req.In), verify: e.newVerification(q.Query)}
}

// depth is how many candidates each list contributes to fusion, at least.
const depth = fusion.Depth

// ranking says how to rank.
type ranking struct {
	depth     int     // candidates of each list
	deepest   int     // places of each list that results behind the candidates come from; 0: none
	recompute int     // vectors to recompute, at most
	wanted    int     // results for whose sake they are; 0: all are recomputed
	reach     float64 // as a cosine, how far behind the best what is recomputed may be expected; 0: as wanted says
}

// ranking says how this search ranks, and what it recomputes for that.
func (l *retrieval) ranking() ranking {
	how := ranking{depth: depth}
	if n := wanted(l.req.K); n > depth {
		how.deepest = n
	}
	switch {
	case l.req.Estimate:
	case l.opts.Recompute > 0:
		how.recompute = l.opts.Recompute
	case l.mode == engine.Reranked:
		how.recompute, how.wanted, how.reach = rerankedRecompute, leann.Wanted, rerankedReach
	case fuses(l.mode):
		how.recompute, how.wanted = hybridRecompute, leann.Wanted
	default:
		how.recompute, how.wanted = leann.MaxRecompute, leann.Wanted
	}
	return how
}

// hybridRecompute is how many vectors a hybrid search recomputes at most, of each index: words
// narrow down where they matter.
const hybridRecompute = leann.MaxRecompute / 2

// rerankedRecompute is the same where a reranker reads the best: it puts right what estimates of the
// others order wrongly.
const rerankedRecompute = 8

// rerankedReach is how far behind the best a passage may be expected, words included, so that its vector is recomputed
// for a reranker: farther ones are not read. rerankedBatch are recomputed before the others are looked at again.
const (
	rerankedReach = .3
	rerankedBatch = 2
)

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
	switch len(engines) {
	case 0:
		return mode, nil, nil
	case 1:
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
