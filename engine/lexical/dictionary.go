package lexical

import (
	"context"
	"maps"
	"slices"
	"strings"
)

// eachTerm calls fn with the terms of a prefix in all segments, once for each segment; term is
// valid until fn returns.
func (c *Collection) eachTerm(ctx context.Context, r Reader, prefix string, fn func(term []byte)) error {
	for i := range c.segments {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := &c.segments[i]
		at := newCursor(r, s.id, s.chunks)
		if _, err := at.find(prefix); err != nil {
			return err
		}
		for more := string(at.name) >= prefix && at.name != nil; ; {
			if more {
				if !strings.HasPrefix(string(at.name), prefix) {
					break
				}
				fn(at.name)
			}
			next, err := at.next()
			if err != nil {
				return err
			}
			if !next {
				break
			}
			more = string(at.name) >= prefix
		}
	}
	return nil
}

// maxCompletions bounds the pairs of characters for a query of one character.
const maxCompletions = 256

// Expand adds forms to words of one character of a script without spaces, which is indexed by
// pairs: the pairs that begin with it, and the character at the end of a text.
func (j *Joint) Expand(ctx context.Context, q Query) (Query, error) {
	expanded := false
	for i := range q {
		if !isSingleDense(q[i].Term) {
			continue
		}
		if !expanded {
			q, expanded = slices.Clone(q), true
		}
		longer, err := j.longer(ctx, q[i].Term)
		if err != nil {
			return nil, err
		}
		longer = append(longer, j.elsewhere.of(&q[i]).Longer...)
		slices.Sort(longer)
		q[i].Also = append(q[i].Also, Form{Term: exactTerm(q[i].Term)})
		for _, other := range slices.Compact(longer) {
			q[i].Also = append(q[i].Also, Form{Term: other})
		}
	}
	return q, nil
}

// longer returns terms that begin with another one, ascending.
func (j *Joint) longer(ctx context.Context, term string) ([]string, error) {
	found := map[string]bool{}
	err := j.eachTerm(ctx, term, func(other []byte) {
		if len(found) < maxCompletions && string(other) != term {
			found[string(other)] = true
		}
	})
	return slices.Sorted(maps.Keys(found)), err
}

// isSingleDense reports whether a term is one character of a script without spaces.
func isSingleDense(term string) bool {
	for _, r := range term {
		if !IsDense(r) {
			return false
		}
	}
	return lastCharacter(term) == 0 && term != ""
}
