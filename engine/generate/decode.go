package generate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"dowse/engine/generate/draft"
	"dowse/models/tokenizer"
)

func (r *run) decode(ctx context.Context) error {
	begin := time.Now()
	defer func() { r.result.Stats.DecodeTime = time.Since(begin) }()
	for r.result.Finish == Unfinished {
		if err := ctx.Err(); err != nil {
			return err
		}
		nodes := r.nodes()
		if nodes == 0 {
			r.result.Finish = WindowFull
			break
		}
		if err := r.step(ctx, nodes); err != nil {
			return err
		}
	}
	return nil
}

// nodes returns the most nodes of the next tree, within the window and the end
// of the text; 0: the window is full.
func (r *run) nodes() int {
	most := r.options.Nodes
	if most == 0 {
		most = UsualNodes
	}
	if r.options.MaxTokens > 0 {
		most = min(most, r.options.MaxTokens-len(r.result.Tokens))
	}
	return max(0, min(most, r.model.Window-len(r.sequence.Tokens())))
}

// step verifies a tree, walks it as far as the model agrees, and settles the
// walked nodes.
func (r *run) step(ctx context.Context, nodes int) error {
	tree, err := r.propose(nodes)
	if err != nil {
		return err
	}
	size := len(tree.Tokens) * r.model.Vocabulary
	r.logits = slices.Grow(r.logits[:0], size)[:size]
	begin := time.Now()
	if err := r.sequence.Verify(ctx, tree.Tokens, tree.Parents, r.logits); err != nil {
		return fmt.Errorf("continue the text: %w", err)
	}
	if d, ok := r.options.Drafter.(Timer); ok {
		d.Took(len(tree.Tokens), time.Since(begin).Seconds())
	}
	if r.refused() {
		return r.sequence.Keep(nil)
	}
	emitted, err := r.walk(tree)
	if err != nil {
		return err
	}
	if err := r.sequence.Keep(r.path); err != nil {
		return fmt.Errorf("settle %d tokens: %w", len(r.path), err)
	}
	r.root = r.wanted[r.path[len(r.path)-1]]
	r.result.Stats.Steps = append(r.result.Stats.Steps, Step{Nodes: len(tree.Tokens), Emitted: emitted})
	if d := r.options.Drafter; d != nil {
		begin := time.Now()
		d.Accept(r.path, r.wanted)
		r.result.Stats.DraftTime += time.Since(begin)
	}
	return nil
}

// propose returns the next step's tree.
func (r *run) propose(nodes int) (draft.Tree, error) {
	if r.options.Drafter == nil {
		return draft.NewTree(r.root), nil
	}
	begin := time.Now()
	tree := r.options.Drafter.Propose(r.root, nodes)
	r.result.Stats.DraftTime += time.Since(begin)
	if len(tree.Tokens) == 0 || len(tree.Tokens) > nodes || tree.Tokens[0] != r.root {
		return tree, fmt.Errorf("a draft of %d tokens, want 1 to %d that begin with token %d", len(tree.Tokens), nodes, r.root)
	}
	return tree, nil
}

// unasked stands for a token not drawn.
const unasked = -1

// want draws the model's token after a node. The noise is keyed by the token's
// position, so that drafts do not change it.
func (r *run) want(tree draft.Tree, node int32) (int32, error) {
	if r.wanted[node] != unasked {
		return r.wanted[node], nil
	}
	v, first := r.model.Vocabulary, len(r.sequence.Tokens())+1
	id, err := r.options.Sampling.choose(r.logits[int(node)*v:(int(node)+1)*v], first+tree.Depth(node))
	if err == nil {
		r.wanted[node] = id
	}
	return id, err
}

// walk emits the token wanted after the root and continues at the child with
// that token, as long as there is one. It leaves the nodes in r.path and
// returns the number of tokens.
func (r *run) walk(tree draft.Tree) (int, error) {
	r.path, r.wanted = append(r.path[:0], 0), r.wanted[:0]
	for range tree.Tokens {
		r.wanted = append(r.wanted, unasked)
	}
	for node := int32(0); ; {
		id, err := r.want(tree, node)
		if err != nil {
			return 0, err
		}
		if err := r.take(id); err != nil {
			return 0, err
		}
		node = tree.Child(node, id)
		if r.result.Finish != Unfinished || node < 0 {
			return len(r.path), nil
		}
		r.path = append(r.path, node)
	}
}

// take adds a token to the text and sets r.result.Finish where the text ends.
func (r *run) take(id int32) error {
	if len(r.result.Tokens) == 0 && r.result.Stats.FirstToken == 0 {
		r.result.Stats.FirstToken = time.Since(r.start)
	}
	if slices.Contains(r.model.Stop, id) {
		r.result.Finish = StopToken
		return nil
	}
	r.result.Tokens = append(r.result.Tokens, id)
	if err := r.text.add(id); err != nil {
		return fmt.Errorf("hand over the text: %w", err)
	}
	if len(r.result.Tokens) == r.options.MaxTokens {
		r.result.Finish = MaxTokens
	}
	return nil
}

// stream turns tokens into whole characters.
type stream struct {
	decoder *tokenizer.Decoder
	emit    func(string) error
	emitted strings.Builder
}

func newStream(t *tokenizer.Tokenizer, emit func(string) error) *stream {
	return &stream{decoder: t.NewDecoder(), emit: emit}
}

// add emits the characters that a token completes, and invalid bytes as U+FFFD.
func (s *stream) add(id int32) error {
	text := strings.ToValidUTF8(s.decoder.Next(id), "\uFFFD")
	if text == "" {
		return nil
	}
	s.emitted.WriteString(text)
	return s.emit(text)
}
