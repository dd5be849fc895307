package engine

import "context"

// tellKey is where a context keeps who is told of problems.
type tellKey struct{}

// Telling returns a context whose computations tell of what holds them up, such as a server
// that is silent, in a sentence for people. tell must not block.
func Telling(ctx context.Context, tell func(sentence string)) context.Context {
	return context.WithValue(ctx, tellKey{}, tell)
}

// Told returns what Telling gave a context, nil where nobody is told.
func Told(ctx context.Context) func(sentence string) {
	tell, _ := ctx.Value(tellKey{}).(func(string))
	return tell
}
