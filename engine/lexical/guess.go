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

// What a word has to be for another to be guessed in its place.
const (
	// guessFrom is how many letters it has at least: then two may be swapped.
	guessFrom = 5
	// guessOnce is how many letters a stem has at least for one of them to be wrong, missing or
	// too many, guessTwice how many it has for two. Of shorter ones too many are spelt alike:
	// spend and speed, launch and lunch.
	guessOnce  = 7
	guessTwice = 9
	// guessWeight is what a guess counts beside a word that was asked for.
	guessWeight = 0.8
)

// Guess is a term that stands for a word of a query which no chunk holds.
type Guess struct {
	Word string // as the query has it
	Term string // that chunks hold
}

// Guess is Joint.Guess in one collection.
func (c *Collection) Guess(ctx context.Context, r Reader, q Query, found []TermStats) (Query, []Guess, error) {
	return NewJoint(Part{c, r}).Guess(ctx, q, found)
}

// Guess looks for terms that are spelt like those words of a query that no chunk holds,
// by found, which a search gave. It returns the query with them, each at less weight, and
// what was guessed; nothing where there is nothing to guess. What is asked in one language
// is guessed in that: in others, words are spelt alike by chance. The first letter of a
// word counts as right, unless it was swapped with the second.
func (j *Joint) Guess(ctx context.Context, q Query, found []TermStats) (Query, []Guess, error) {
	var guesses []Guess
	for i := range min(len(q), len(found)) {
		if found[i].DF > 0 || !mayBeMistyped(fold.Lower(q[i].Word)) {
			continue
		}
		term, err := j.nearest(ctx, &q[i])
		if err != nil {
			return nil, nil, err
		}
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

// mayBeMistyped reports whether a term is a word of letters, long enough to tell what it
// was meant to be.
func mayBeMistyped(term string) bool {
	return utf8.RuneCountInString(term) >= guessFrom && !strings.ContainsFunc(term, func(r rune) bool {
		return !unicode.IsLetter(r) || IsDense(r)
	})
}

// nearest returns the term that is spelt most like one of the forms of a word, of several
// the one that most chunks hold; "" if there is none.
func (j *Joint) nearest(ctx context.Context, t *QueryTerm) (best string, err error) {
	var d distance
	near := map[string]int{} // distances
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
				return "", err
			}
		}
	}
	return j.mostFrequent(ctx, near, t.Asked)
}

// correctedForms returns the terms of a word without one of its letters, or with two of
// them swapped: a mistake in its ending is none in its stem alone.
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

// mostFrequent returns the nearest of some terms that live chunks in some languages hold, 0
// for all, of those the most frequent.
func (j *Joint) mostFrequent(ctx context.Context, near map[string]int, in Languages) (best string, err error) {
	terms := make([]string, 0, len(near))
	for term := range near {
		terms = append(terms, term)
	}
	slices.SortFunc(terms, func(a, b string) int { return cmp.Or(cmp.Compare(near[a], near[b]), cmp.Compare(a, b)) })
	most := 0
	for _, term := range terms {
		if best != "" && near[term] > near[best] {
			break
		}
		if err := ctx.Err(); err != nil {
			return "", err
		}
		n := 0
		for _, p := range j.parts {
			list, err := p.Collection.postings(&cursor{r: p.Reader}, term, nil)
			if err != nil {
				return "", err
			}
			n += len(p.Collection.keepLanguages(list, 0, in))
		}
		if n > most {
			best, most = term, n
		}
	}
	return best, nil
}
