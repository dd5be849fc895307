package generate

import (
	"context"

	"dowse/engine/generate/draft"
	"dowse/models/tokenizer"
)

// Sequence is a text that a model continues. Its rows do not depend, to the
// bit, on which others are computed with them.
type Sequence interface {
	// Tokens returns those that are settled.
	Tokens() []int32
	// Truncate keeps the first n of them.
	Truncate(n int) error
	// Append settles tokens and writes the logits after each of the last
	// len(logits)/vocabulary of them. After an error nothing has changed.
	Append(ctx context.Context, ids []int32, logits []float32) error
	// Verify writes the logits after each node of a tree, whose root follows
	// what is settled, [nodes,vocabulary]. Nothing of the tree is settled.
	Verify(ctx context.Context, tokens, parents []int32, logits []float32) error
	// Keep settles nodes of the tree that was verified last, from the root on,
	// each the parent of the next. The others are dropped.
	Keep(path []int32) error
}

// Drafter guesses what comes next. Its guesses decide how fast a text comes,
// and nothing else.
type Drafter interface {
	// Begin starts a text with the prompt but for its last token, which is the
	// first root. The slice stays the caller's.
	Begin(text []int32)
	// Propose returns a tree of at most so many nodes, the root included, which
	// is the token that was drawn last.
	Propose(root int32, nodes int) draft.Tree
	// Accept takes the result of the tree proposed last: the nodes that the text went
	// through, from the root on, and the token that the model wants after each node of
	// that path, by node; -1 after any other node. The text goes on with what it wants
	// after the last node of path.
	Accept(path, wanted []int32)
}

// Model is what a Generator knows of a model.
type Model struct {
	Vocabulary int     // logits of a token
	Window     int     // the most tokens of a Sequence
	Stop       []int32 // tokens that end a text
	Tokenizer  *tokenizer.Tokenizer
}
