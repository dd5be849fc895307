package answer

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
)

// SpanReader points at answers: a model that reads a question and a passage
// together.
type SpanReader interface {
	// ReadSpans reads the question with each of the passages.
	ReadSpans(ctx context.Context, question string, passages []string) (*SpanReading, error)
}

// SpanReading is what a SpanReader makes of some passages.
type SpanReading struct {
	Passages []SpanLogits
	// DeclineFrom is the probability of there being no answer from which none
	// is given.
	DeclineFrom float64
}

// SpanLogits are what a SpanReader makes of a passage.
type SpanLogits struct {
	Tokens     []Range   // bytes of the passage that each token read stands for
	Start, End []float32 // logits that the answer begins, and ends, with each token
	None       [2]float32
}

// longestSpan bounds an answer, in tokens of a SpanReader.
const longestSpan = 48

// pointed is a run of bytes of a part that a SpanReader points at.
type pointed struct {
	part int
	Range
	score float64 // the sum of the logits of both ends
}

// best finds the span with the greatest sum of logits that lies in a range of
// the passage; ok is false where no token does.
func (l *SpanLogits) best(within Range) (found Range, score float64, ok bool) {
	first := sort.Search(len(l.Tokens), func(i int) bool { return l.Tokens[i].Start >= within.Start })
	score = math.Inf(-1)
	for i := first; i < len(l.Tokens) && l.Tokens[i].End <= within.End; i++ {
		for j := i; j < min(i+longestSpan, len(l.Tokens)) && l.Tokens[j].End <= within.End; j++ {
			if s := float64(l.Start[i]) + float64(l.End[j]); s > score {
				found, score, ok = Range{l.Tokens[i].Start, l.Tokens[j].End}, s, true
			}
		}
	}
	return found, score, ok
}

// drop leaves out the tokens of the first n bytes, which are not the passage's
// own, and counts from there.
func (l *SpanLogits) drop(n int) {
	first := sort.Search(len(l.Tokens), func(i int) bool { return l.Tokens[i].Start >= n })
	l.Tokens, l.Start, l.End = l.Tokens[first:], l.Start[first:], l.End[first:]
	for i := range l.Tokens {
		l.Tokens[i].Start -= n
		l.Tokens[i].End -= n
	}
}

// pointing is what a reader makes of a reading.
type pointing struct {
	spans  []pointed // the best of each part, in their order
	margin float64   // of the best one over there being none, in logits
	from   float64   // the probability of none from which to decline
}

// point lets the reader read the question with each passage, below its heading.
func (e *Extractor) point(ctx context.Context, r *reading) (*pointing, error) {
	texts, before := make([]string, len(r.passages)), make([]int, len(r.passages))
	for i, p := range r.passages {
		if p.Heading != "" {
			texts[i] = p.Heading + "\n"
			before[i] = len(texts[i])
		}
		texts[i] += p.Text
	}
	read, err := e.reader.ReadSpans(ctx, r.q.text, texts)
	if err != nil {
		return nil, fmt.Errorf("look for the answer: %w", err)
	}
	if len(read.Passages) != len(texts) {
		return nil, fmt.Errorf("look for the answer: %d results for %d passages", len(read.Passages), len(texts))
	}
	none := [2]float64{}
	for i := range read.Passages {
		l := &read.Passages[i]
		l.drop(before[i])
		for side := range none {
			none[side] += math.Exp(float64(l.None[side]))
		}
	}
	found, top := &pointing{from: read.DeclineFrom}, math.Inf(-1)
	for i := range r.parts {
		p := &r.parts[i]
		if at, score, ok := read.Passages[p.passage].best(p.Range); ok {
			found.spans = append(found.spans, pointed{i, at, score})
			top = max(top, score)
		}
	}
	found.margin = top - math.Log(none[0]) - math.Log(none[1])
	return found, nil
}

// wordsWeight is what the logarithm of a part's probability by shared words adds to
// the logits of a reader: two experts are multiplied.
const wordsWeight = 1

// readAnswer answers with what the reader points at. Where that is nothing, how to
// do something is still looked for by shared words and by meaning: people's notes
// show it under a heading, without a sentence that says so.
func (e *Extractor) readAnswer(ctx context.Context, r *reading) (Answer, error) {
	found, err := e.point(ctx, r)
	if err != nil {
		return Answer{}, err
	}
	support := 1 / (1 + math.Exp(-found.margin))
	if len(found.spans) == 0 || 1-support >= found.from {
		if r.q.kind == asksToDo {
			return e.shareAnswer(ctx, r)
		}
		return Answer{Text: DeclinedText, Declined: true, Support: support}, nil
	}
	s := e.model.score(r, nil)
	for i := range found.spans {
		found.spans[i].score += wordsWeight * math.Log(max(s.sentence[found.spans[i].part], 1e-9))
	}
	slices.SortStableFunc(found.spans, func(a, b pointed) int { return cmp.Compare(b.score, a.score) })
	top := found.spans[0]
	c := choice{support: support, parts: []int{top.part}}
	if p := &r.parts[top.part]; isShort(p, top) {
		short := cite(&r.passages[p.passage], top.Range, Prose)
		c.short = &short
		return r.compose(c), nil
	}
	for _, other := range found.spans[1:] {
		if other.score >= top.score+math.Log(alsoShare) {
			c.also = append(c.also, other.part)
		}
	}
	return r.compose(c), nil
}

// shortShare of its sentence is what a short answer has at most.
const shortShare = 0.7

// isShort says whether a span is an answer in short, and not most of its sentence.
func isShort(p *part, s pointed) bool {
	return p.Kind != Code && float64(s.End-s.Start) <= shortShare*float64(p.End-p.Start)
}
