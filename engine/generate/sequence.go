package generate

import (
	"context"

	"dowse/engine/generate/draft"
	"dowse/models/tokenizer"
)

// Sequence is a text that a model continues. Its rows are bit-equal whatever is
// computed with them.
type Sequence interface {
	// Tokens returns the settled tokens.
	Tokens() []int32
	// Truncate keeps the first n.
	Truncate(n int) error
	// Append settles tokens and writes the logits after the last
	// len(logits)/vocabulary of them. After an error nothing has changed.
	Append(ctx context.Context, ids []int32, logits []float32) error
	// Verify writes the logits after each node of a tree whose root follows the
	// settled tokens, [nodes,vocabulary]. It settles nothing.
	Verify(ctx context.Context, tokens, parents []int32, logits []float32) error
	// Keep settles a path of the last verified tree from the root on and drops
	// the other nodes.
	Keep(path []int32) error
}

// Drafter guesses the next tokens. Guesses change the speed alone.
type Drafter interface {
	// Begin starts a text with the prompt without its last token, the first
	// root. The slice stays the caller's.
	Begin(text []int32)
	// Propose returns a tree of at most so many nodes whose root is the last
	// drawn token.
	Propose(root int32, nodes int) draft.Tree
	// Accept takes the result of the last tree: the walked path from the root,
	// and by node the token wanted after each node of it, -1 after others. The
	// last one continues the text.
	Accept(path, wanted []int32)
}

// Model describes a Generator's model.
type Model struct {
	Vocabulary int     // logits of a token
	Window     int     // the most tokens of a Sequence
	Stop       []int32 // they end a text
	Tokenizer  *tokenizer.Tokenizer
}
