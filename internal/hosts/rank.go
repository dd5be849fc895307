package hosts

import (
	"context"
	"math"
	"slices"
	"strings"

	"dowse/engine"
	"dowse/internal/daemon"
)

// Bounds of what a machine may find for one search, above what any dowse sends.
const (
	mostChunks = 1 << 28
	mostTerms  = 1 << 36 // of all chunks
	mostListed = 20_000  // chunks that lists name
	mostWords  = 1000    // terms that begin with one
)

// ranker asks a machine for its part of a ranking, and lets nothing through that dowse does not send.
type ranker struct {
	*host
	search *search
}

var _ engine.Ranker = (*ranker)(nil)

// Peer implements engine.Ranker.
func (r *ranker) Peer(ctx context.Context) (*engine.Peer, error) { return r.search.peer(ctx, r.host) }

// Count implements engine.Ranker.
func (r *ranker) Count(ctx context.Context, req engine.CountRequest) (counts *engine.Counts, err error) {
	counts, err = called(ctx, r.search, r.host, func(ctx context.Context, p *daemon.Pipe) (*engine.Counts, error) { return p.Count(ctx, req) })
	if err == nil && !fitsCounts(counts, &req) {
		err = engine.ErrUnfit
	}
	return counts, err
}

// fitsCounts reports whether counts can be those of an index.
func fitsCounts(c *engine.Counts, req *engine.CountRequest) bool {
	if c.Chunks < 0 || c.Chunks > mostChunks || c.Length < 0 || c.Length > mostTerms || len(c.Terms) != len(req.Terms) {
		return false
	}
	for _, t := range c.Terms {
		if t.DF < 0 || t.DF > c.Chunks || len(t.Near) > engine.MostNear || len(t.Longer) > mostWords {
			return false
		}
		for _, n := range t.Near {
			if n.Count < 0 || n.DF < n.Count || n.DF > c.Chunks || n.Distance < 0 || !isTerm(n.Term) {
				return false
			}
		}
		if slices.ContainsFunc(t.Longer, func(term string) bool { return !isTerm(term) }) {
			return false
		}
	}
	return true
}

// isTerm reports whether a text may be a term.
func isTerm(text string) bool { return text != "" && len(text) <= mostName && name(text) == text }

// Rank implements engine.Ranker.
func (r *ranker) Rank(ctx context.Context, req engine.RankRequest) (ranked *engine.Ranked, err error) {
	ranked, err = called(ctx, r.search, r.host, func(ctx context.Context, p *daemon.Pipe) (*engine.Ranked, error) { return p.Rank(ctx, req) })
	if err == nil && !fitsRanked(ranked, &req) {
		err = engine.ErrUnfit
	}
	if err != nil {
		return nil, err
	}
	for i := range ranked.Files {
		f := &ranked.Files[i]
		root, path := f.Path[:f.Root], f.Path
		f.Path, f.Root = there(path), 0
		if of := strings.TrimSuffix(there(root), "/"); root != "" && strings.HasPrefix(f.Path, of) {
			f.Root = len(of)
		}
	}
	for i, away := range ranked.Away {
		ranked.Away[i] = r.name + ": " + name(away)
	}
	return ranked, nil
}

