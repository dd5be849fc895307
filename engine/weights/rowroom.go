package weights

import (
	"dowse/engine/kv"
	"dowse/models/pack"
)

// RowRoom is the memory that a decoder over a row pack has for rows of weights. What
// there is no choice about comes first, then conversations, then the states of a
// prompt; a Swapper gets the rest.
type RowRoom struct {
	room         Room
	least, whole int64 // bytes for rows: the fewest, and those that hold all
	less         int64 // than whole, of a model whose rows were all kept
}

// NewRowRoom measures a decoder whose longest conversation has Config.MaxTokens tokens and
// whose rows take whole bytes, and do with least. Model.Resident is what a row pack keeps in memory whatever is swapped, beside an
// adapter. All rows are kept if they fit beside that conversation. The error wraps
// ErrBudget when the budget does not even hold what a Swapper needs.
func NewRowRoom(m Model, least, whole int64, limits Limits) (RowRoom, error) {
	r := RowRoom{room: measureShared(m, limits), least: least, whole: whole}
	r.room.keepFixed(m)
	r.room.fixed.Activations += scaledInputs(&r.room.config, max(limits.Threads, 1))
	held := r.room.Conversation(m.Config.MaxTokens)
	if r.room.budget <= 0 || r.room.fixed.Total()+held+r.whole <= r.room.budget {
		r.room.resident = true
		return r, nil
	}
	_, err := r.Rows(held, 0)
	return r, err
}

// scaledInputs returns the bytes of inputs that were multiplied with the scales of
// their channels, which ordinary packs do without.
func scaledInputs(c *pack.Config, threads int) int64 {
	widest, shape := 0, ShapeOf(c)
	for _, p := range shape.Projections {
		widest = max(widest, p[0])
	}
	return 4 * int64(threads) * int64(mostRows(threads)) * int64(widest)
}

// Budgets returns the least budget for the longest conversation, and the least in which
// all rows stay in memory beside it.
func (r *RowRoom) Budgets() (least, whole int64) {
	beside := r.room.fixed.Total() + r.room.Conversation(r.room.config.MaxTokens)
	return beside + r.least, beside + r.whole
}

// KeyValues returns the shape of the keys and values of its conversations.
func (r *RowRoom) KeyValues() kv.Shape { return r.room.keyValues }

// Resident reports whether all rows are kept.
func (r *RowRoom) Resident() bool { return r.room.resident }

// TokenRows is Room.TokenRows.
func (r *RowRoom) TokenRows() int { return r.room.tokenRows }

// Conversation is Room.Conversation.
func (r *RowRoom) Conversation(tokens int) int64 { return r.room.Conversation(tokens) }

// Rows returns the bytes that a Swapper may have beside conversations of held bytes and
// the states of a round of rows. The error wraps ErrBudget.
func (r *RowRoom) Rows(held int64, rows int) (int64, error) {
	if r.room.resident {
		return max(r.least, r.whole-r.less), nil
	}
	beside := r.room.fixed.Total() + held + r.room.states(rows)
	left := min(r.whole, r.room.budget-beside)
	if left < r.least {
		return 0, &BudgetError{r.room.config.Architecture + " takes with its conversations", beside + r.least, r.room.budget}
	}
	return left, nil
}

// Least is Room.Least. A model whose rows are all kept does with those that a Swapper
// needs, whatever is held.
func (r *RowRoom) Least(held int64) int64 {
	if r.room.resident {
		return r.room.budget - (r.whole - r.least)
	}
	return r.room.fixed.Total() + held + r.least
}

// SetBudget changes how much there is room for. Of a model whose rows were all kept, they
// make room for what is missing; it leaves out as little as before.
func (r *RowRoom) SetBudget(bytes int64) {
	if r.room.resident {
		r.less = max(0, r.room.budget-bytes)
		return
	}
	r.room.budget = bytes
}

// RoundRows chooses how many tokens of a prompt go through the layers at a time: as
// many as there is room for the states of, since each round reads what is not kept.
func (r *RowRoom) RoundRows(held int64, tokens int) (rows int) {
	blocks := (tokens + BlockRows - 1) / BlockRows
	for n := 1; ; n++ {
		rows = min(tokens, (blocks+n-1)/n*BlockRows)
		if _, err := r.Rows(held, rows); err == nil || rows <= BlockRows {
			return rows
		}
	}
}

// RecomputeRows is Room.RecomputeRows.
func (r *RowRoom) RecomputeRows(held int64, tokens int) (rows int) {
	if r.room.resident {
		return r.room.RecomputeRows(held, tokens)
	}
	return r.RoundRows(held, tokens)
}
