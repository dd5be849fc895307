package search

import (
	"context"
	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/engine/search/passage"
	"dowse/engine/search/snapshot"
	"dowse/store"
	"fmt"
	"strings"
	"time"
)

// Step find by words: BM25 over what the filters leave, of all indexes together.

// findWords ranks chunks by words, unless the search goes by meaning alone. It returns the words
// that were looked for, and the chunks that hold some.
func (l *retrieval) findWords(ctx context.Context, txs []*store.Tx) (words lexical.Query, chunks []uint32, err error) {
	if words, err = l.wordsAsked(ctx, txs); err != nil || l.mode == engine.Vector || len(l.wanted) > 0 {
		return words, nil, err
	}
	clock := time.Now()
	if words, err = l.searchWords(ctx, txs, words, max(l.how.depth, l.how.deepest)); err != nil || len(l.wanted) > 0 {
		return nil, nil, err
	}
	l.looked = words
	l.wordsTime = time.Since(clock)
	for _, h := range l.words.Hits {
		chunks = append(chunks, h.Chunk)
	}
	if l.how.deepest > 0 {
		l.deeper = l.words
		l.words.Hits = l.words.Hits[:min(l.how.depth, len(l.words.Hits))]
	}
	return words, chunks, nil
}

// wordsAsked are what BM25 is asked. A search by meaning alone reads no postings, which
// may be damaged.
func (l *retrieval) wordsAsked(ctx context.Context, txs []*store.Tx) (lexical.Query, error) {
	in := lexical.OnlyEnglish
	if l.mode != engine.Vector {
		if err := l.languages(ctx, txs); err != nil {
			return nil, err
		}
		in = l.in
	}
	if l.given != nil {
		l.own = l.given.own
		return l.given.words, nil
	}
	l.q.analyse(l.opts.Analyzer, in)
	if l.mode != engine.Vector && l.uncounted(l.terms()) {
		return nil, nil
	}
	if err := l.weighEarlier(ctx, txs); err != nil {
		return nil, err
	}
	own := l.opts.Analyzer.QueryIn(l.q.Text(), in)
	if len(own) == 0 && len(l.q.earlier) == 0 {
		own = l.opts.Analyzer.MinorQuery(l.q.Text(), in)
	}
	l.own = len(own)
	return l.q.words(own), nil
}

// languages finds out those of all parts: a query is analysed in each of them.
func (l *retrieval) languages(ctx context.Context, txs []*store.Tx) error {
	if l.in != 0 {
		return nil
	}
	in, err := l.joint(txs).Languages(ctx)
	if err != nil {
		return err
	}
	l.in = in
	for _, p := range l.indexes {
		p.commit.Languages = in
	}
	return nil
}

// joint are the words of all parts.
func (l *retrieval) joint(txs []*store.Tx) *lexical.Joint {
	parts := make([]lexical.Part, len(l.indexes))
	for i, p := range l.indexes {
		parts[i] = lexical.Part{Collection: p.commit.Snap.Collection, Reader: txs[i].Postings()}
	}
	own := lexical.NewJoint(parts...)
	switch {
	case l.given != nil:
		return own.With(l.given.rest)
	case len(l.machines) > 0:
		l.ownChunks, l.ownLength = own.Chunks(), own.Length()
		return own.With(l.counted(nil))
	}
	return own
}

// searchWords ranks chunks by words. Where no chunk holds a word of the query, one that
// is spelt like it takes its place, but not while the person types. It returns the words
// that were looked for.
func (l *retrieval) searchWords(ctx context.Context, txs []*store.Tx, words lexical.Query, depth int) (lexical.Query, error) {
	c := l.joint(txs)
	if l.given == nil {
		var err error
		if words, err = c.Expand(ctx, words); err != nil || l.uncounted(words) {
			return nil, err
		}
	}
	var err error
	search := func() error {
		l.words, err = l.searchApart(ctx, c, words, depth)
		return err
	}
	if search() != nil || l.req.Estimate || l.given != nil {
		return words, err
	}
	respelled, guesses, err := c.Guess(ctx, words, l.words.Terms[:l.own])
	l.guesses = guesses
	if err != nil || len(guesses) == 0 {
		return words, err
	}
	words = respelled
	return words, search()
}

// allowed are the chunks of each part that the filters leave.
func (l *retrieval) allowed() []*lexical.Set {
	allowed := make([]*lexical.Set, len(l.indexes))
	for i, p := range l.indexes {
		allowed[i] = p.left.Allow
	}
	return allowed
}

// searchJointly is a search of all parts, with the ids that chunks have among those of all.
func (l *retrieval) searchJointly(ctx context.Context, c *lexical.Joint, words lexical.Query, depth int, allowed []*lexical.Set) (lexical.Result, error) {
	found, err := c.Search(ctx, words, depth, allowed)
	if l.several() {
		for i, h := range found.Hits {
			found.Hits[i].Chunk = snapshot.JointID(h.Part, h.Chunk)
		}
	}
	return found, err
}

// respellings say for which words others were looked for, in the spelling that the
// passages have; where none of them has it, as the term.
func respellings(commit *passage.Commit, q *engine.Query, passages []engine.Passage) []engine.Respelling {
	var told []engine.Respelling
	lit := commit.Highlighter(q)
	for _, g := range commit.Guesses {
		as := g.Term
		if written := lit.Written(g.Term, passages); written != "" {
			as = written
		}
		told = append(told, engine.Respelling{Word: g.Word, As: as})
	}
	return told
}

// respelledText says what was looked for in the place of what.
func respelledText(list []engine.Respelling) string {
	words, others := make([]string, len(list)), make([]string, len(list))
	for i, r := range list {
		words[i], others[i] = fmt.Sprintf("%q", r.Word), fmt.Sprintf("%q", r.As)
	}
	return fmt.Sprintf("nothing holds %s; also searched for %s in its place", strings.Join(words, ", "), strings.Join(others, ", "))
}
