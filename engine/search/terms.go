package search

import (
	"context"
	"fmt"
	"strings"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/store"
)

// languages returns those of the index: a query is analysed in each of them.
func (l *look) languages(ctx context.Context, tx *store.Tx) (lexical.Languages, error) {
	if l.view.languages == 0 {
		in, err := l.view.snap.collection.Languages(ctx, tx.Postings())
		if err != nil {
			return 0, err
		}
		l.view.languages = in
	}
	return l.view.languages, nil
}

// wordsAsked are what BM25 is asked. A search by meaning alone reads no postings, which
// may be damaged.
func (l *look) wordsAsked(ctx context.Context, tx *store.Tx) (lexical.Query, error) {
	in := lexical.OnlyEnglish
	if l.mode != engine.Vector {
		var err error
		if in, err = l.languages(ctx, tx); err != nil {
			return nil, err
		}
	}
	l.q.analyse(l.opts.Analyzer, in)
	if err := l.weighEarlier(ctx, tx); err != nil {
		return nil, err
	}
	own := l.opts.Analyzer.QueryIn(l.q.Text(), in)
	l.own = len(own)
	return l.q.words(own), nil
}

// searchWords ranks chunks by words. Where no chunk holds a word of the query, one that
// is spelt like it takes its place, but not while the person types. It returns the words
// that were looked for.
func (l *look) searchWords(ctx context.Context, tx *store.Tx, words lexical.Query, depth int) (lexical.Query, error) {
	c, postings := l.view.snap.collection, tx.Postings()
	words, err := c.Expand(ctx, postings, words)
	if err != nil {
		return nil, err
	}
	search := func() error {
		l.words, err = c.Search(ctx, postings, words, depth, l.left.allow)
		return err
	}
	if search() != nil || l.req.Estimate {
		return words, err
	}
	respelled, guesses, err := c.Guess(ctx, postings, words, l.words.Terms[:l.own])
	l.view.guesses = guesses
	if err != nil || len(guesses) == 0 {
		return words, err
	}
	words = respelled
	return words, search()
}

// respellings say for which words others were looked for, in the spelling that the
// passages have; where none of them has it, as the term.
func (v *view) respellings(q *engine.Query, passages []engine.Passage) []engine.Respelling {
	var told []engine.Respelling
	lit := v.newHighlighter(q)
	for _, g := range v.guesses {
		as := g.Term
		if written := lit.written(g.Term, passages); written != "" {
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
