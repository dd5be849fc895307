package weights_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"dowse/engine/swap"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// rowLayout is that of a model's row pack.
func rowLayout(t *testing.T, m weights.Model) pack.RowLayout {
	t.Helper()
	l, err := pack.NewRowLayout(m.Config, 4, 8)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Conversations and states come first, rows get the rest: no fewer of them the more
// memory there is, never more than all, and never beyond the budget.
func TestRowsGetWhatConversationsLeave(t *testing.T) {
	const seed = 31
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for name, m := range map[string]weights.Model{"tied": smolLM2, "7B": qwen25} {
		l := rowLayout(t, m)
		free, err := weights.NewRowRoom(m, swap.Least(l), swap.Whole(l), weights.Limits{Threads: 2})
		if err != nil || !free.Resident() {
			t.Fatalf("%s: without a budget: %v", name, err)
		}
		least, whole := free.Budgets()
		if _, err := weights.NewRowRoom(m, swap.Least(l), swap.Whole(l), weights.Limits{Threads: 2, Budget: least - 1}); !errors.Is(err, weights.ErrBudget) {
			t.Errorf("%s: a byte less than the least budget: %v", name, err)
		}
		last := int64(0)
		for i := range 50 {
			budget := least + (whole-least)*int64(i)/50
			r, err := weights.NewRowRoom(m, swap.Least(l), swap.Whole(l), weights.Limits{Threads: 2, Budget: budget})
			if err != nil || r.Resident() {
				t.Fatalf("%s, budget %d of %d: resident %t, %v", name, budget, whole, r.Resident(), err)
			}
			held := r.Conversation(1 + rng.IntN(m.Config.MaxTokens))
			rows, err := r.Rows(held, 0)
			if err != nil || rows+held > budget || rows > swap.Whole(l) || rows < swap.Least(l) {
				t.Errorf("%s, budget %d: %d bytes of rows beside %d, %v", name, budget, rows, held, err)
			}
			most, err := r.Rows(r.Conversation(m.Config.MaxTokens), 0)
			if err != nil || most < last {
				t.Errorf("%s, budget %d: %d bytes of rows, with less memory %d, %v", name, budget, most, last, err)
			}
			last = most
			tokens := 1 + rng.IntN(m.Config.MaxTokens)
			if n := r.RoundRows(held, tokens); n < min(tokens, weights.BlockRows) || n > tokens {
				t.Errorf("%s: rounds of %d for %d tokens", name, n, tokens)
			}
		}
		if r, err := weights.NewRowRoom(m, swap.Least(l), swap.Whole(l), weights.Limits{Threads: 2, Budget: whole}); err != nil || !r.Resident() {
			t.Errorf("%s: all rows do not fit into the budget for all: %v", name, err)
		}
	}
}
