package search

import (
	"context"
	"slices"
	"strings"
	"time"

	"dowse/engine"
	"dowse/engine/lexical"
	"dowse/internal/fold"
	"dowse/store"
)

// read is the read stage: it turns the first candidates whose text can be
// read into passages. The next ones stand in for those whose files are gone.
func (v *view) read(ctx context.Context, q *engine.Query, ranked []candidate, want page, rec *recorder) ([]engine.Passage, error) {
	clock := time.Now()
	passages := make([]engine.Passage, 0, min(want.k, len(ranked)))
	lit := v.newHighlighter(q)
	reader := v.newReader()
	fold := folding{page: want, repeats: newRepeats()}
	looked := 0
	for !fold.done && looked < len(ranked) {
		next := ranked[looked:min(looked+fold.missing(), len(ranked))]
		looked += len(next)
		read, err := readInOrder(ctx, reader, lit, next)
		if err != nil {
			return nil, err
		}
		for _, p := range read {
			passages = fold.add(passages, p)
		}
	}
	if err := v.describe(passages); err != nil {
		return nil, err
	}
	drawLine(passages)
	rec.stage("read", clock, looked, len(passages), passageBytes(passages))
	return passages, nil
}

// readInOrder reads candidates by file, so that each file is read once, and
// returns their passages in the order given.
func readInOrder(ctx context.Context, reader *reader, lit highlighter, ranked []candidate) ([]engine.Passage, error) {
	read := make([]*engine.Passage, len(ranked))
	for _, i := range reader.byFile(ranked) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, file, err := reader.chunk(ranked[i].chunk)
		if err != nil {
			return nil, err
		}
		if text == nil || text.stale {
			reader.outdated(file)
		}
		if text != nil {
			read[i] = newPassage(ranked[i], text, file, lit.find(text.body))
		}
	}
	var passages []engine.Passage
	for _, p := range read {
		if p != nil {
			passages = append(passages, *p)
		}
	}
	return passages, nil
}

// byFile gives the places of candidates in the order in which each file is read
// once.
func (v *view) byFile(ranked []candidate) []int {
	order := make([]int, len(ranked))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return v.compareChunks(ranked[a].chunk, ranked[b].chunk) })
	return order
}

func newPassage(c candidate, text *chunkText, file store.File, highlights []engine.Range) *engine.Passage {
	return &engine.Passage{
		Path:         file.Path,
		LineStart:    text.line,
		LineEnd:      text.last,
		Where:        text.where,
		Places:       text.places,
		Heading:      text.heading,
		Columns:      text.columns,
		Text:         text.body,
		Score:        c.score,
		Highlights:   highlights,
		LexicalRank:  c.lexicalRank,
		LexicalScore: c.lexicalScore,
		VectorRank:   c.vectorRank,
		VectorScore:  c.vectorScore,
		RerankScore:  c.rerankScore,
		Relevant:     !c.offTopic,
		Stale:        text.stale,
		Secret:       text.secret,
		FileID:       file.ID,
		ChunkID:      c.chunk,
	}
}

// passageBytes is the text that passages hold.
func passageBytes(passages []engine.Passage) int64 {
	n := 0
	for _, p := range passages {
		n += len(p.Text)
	}
	return int64(n)
}

// highlighter finds what a query asked for in a text.
type highlighter struct {
	analyzer *lexical.Analyzer
	in       lexical.Languages
	terms    map[string]bool
	phrases  []phrase
}

func (v *view) newHighlighter(q *engine.Query) highlighter {
	h := highlighter{analyzer: v.opts.Analyzer, in: v.languages.With(lexical.English), terms: map[string]bool{}}
	for _, t := range h.analyzer.QueryIn(strings.Join(q.Words, " "), h.in) {
		h.terms[t.Term] = true
		for _, form := range t.Also {
			h.terms[form.Term] = true
		}
		if lexical.IsDense([]rune(t.Word)[0]) && characters(t.Word) == 1 {
			h.phrases = append(h.phrases, newPhrase(t.Word)) // texts have it in pairs
		}
	}
	for _, g := range v.guesses {
		h.terms[g.Term] = true
	}
	for _, p := range q.Phrases {
		h.phrases = append(h.phrases, newPhrase(p))
	}
	return h
}

// find returns the ranges of matched words and phrases, ascending, disjoint.
func (h highlighter) find(text string) []engine.Range {
	if len(h.terms) == 0 && len(h.phrases) == 0 {
		return nil
	}
	var found []engine.Range
	for _, w := range h.analyzer.Words(text, h.in) {
		if slices.ContainsFunc(w.Terms, func(form lexical.Form) bool { return h.terms[form.Term] }) {
			found = append(found, engine.Range{Start: w.Start, End: w.End})
		}
	}
	for _, p := range h.phrases {
		found = append(found, p.find(text)...)
	}
	return mergeRanges(found)
}

// written returns a word of the passages, in small letters, that has a term; "" where none
// does.
func (h highlighter) written(term string, passages []engine.Passage) string {
	for _, p := range passages {
		for _, w := range h.analyzer.Words(p.Text, h.in) {
			if slices.ContainsFunc(w.Terms, func(form lexical.Form) bool { return form.Term == term }) {
				return fold.Lower(p.Text[w.Start:w.End])
			}
		}
	}
	return ""
}

// mergeRanges sorts ranges and joins those that overlap.
func mergeRanges(ranges []engine.Range) []engine.Range {
	slices.SortFunc(ranges, func(a, b engine.Range) int { return a.Start - b.Start })
	merged := ranges[:0]
	for _, r := range ranges {
		if n := len(merged); n > 0 && r.Start < merged[n-1].End {
			merged[n-1].End = max(merged[n-1].End, r.End)
			continue
		}
		merged = append(merged, r)
	}
	return merged
}
