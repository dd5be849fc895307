package answer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Embedder gives vectors of meaning.
type Embedder interface {
	// Embed returns one unit vector for each text.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Options make an Extractor.
type Options struct {
	Analyzer Analyzer // needed
	Model    *Model   // nil means DefaultModel
	Embedder Embedder // nil means by words alone
	// Reader, where there is one, marks the answer; Model and Embedder are not
	// asked then.
	Reader Reader
	// Threshold is the support below which the Extractor declines; 0 means the
	// model's own.
	Threshold float64
}

// Extractor answers in the words of the passages. It may be used from several
// goroutines.
type Extractor struct {
	analyzer Analyzer
	model    *Model
	embedder Embedder
	reader   Reader
}

// NewExtractor makes an Extractor; an error means that the model is damaged or
// something needed is missing.
func NewExtractor(o Options) (*Extractor, error) {
	if o.Analyzer == nil {
		return nil, errors.New("extractive answers need an analyzer")
	}
	if o.Model == nil {
		m, err := DefaultModel()
		if err != nil {
			return nil, err
		}
		o.Model = m
	}
	if o.Threshold > 0 {
		m := *o.Model
		m.support.Threshold = float32(o.Threshold)
		o.Model = &m
	}
	return &Extractor{o.Analyzer, o.Model, o.Embedder, o.Reader}, nil
}

// Answer implements Answerer. Errors are those of the reader, of the embedder and
// of ctx.
func (e *Extractor) Answer(ctx context.Context, question string, passages []Passage) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	if e.reader != nil {
		return e.readAnswer(ctx, question, passages)
	}
	return e.shareAnswer(ctx, e.model.read(question, passages, e.analyzer))
}

// shareAnswer answers with what shares most with the question.
func (e *Extractor) shareAnswer(ctx context.Context, r *reading) (Answer, error) {
	cosine, err := e.cosines(ctx, r)
	if err != nil {
		return Answer{}, err
	}
	return e.model.compose(e.model.score(r, cosine)), nil
}

// embeddedParts is how many parts, the best by words, are compared by meaning.
const embeddedParts = 12

// cosines tells how close in meaning the best parts are to the question, above
// the mean; nil without an embedder.
func (e *Extractor) cosines(ctx context.Context, r *reading) ([]float64, error) {
	if e.embedder == nil || len(r.parts) == 0 {
		return nil, nil
	}
	texts, at := []string{r.q.text}, []int(nil)
	for i := range r.parts {
		if p := &r.parts[i]; p.rank < embeddedParts {
			at = append(at, i)
			texts = append(texts, plain(r.passages[p.passage].Text[p.Start:p.End], p.Kind))
		}
	}
	vectors, err := e.embedder.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("compare sentences by meaning: %w", err)
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("compare sentences by meaning: %d vectors for %d texts", len(vectors), len(texts))
	}
	cosine := make([]float64, len(r.parts))
	mean := 0.0
	for k, i := range at {
		for j, v := range vectors[k+1] {
			cosine[i] += float64(v) * float64(vectors[0][j])
		}
		mean += cosine[i] / float64(len(at))
	}
	for _, i := range at {
		cosine[i] -= mean
	}
	return cosine, nil
}

// choice is what an answer is made of.
type choice struct {
	support float64
	parts   []int     // that answer best, in order
	also    []int     // others nearly as good, the best first
	short   *Citation // the answer in short, or nil
}

// compose turns what was scored into an answer.
func (m *Model) compose(s *scored) Answer {
	support := m.support.probability(s.features())
	if s.best < 0 || support < float64(m.support.Threshold) {
		return Answer{Confidence: None, Support: support}.OrDeclined()
	}
	c := choice{support: support, parts: []int{s.best}}
	if s.q.short() && s.short >= 0 {
		short := s.shortCitation()
		c.short = &short
	}
	if !s.q.short() && s.q.kind != asksWhether {
		for i := range s.parts {
			if i != s.best && s.sentence[i] >= alsoShare*s.sentence[s.best] {
				c.also = append(c.also, i)
			}
		}
	}
	return s.compose(c)
}