// fitsRanked reports whether what a machine found can be what was asked for.
func fitsRanked(r *engine.Ranked, req *engine.RankRequest) bool {
	most := max(mostLists, 2*wanted(req.Request.K))
	if len(r.Chunks) > mostListed+4*most || len(r.Files) > len(r.Chunks) || len(r.Away) > mostParts || math.IsNaN(r.Offset+r.Factor) || r.Factor < 0 {
		return false
	}
	for _, n := range []int{r.LeftFiles, r.LeftChunks, r.All, r.Logs, r.Unread, r.Postings, r.Tokens, r.Embedded, r.Known} {
		if n < 0 {
			return false
		}
	}
	if r.LeftChunks > r.All || r.All > mostChunks || r.Logs > r.LeftChunks {
		return false
	}
	for _, f := range r.Files {
		if f.Path == "" || len(f.Path) > mostName || f.Root < 0 || f.Root > len(f.Path) {
			return false
		}
	}
	for _, c := range r.Chunks {
		if c.File < 0 || c.File >= len(r.Files) {
			return false
		}
	}
	for _, l := range []engine.RankedList{r.Words, r.Boosted} {
		if !fitsList(&l, r, most, true) {
			return false
		}
	}
	for _, l := range []engine.RankedList{r.Meaning, r.Deeper} {
		if !fitsList(&l, r, most, false) {
			return false
		}
	}
	for _, list := range r.Defined {
		if len(list) > engine.MostDefined || slices.ContainsFunc(list, func(d engine.RankedDefinition) bool { return d.Chunk < 0 || d.Chunk >= len(r.Chunks) }) {
			return false
		}
	}
	return len(r.Listed) <= most && !slices.ContainsFunc(r.Listed, func(c int) bool { return c < 0 || c >= len(r.Chunks) })
}

// mostLists is how many chunks a list may have at least.
const mostLists = 2000

// fitsList reports whether a list is a ranking of chunks, each once.
func fitsList(l *engine.RankedList, r *engine.Ranked, most int, words bool) bool {
	n := len(l.Chunks)
	if n > most || len(l.Scores) != n || words && len(l.Matched) != n {
		return false
	}
	seen := make(map[int]bool, n)
	for i, c := range l.Chunks {
		if c < 0 || c >= len(r.Chunks) || seen[c] || math.IsNaN(l.Scores[i]) || math.Abs(l.Scores[i]) > mostScore || i > 0 && l.Scores[i] > l.Scores[i-1] || words && l.Matched[i] < 0 {
			return false
		}
		seen[c] = true
	}
	return true
}

// mostScore is above what BM25 gives any chunk.
const mostScore = 1e6

// Texts implements engine.Ranker.
func (r *ranker) Texts(ctx context.Context, req engine.TextsRequest) (texts *engine.RankedTexts, err error) {
	texts, err = called(ctx, r.search, r.host, func(ctx context.Context, p *daemon.Pipe) (*engine.RankedTexts, error) { return p.Texts(ctx, req) })
	if err == nil && len(texts.Texts) != len(req.Chunks) {
		err = engine.ErrUnfit
	}
	if err != nil {
		return nil, err
	}
	for i := range texts.Texts {
		if err := r.checkRanked(&texts.Texts[i]); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// checkRanked makes a text one that can be shown, or refuses it.
func (r *ranker) checkRanked(t *engine.RankedText) error {
	if len(t.Text)+len(t.Before)+len(t.Other) > mostText || t.LineStart < 0 || t.LineEnd < t.LineStart || len(t.Places) > mostParts {
		return engine.ErrUnfit
	}
	out := engine.RankedText{
		Gone: t.Gone, Text: clean(t.Text), Before: clean(t.Before), Other: clean(t.Other), LineStart: t.LineStart, LineEnd: t.LineEnd,
		Heading: name(t.Heading), Columns: name(t.Columns), About: r.about(&t.About), Stale: t.Stale, Secret: t.Secret,
	}
	out.Extracted = t.Extracted
	if t.Locator != nil {
		out.Locator = &engine.Locator{Label: name(t.Locator.Label)}
	}
	if out.Text == t.Text { // otherwise they are places of another text
		last := -1
		for _, p := range t.Places {
			if p.Offset < max(0, last) || p.Offset >= len(t.Text) {
				return engine.ErrUnfit
			}
			last = p.Offset
			out.Places = append(out.Places, engine.LocatorMark{Offset: p.Offset, Locator: engine.Locator{Label: name(p.Label)}})
		}
	}
	*t = out
	return nil
}
