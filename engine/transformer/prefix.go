package transformer

import (
	"context"
	"errors"

	"dowse/engine/kernel"
	"dowse/engine/kv"
	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// prefix is the tokens that all candidates of a pass through a decoder begin with:
// instruction and query. No later token changes their states, so they go through each layer
// once, ahead of the candidates, which attend to their keys and values of that layer.
type prefix struct {
	tokens int
	width  int       // D
	hidden []float32 // [tokens,D]
	stored kv.Rows   // of the layer under way
	states *memory.Buffer
	memory *memory.Buffer // of stored
}

func newPrefix(c *pack.Config, tokens int, ledger *memory.Ledger) (*prefix, error) {
	s := weights.ShapeOf(c)
	states, err := memory.NewBuffer(ledger, weights.HiddenPool, 4*tokens*s.Hidden)
	if err != nil {
		return nil, err
	}
	p := &prefix{tokens: tokens, width: s.Hidden, states: states, hidden: states.Float32()}
	if p.memory, err = memory.NewBuffer(ledger, weights.ActivationsPool, tokens*s.Stored); err != nil {
		return nil, errors.Join(err, states.Free())
	}
	p.stored = kv.RowsIn(p.memory.Bytes(), tokens, s.KVHeads, s.HeadDim, kv.Level8)
	return p, nil
}

// sharedPrefix is how many tokens several pairs begin with in common. Each keeps a token of
// its own for the head.
func sharedPrefix(pairs []Pair) int {
	if len(pairs) < 2 {
		return 0
	}
	shared := len(pairs[0].IDs) - 1
	for _, pair := range pairs[1:] {
		shared = min(shared, len(pair.IDs)-1)
		for i := range shared {
			if pair.IDs[i] != pairs[0].IDs[i] {
				shared = i
				break
			}
		}
	}
	return shared
}

// advance brings the prefix through a layer, at most rows tokens at a time, and returns its
// keys and values there.
func (p *prefix) advance(ctx context.Context, l layer, last bool, rows int, w *workspace) ([]kernel.KeyValues, error) {
	outputs := allRows
	if last {
		outputs = noRows
	}
	for from := 0; from < p.tokens; from += rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(from+rows, p.tokens)
		err := l.forward(batch{
			hidden: p.hidden[from*p.width : to*p.width], lengths: []int{to - from}, outputs: outputs,
			before: []kernel.KeyValues{p.stored.Span(0, from)}, keep: []kernel.KeyValues{p.stored.Span(from, to)},
		}, w)
		if err != nil {
			return nil, err
		}
	}
	return []kernel.KeyValues{p.stored.Span(0, p.tokens)}, nil
}

func (p *prefix) free() error { return errors.Join(p.states.Free(), p.memory.Free()) }
