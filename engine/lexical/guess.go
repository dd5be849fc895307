package lexical

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/internal/fold"
)

// Conditions for guessing another word.
const (
	guessFrom = 5 // least letters of a word, for a swap of two
	// guessOnce and guessTwice are the least letters of a stem for one or two to be wrong, missing
	// or added. Too many shorter ones are alike: spend and speed, launch and lunch.
	guessOnce   = 7
	guessTwice  = 9
	guessWeight = 0.8 // of a guess relative to a word that was found
)

// Guess is a term that replaces a word that is in no chunk.
type Guess struct {
	Word string // as the query has it
	Term string // that chunks hold
}

// Guess replaces words of a query that no chunk has, as found of a search tells, by terms of
// similar spelling at less weight. It returns the new query and the guesses, if any. Words of
// one language are guessed in that language, since others resemble them by chance. The first
// letter must be right or swapped with the second.
func (j *Joint) Guess(ctx context.Context, q Query, found []TermStats) (Query, []Guess, error) {
	var guesses []Guess
	for i := range min(len(q), len(found)) {
		if found[i].DF > 0 || !q[i].guessable() {
			continue
		}
		near, err := j.near(ctx, &q[i])
		if err != nil {
			return nil, nil, err
		}
		here, err := j.nearest(ctx, near, q[i].Asked)
		if err != nil {
			return nil, nil, err
		}
		term := mostFrequent(here, j.elsewhere.of(&q[i]).Near)
		if term == "" {
			continue
		}
		if guesses == nil {
			q = slices.Clone(q)
		}
		guesses = append(guesses, Guess{Word: q[i].Word, Term: term})
		q[i] = QueryTerm{Term: term, Word: q[i].Word, Weight: float64(guessWeight * q[i].Weight), Guessed: true}
	}
	return q, guesses, nil
}

// guessable reports whether another word may be meant.
func (t *QueryTerm) guessable() bool { return mayBeMistyped(fold.Lower(t.Word)) }

// mayBeMistyped reports whether a term consists of letters and is long enough to be recognised.
func mayBeMistyped(term string) bool {
	return utf8.RuneCountInString(term) >= guessFrom && !strings.ContainsFunc(term, func(r rune) bool {
		return !unicode.IsLetter(r) || IsDense(r)
	})
}

// near returns terms near in spelling to a form of a word, with their distances.
func (j *Joint) near(ctx context.Context, t *QueryTerm) (near map[string]int, err error) {
	var d distance
	near = map[string]int{}
	for _, term := range correctedForms(t) {
		near[term] = 1
	}
	for _, form := range append([]Form{{t.Term, t.In}}, t.Also...) {
		letters := []rune(form.Term)
		if t.Asked != 0 && form.In != 0 && form.In&t.Asked == 0 {
			continue
		}
		if len(letters) < guessOnce {
			continue
		}
		limit := 1
		if len(letters) >= guessTwice {
			limit = 2
		}
		var other []rune
		for _, prefix := range []string{string(letters[:1]), string([]rune{letters[1], letters[0]})} {
			err := j.eachTerm(ctx, prefix, func(term []byte) {
				if len(term) > utf8.UTFMax*(len(letters)+limit) {
					return
				}
				other = other[:0]
				for i := 0; i < len(term); {
					r, size := utf8.DecodeRune(term[i:])
					other = append(other, r)
					i += size
				}
				if n := d.between(letters, other, limit); n <= limit && mayBeMistyped(string(term)) {
					if old, known := near[string(term)]; !known || n < old {
						near[string(term)] = n
					}
				}
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return near, nil
}

// correctedForms returns the terms of a word with one letter removed or two swapped: a mistake
// in the ending changes more than the stem.
func correctedForms(t *QueryTerm) (terms []string) {
	in := t.Asked
	if in == 0 {
		in = t.In.With(English)
		for _, form := range t.Also {
			in |= form.In
		}
	}
	letters := []rune(fold.Lower(t.Word))
	add := func(word []rune, from int) {
		in.Each(func(l Language) {
			if term, ok := termOf(l, string(word)); ok && utf8.RuneCountInString(term) >= from {
				terms = append(terms, term)
			}
		})
	}
	for i := 1; i < len(letters); i++ {
		add(slices.Delete(slices.Clone(letters), i, i+1), guessOnce-1)
		swapped := slices.Clone(letters)
		swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
		add(swapped, guessFrom-1)
	}
	return terms
}

// nearest returns those of some terms that chunks hold, up to the least distance at which chunks of some languages
// (0: all) hold one.
func (j *Joint) nearest(ctx context.Context, near map[string]int, in Languages) (held []Near, err error) {
	terms := make([]string, 0, len(near))
	for term := range near {
		terms = append(terms, term)
	}
	slices.SortFunc(terms, func(a, b string) int { return cmp.Or(cmp.Compare(near[a], near[b]), cmp.Compare(a, b)) })
	last := -1
	for _, term := range terms {
		if last >= 0 && near[term] > last {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := Near{Term: term, Distance: near[term]}
		for _, p := range j.parts {
			list, err := p.Collection.postings(&cursor{r: p.Reader}, term, nil)
			if err != nil {
				return nil, err
			}
			n.DF += len(list)
			n.Count += len(p.Collection.keepLanguages(list, 0, in))
		}
		if n.Count > 0 {
			last = n.Distance
		}
		if n.DF > 0 {
			held = append(held, n)
		}
	}
	return held, nil
}

// mostFrequent returns the nearest of terms here and elsewhere, and of equally near ones the most frequent; "" if there
// is none.
func mostFrequent(lists ...[]Near) (best string) {
	all := map[string]Near{}
	for _, list := range lists {
		for _, n := range list {
			if old, known := all[n.Term]; known {
				n.Count, n.Distance = n.Count+old.Count, min(n.Distance, old.Distance)
			}
			all[n.Term] = n
		}
	}
	better := func(a, b Near) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Term, b.Term))
	}
	for _, n := range all {
		if n.Count > 0 && (best == "" || better(n, all[best]) < 0) {
			best = n.Term
		}
	}
	return best
}

// distance computes the optimal string alignment distance: letters missing, added, wrong, or
// swapped with their neighbour (Boytsov, Indexing Methods for Approximate Dictionary Searching,
// 2011). Above limit it returns limit+1.
type distance struct{ rows [3][]int }

func (d *distance) between(a, b []rune, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	for i := range d.rows {
		for len(d.rows[i]) <= len(b) {
			d.rows[i] = append(d.rows[i], 0)
		}
	}
	before, last, row := d.rows[0], d.rows[1], d.rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit+1)
}
