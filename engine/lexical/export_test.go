package lexical

import "context"

// Tokens returns the terms of an English text with their places.
func (a *Analyzer) Tokens(text string) []Token {
	var tokens []Token
	r := a.read(text)
	defer a.release(r)
	r.each(a, English, func(term string, start, end int) {
		tokens = append(tokens, Token{Term: term, Start: start, End: end})
	})
	return tokens
}

// Search is Joint.Search in one collection.
func (c *Collection) Search(ctx context.Context, r Reader, q Query, k int, allow *Set) (Result, error) {
	return NewJoint(Part{c, r}).Search(ctx, q, k, []*Set{allow})
}

// Expand is Joint.Expand in one collection.
func (c *Collection) Expand(ctx context.Context, r Reader, q Query) (Query, error) {
	return NewJoint(Part{c, r}).Expand(ctx, q)
}

// Guess is Joint.Guess in one collection.
func (c *Collection) Guess(ctx context.Context, r Reader, q Query, found []TermStats) (Query, []Guess, error) {
	return NewJoint(Part{c, r}).Guess(ctx, q, found)
}

// ContainingAny is containingAny.
func (c *Collection) ContainingAny(ctx context.Context, r Reader, terms []string) (*Set, error) {
	return c.containingAny(ctx, r, terms)
}
