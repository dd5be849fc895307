package search

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"dowse/engine"
	"dowse/engine/lexical"
)

// What machines count of the words of a search before any of them ranks.

// keyOf names a term as far as counts follow from it.
func keyOf(t lexical.QueryTerm) string {
	t.Weight = 0
	key, _ := json.Marshal(t)
	return string(key)
}

// of is what the machine has of a term.
func (m *machine) of(t *lexical.QueryTerm) lexical.Count {
	if c, known := m.counts[keyOf(*t)]; known || !t.Guessed {
		return c
	}
	for _, c := range m.counts {
		for _, n := range c.Near {
			if n.Term == t.Term {
				return lexical.Count{DF: n.DF}
			}
		}
	}
	return lexical.Count{}
}

// counted are all machines but one as BM25 counts them; but may be nil.
func (l *retrieval) counted(but *machine) (all lexical.Elsewhere) {
	var counted []*machine
	for _, m := range l.machines {
		if m == but {
			continue
		}
		counted = append(counted, m)
		all.Chunks, all.Length, all.Languages = all.Chunks+m.chunks, all.Length+m.length, all.Languages|m.in
	}
	all.Of = func(t *lexical.QueryTerm) (sum lexical.Count) {
		for _, m := range counted {
			c := m.of(t)
			sum.DF += c.DF
			sum.Near, sum.Longer = append(sum.Near, c.Near...), append(sum.Longer, c.Longer...)
		}
		return sum
	}
	return all
}

// uncounted reports whether a machine has not counted some terms yet, and notes them.
func (l *retrieval) uncounted(q lexical.Query) bool {
	known := map[string]bool{}
	for _, t := range q {
		key := keyOf(t)
		if known[key] || t.Guessed {
			continue
		}
		known[key] = true
		if slices.ContainsFunc(l.machines, func(m *machine) bool { _, is := m.counts[key]; return !is }) {
			l.wanted = append(l.wanted, t)
		}
	}
	return len(l.wanted) > 0
}

// terms are all words of which a search may need to know how rare they are.
func (l *retrieval) terms() lexical.Query {
	a, in, text := l.opts.Analyzer, l.in, l.q.Text()
	all := a.QueryIn(text, in)
	if len(all) == 0 {
		all = a.MinorQuery(text, in)
	}
	for _, e := range l.q.earlier {
		for _, t := range []string{strings.Join(telling(text), " "), e.text, e.reply} {
			all = append(all, a.QueryIn(t, in)...)
		}
		text = e.text
	}
	return all
}

// count has the machines count what is wanted.
func (l *retrieval) count(ctx context.Context) error {
	wanted, before := l.wanted, l.counted(nil).Languages
	l.wanted = nil
	req := engine.CountRequest{Terms: sendTerms(wanted)}
	err := l.each(ctx, func(m *machine) error {
		counts, err := m.Count(ctx, req)
		if err != nil {
			return err
		}
		if len(counts.Terms) != len(wanted) {
			return engine.ErrUnfit
		}
		m.chunks, m.length, m.in = counts.Chunks, counts.Length, lexical.Languages(counts.Languages)
		for i, c := range counts.Terms {
			got := lexical.Count{DF: c.DF, Longer: c.Longer}
			for _, n := range c.Near {
				got.Near = append(got.Near, lexical.Near(n))
			}
			m.counts[keyOf(wanted[i])] = got
		}
		return nil
	})
	if l.counted(nil).Languages != before {
		l.in = 0 // the query is to be analysed in others
	}
	return err
}

// sendTerms are words as another machine gets them.
func sendTerms(q lexical.Query) []engine.RankTerm {
	forms := func(list []lexical.Form) (out []engine.RankForm) {
		for _, f := range list {
			out = append(out, engine.RankForm{Term: f.Term, In: uint32(f.In)})
		}
		return out
	}
	out := make([]engine.RankTerm, len(q))
	for i, t := range q {
		out[i] = engine.RankTerm{
			Term: t.Term, Weight: t.Weight, In: uint32(t.In), Also: forms(t.Also), Exact: forms(t.Exact), Word: t.Word,
			Asked: uint32(t.Asked), Guessed: t.Guessed,
		}
	}
	return out
}

// sentTerms is the inverse of sendTerms.
func sentTerms(list []engine.RankTerm) lexical.Query {
	forms := func(list []engine.RankForm) (out []lexical.Form) {
		for _, f := range list {
			out = append(out, lexical.Form{Term: f.Term, In: lexical.Languages(f.In)})
		}
		return out
	}
	out := make(lexical.Query, len(list))
	for i, t := range list {
		out[i] = lexical.QueryTerm{
			Term: t.Term, Weight: t.Weight, In: lexical.Languages(t.In), Also: forms(t.Also), Exact: forms(t.Exact), Word: t.Word,
			Asked: lexical.Languages(t.Asked), Guessed: t.Guessed,
		}
	}
	return out
}