// compose writes the answer that was chosen.
func (r *reading) compose(c choice) Answer {
	q := quoted{Answer: Answer{Confidence: Sure, Support: c.support, Short: c.short}}
	for _, i := range r.completed(c) {
		cited, kind := r.citation(i), r.parts[i].Kind
		q.add(cited.Text, cited, kind, kind)
	}
	return q.answer()
}

// Bounds of an answer.
const (
	maxSentences = 3
	// alsoShare of the best part's probability is what another sentence needs.
	alsoShare = 0.6
)

// completed gives the parts that make up the answer: the best ones with what
// belongs to them, then others nearly as good.
func (r *reading) completed(c choice) []int {
	first, last := c.parts[0], c.parts[len(c.parts)-1]
	all := c.parts
	if r.refersBack(first) || r.isAnnounced(first) {
		all = append([]int{first - 1}, all...)
	}
	if r.leadsOn(last) {
		all = append(all, last+1)
	}
	for _, i := range c.also {
		if len(all) < maxSentences && r.parts[i].Kind != Heading && !slices.Contains(all, i) {
			all = append(all, i)
		}
	}
	return all
}

// leadsOn says whether a part only announces what follows it: a colon
// before a list or a block of code, a heading, or words before the code that
// a question how to do something is after.
func (r *reading) leadsOn(i int) bool {
	next := i + 1
	if next >= len(r.parts) || r.parts[next].passage != r.parts[i].passage {
		return false
	}
	p, follows := &r.parts[i], &r.parts[next]
	text := r.passages[p.passage].Text[p.Start:p.End]
	return p.Kind == Heading || strings.HasSuffix(text, ":") && follows.Kind != Heading ||
		follows.Kind == Code && p.Kind != Code
}

// isAnnounced says whether a part is code with a sentence before it that tells what
// it does.
func (r *reading) isAnnounced(i int) bool {
	return r.parts[i].Kind == Code && i > 0 && r.parts[i-1].Kind != Heading && r.leadsOn(i-1)
}

// pronouns at its beginning make a sentence lean on the one before.
var pronouns = wordSet("it they he she this these that those its their his her")

// refersBack says whether a part cannot be understood without the one before it.
func (r *reading) refersBack(i int) bool {
	if i == 0 || r.parts[i-1].passage != r.parts[i].passage {
		return false
	}
	p := &r.parts[i]
	return leansOn(r.passages[p.passage].Text, r.parts[i-1].Piece, p.Piece)
}

// leansOn says whether a piece begins with a pronoun for what the one before it, of
// the same block, says.
func leansOn(text string, before, p Piece) bool {
	return p.Kind != Code && before.Block == p.Block && pronouns[strings.ToLower(firstWord(text[p.Start:p.End]))]
}

// citation tells where a part stands.
func (r *reading) citation(i int) Citation {
	p := &r.parts[i]
	return cite(&r.passages[p.passage], p.Range, p.Kind)
}

// shortCitation tells where the best span stands.
func (s *scored) shortCitation() Citation {
	sp := &s.spans[s.short]
	p := &s.parts[sp.part]
	r := Range{p.tokens[sp.first].Start, p.tokens[sp.first+sp.count-1].End}
	return cite(&s.passages[p.passage], r, p.Kind)
}

// cite makes the citation of a range of a passage.
func cite(p *Passage, r Range, k Kind) Citation {
	c := Citation{Number: p.Number, Path: p.Path, Heading: p.Heading, Range: r, Text: plain(p.Text[r.Start:r.End], k)}
	if p.LineStart > 0 {
		c.LineStart = p.LineStart + strings.Count(p.Text[:r.Start], "\n")
		c.LineEnd = c.LineStart + strings.Count(p.Text[r.Start:r.End], "\n")
	}
	return c
}
