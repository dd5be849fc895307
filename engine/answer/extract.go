package answer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
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
	return &Extractor{o.Analyzer, o.Model, o.Embedder}, nil
}

// Answer implements Answerer. Errors are those of the embedder and of ctx.
func (e *Extractor) Answer(ctx context.Context, question string, passages []Passage) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	r := e.model.read(question, passages, e.analyzer)
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

// compose turns what was scored into an answer.
func (m *Model) compose(s *scored) Answer {
	support := m.support.probability(s.features())
	if s.best < 0 || support < float64(m.support.Threshold) {
		return Answer{Text: DeclinedText, Declined: true, Support: support}
	}
	a := Answer{Support: support}
	if s.q.short() && s.short >= 0 {
		short := s.shortCitation()
		a.Short = &short
	}
	var text strings.Builder
	for _, i := range s.chosen() {
		c := s.citation(i)
		if text.Len() > 0 {
			text.WriteString(separator(s.parts[i].Kind))
		}
		start := text.Len()
		text.WriteString(c.Text)
		mark := " [" + strconv.Itoa(c.Number) + "]"
		if s.parts[i].Kind == Code {
			mark = "\n" + mark[1:]
		}
		text.WriteString(mark)
		a.Sentences = append(a.Sentences, Sentence{Range: Range{start, text.Len()}, Citations: []int{c.Number}})
		a.Citations = append(a.Citations, c)
	}
	a.Text = text.String()
	return a
}

func separator(k Kind) string {
	if k == Prose {
		return " "
	}
	return "\n"
}

// Bounds of an answer.
const (
	maxSentences = 3
	// alsoShare of the best part's probability is what another sentence needs.
	alsoShare = 0.6
)

// chosen gives the parts that make up the answer: the best one with what
// belongs to it, then others nearly as good.
func (s *scored) chosen() []int {
	chosen := []int{s.best}
	if before := s.best - 1; s.refersBack(before) {
		chosen = []int{before, s.best}
	}
	if next := s.best + 1; s.leadsOn(next) {
		chosen = append(chosen, next)
	}
	if s.q.short() || s.q.kind == asksWhether {
		return chosen
	}
	for i := range s.parts {
		if len(chosen) < maxSentences && i != s.best && s.parts[i].Kind != Heading &&
			s.sentence[i] >= alsoShare*s.sentence[s.best] && !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// leadsOn says whether the best part only announces what follows it: a colon
// before a list or a block of code, a heading, or words before the code that
// a question how to do something is after.
func (s *scored) leadsOn(next int) bool {
	if next >= len(s.parts) || s.parts[next].passage != s.parts[s.best].passage {
		return false
	}
	best, follows := &s.parts[s.best], &s.parts[next]
	text := s.passages[best.passage].Text[best.Start:best.End]
	return best.Kind == Heading || strings.HasSuffix(text, ":") && follows.Kind != Heading ||
		follows.Kind == Code && best.Kind != Code
}

// pronouns at its beginning make a sentence lean on the one before.
var pronouns = wordSet("it they he she this these that those its their his her")

// refersBack says whether the best part cannot be understood without the one
// before it.
func (s *scored) refersBack(before int) bool {
	best := &s.parts[s.best]
	if before < 0 || best.Kind == Code || s.parts[before].Block != best.Block || s.parts[before].passage != best.passage {
		return false
	}
	return pronouns[strings.ToLower(firstWord(s.passages[best.passage].Text[best.Start:best.End]))]
}

// citation tells where a part stands.
func (s *scored) citation(i int) Citation {
	p := &s.parts[i]
	return cite(&s.passages[p.passage], p.Range, p.Kind)
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
