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
		term, found := q[i].Term, map[string]bool{}
		err := j.eachTerm(ctx, term, func(other []byte) {
			if len(found) < maxCompletions && string(other) != term {
				found[string(other)] = true
			}
		})
		if err != nil {
			return nil, err
		}
		q[i].Also = append(q[i].Also, Form{Term: exactTerm(term)})
		for _, other := range slices.Sorted(maps.Keys(found)) {
			q[i].Also = append(q[i].Also, Form{Term: other})
		}
	}
	return q, nil
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
