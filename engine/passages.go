package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dowse/engine/lexical"
	"dowse/store"
)

// read turns candidates into passages. A chunk whose file is gone is left out.
func (v *view) read(ctx context.Context, q *Query, ranked []candidate) ([]Passage, error) {
	passages := make([]Passage, 0, len(ranked))
	wanted := v.newHighlighter(q)
	reader := v.newReader()
	for _, c := range ranked {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, file, err := reader.chunk(c.chunk)
		if err != nil {
			return nil, err
		}
		if text == nil {
			continue
		}
		passages = append(passages, Passage{
			Rank:         len(passages) + 1,
			Path:         file.Path,
			LineStart:    text.line,
			LineEnd:      text.last,
			Heading:      text.heading,
			Text:         text.body,
			Score:        c.score,
			Highlights:   wanted.find(text.body),
			LexicalRank:  c.lexicalRank,
			LexicalScore: c.lexicalScore,
			VectorRank:   c.vectorRank,
			VectorScore:  c.vectorScore,
			Stale:        text.stale,
			FileID:       file.ID,
			ChunkID:      c.chunk,
		})
	}
	return passages, nil
}

// passageBytes is the text that passages hold.
func passageBytes(passages []Passage) int64 {
	n := 0
	for _, p := range passages {
		n += len(p.Text)
	}
	return int64(n)
}

// highlighter finds what a query asked for in a text.
type highlighter struct {
	analyzer *lexical.Analyzer
	terms    map[string]bool
	phrases  []phrase
}

func (v *view) newHighlighter(q *Query) highlighter {
	h := highlighter{analyzer: v.opts.Analyzer, terms: map[string]bool{}}
	for _, term := range h.analyzer.Query(strings.Join(q.Words, " ")).Terms() {
		h.terms[term] = true
	}
	for _, p := range q.Phrases {
		h.phrases = append(h.phrases, newPhrase(p))
	}
	return h
}

// find returns the ranges of matched words and phrases, ascending, disjoint.
func (h highlighter) find(text string) []Range {
	var found []Range
	for _, t := range h.analyzer.Tokens(text) {
		if h.terms[t.Term] {
			found = append(found, Range{t.Start, t.End})
		}
	}
	for _, p := range h.phrases {
		found = append(found, p.find(text)...)
	}
	return mergeRanges(found)
}

// mergeRanges sorts ranges and joins those that overlap.
func mergeRanges(ranges []Range) []Range {
	slices.SortFunc(ranges, func(a, b Range) int { return a.Start - b.Start })
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

// ErrFileGone says that the file of a passage cannot be read any more.
var ErrFileGone = errors.New("the file is gone or cannot be read")

// Preview implements Searcher. Lines are those of the extracted text; for a
// file that is indexed as it is, those are the lines of the file.
func (e *Engine) Preview(ctx context.Context, p Passage, before, after int) (*Preview, error) {
	if err := e.mayRead(p.Path); err != nil {
		return nil, err
	}
	text, err := e.opts.Texts.Text(p.Path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFileGone, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return previewOf(text, p, before, after), nil
}

// mayRead refuses paths that are not in the index: a client of the socket may
// read what was indexed through it, and nothing else.
func (e *Engine) mayRead(path string) error {
	return e.opts.Store.View(func(tx *store.Tx) error {
		_, err := tx.FileByPath(path)
		if errors.Is(err, store.ErrNotFound) {
			return ErrFileGone
		}
		return err
	})
}

// previewOf cuts the lines around a passage out of a text.
func previewOf(text *Text, p Passage, before, after int) *Preview {
	lines := strings.Split(strings.TrimSuffix(text.Body, "\n"), "\n")
	first, last := lineRange(text, p, len(lines))
	from := max(0, first-max(before, 0))
	to := min(len(lines), last+1+max(after, 0))
	out := &Preview{
		Path:      p.Path,
		FirstLine: from + 1,
		LineStart: first + 1,
		LineEnd:   last + 1,
		LineTotal: len(lines),
	}
	for _, line := range lines[from:to] {
		out.Lines = append(out.Lines, strings.TrimSuffix(line, "\r"))
	}
	return out
}

// lineRange finds the passage in the text as it reads now and returns its
// first and last line there, from 0. A passage that is not found keeps its
// line numbers, as far as the text has them.
func lineRange(text *Text, p Passage, lines int) (first, last int) {
	first, last = p.LineStart-1, p.LineEnd-1
	if at := nearestIndex(text, p); at >= 0 {
		first = strings.Count(text.Body[:at], "\n")
		last = first + strings.Count(strings.TrimRight(p.Text, "\n"), "\n")
	}
	first = max(0, min(first, lines-1))
	return first, max(first, min(last, lines-1))
}

// nearestIndex is where the passage's text stands in the file's text: of
// several places, the one whose source line is nearest; -1 if none.
func nearestIndex(text *Text, p Passage) int {
	best, distance := -1, 0
	for from := 0; p.Text != "" && from < len(text.Body); {
		i := strings.Index(text.Body[from:], p.Text)
		if i < 0 {
			break
		}
		at := from + i
		d := text.Line(at) - p.LineStart
		if d < 0 {
			d = -d
		}
		if best < 0 || d < distance {
			best, distance = at, d
		}
		from = at + 1
	}
	return best
}
