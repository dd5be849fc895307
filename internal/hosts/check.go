package hosts

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/engine"
)

// Bounds of what a machine may send, above what any dowse sends.
const (
	mostText  = 1 << 20 // bytes of a passage
	mostName  = 4 << 10 // of a path, a heading or a title
	mostParts = 1000    // highlights, places, tags of one passage
)

// clean is a text of another machine without control characters and what changes the order of others.
func clean(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || !unicode.IsControl(r) && !unicode.Is(unicode.Bidi_Control, r) {
			return r
		}
		return -1
	}, text)
}

// name is clean for a text of one line.
func name(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, clean(text))
	if len(text) > mostName {
		text = strings.ToValidUTF8(text[:mostName], "")
	}
	return text
}

// at is a path of the machine as results have it here.
func (h *host) at(of string) string { return h.name + ":" + there(of) }

// there is a path of another machine that can be shown.
func there(of string) string { return path.Clean("/" + name(of)) }

// check makes a result of the machine one that can be shown, or refuses it.
func (h *host) check(r *engine.Result, req *engine.Request) error {
	if len(r.Passages) > 4*wanted(req.K)+mostParts || len(r.Respelled) > mostParts || len(r.Stats.Away) > mostParts {
		return engine.ErrUnfit
	}
	checked := engine.Result{Query: req.Query, Passages: []engine.Passage{}}
	for n := range r.Passages {
		p, err := h.passage(&r.Passages[n], n+1)
		if err != nil {
			return err
		}
		checked.Passages = append(checked.Passages, p)
	}
	for _, w := range r.Respelled {
		checked.Respelled = append(checked.Respelled, engine.Respelling{Word: name(w.Word), As: name(w.As)})
	}
	s := r.Stats
	checked.Stats = engine.Stats{
		Files: max(0, s.Files), Chunks: max(0, s.Chunks), Unmatched: name(s.Unmatched), Millis: max(0, s.Millis), Warm: s.Warm,
		Damage: name(s.Damage), ByWords: name(s.ByWords), Coming: name(s.Coming), Stages: []engine.StageStats{},
	}
	for _, away := range s.Away {
		checked.Stats.Away = append(checked.Stats.Away, h.name+": "+name(away))
	}
	*r = checked
	return nil
}

// passage is one of them.
func (h *host) passage(p *engine.Passage, rank int) (out engine.Passage, err error) {
	if len(p.Text) > mostText || len(p.Highlights) > mostParts || len(p.Tags) > mostParts || p.LineStart < 0 || p.LineEnd < p.LineStart || p.Path == "" {
		return out, engine.ErrUnfit
	}
	out = engine.Passage{
		Rank: rank, Path: h.at(p.Path), LineStart: p.LineStart, LineEnd: p.LineEnd, Heading: name(p.Heading), Text: clean(p.Text),
		Score: p.Score, LexicalRank: max(0, p.LexicalRank), LexicalScore: p.LexicalScore, VectorRank: max(0, p.VectorRank), VectorScore: p.VectorScore,
		RerankScore: p.RerankScore, Relevant: p.Relevant, Stale: p.Stale, Modified: p.Modified, Secret: p.Secret,
	}
	if p.SimilarTo > 0 && p.SimilarTo < rank {
		out.SimilarTo = p.SimilarTo
	}
	out.Extracted, out.About = p.Extracted, h.about(&p.About)
	if p.Locator != nil {
		out.Locator = &engine.Locator{Label: name(p.Locator.Label)}
	}
	if out.Text == p.Text { // otherwise they are places of another text
		for _, r := range p.Highlights {
			if r.Start < 0 || r.End <= r.Start || r.End > len(p.Text) || !utf8.RuneStart(p.Text[r.Start]) {
				return out, engine.ErrUnfit
			}
		}
		if !slices.IsSortedFunc(p.Highlights, func(a, b engine.Range) int { return a.Start - b.Start }) {
			return out, engine.ErrUnfit
		}
		out.Highlights = p.Highlights
	}
	return out, nil
}

// checkedText makes a text of the machine one that can be shown, or refuses it.
func (h *host) checkedText(t *engine.FileText, req *engine.ReadRequest) (*engine.FileText, error) {
	if t.LineStart < 0 || t.LineEnd < 0 || t.Next < 0 || t.End < t.Next || t.Size < 0 || len(t.Places) > mostParts*mostParts || req.Bytes > 0 && len(t.Text) > req.Bytes+mostText {
		return nil, h.named(engine.ErrUnfit)
	}
	out := &engine.FileText{Path: h.at(t.Path), LineStart: t.LineStart, LineEnd: t.LineEnd, Text: clean(t.Text), Secret: t.Secret, Next: t.Next, End: t.End, Size: t.Size}
	out.Extracted, out.About = t.Extracted, h.about(&t.About)
	return out, nil
}

// about is what a document says of itself.
func (h *host) about(a *engine.About) engine.About {
	list := func(all []string) (out []string) {
		for _, text := range all[:min(len(all), mostParts)] {
			out = append(out, name(text))
		}
		return out
	}
	return engine.About{Title: name(a.Title), Authors: list(a.Authors), To: list(a.To), Tags: list(a.Tags), Date: a.Date, Format: name(a.Format)}
}
