package weights

import (
	"dowse/engine/kv"
	"dowse/models/pack"
)

// RowRoom is the Room of a decoder over a row pack. After fixed memory, conversations, and
// the states of a prompt, its swap.Layers get the rest.
type RowRoom struct {
	room         Room
	least, whole int64 // bytes for rows: the fewest, and enough for all
	less         int64 // bytes that a resident model has given back of whole
}

// NewRowRoom measures a decoder whose longest conversation has Config.MaxTokens tokens, and
// whose rows need least bytes and take whole to stay in memory (swap.Least, swap.Whole).
// Model.Resident is the adapter and the pack's resident block. All rows are kept if they fit
// beside that conversation. The error wraps ErrBudget when least does not fit.
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

// scaledInputs returns the bytes of inputs multiplied with Linear.In, which ordinary packs
// lack.
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

// Rows returns the bytes that rows may have beside conversations of held bytes and
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

// Least is Room.Least. A resident model can give back all rows but the least.
func (r *RowRoom) Least(held int64) int64 {
	if r.room.resident {
		return r.room.budget - (r.whole - r.least)
	}
	return r.room.fixed.Total() + held + r.least
}

// SetBudget changes the budget. In a resident model rows make room for the difference; it
// goes on leaving nothing out.
func (r *RowRoom) SetBudget(bytes int64) {
	if r.room.resident {
		r.less = max(0, r.room.budget-bytes)
		return
	}
	r.room.budget = bytes
}

// RoundRows chooses how many tokens of a prompt go through the layers at a time: as many as
// their states fit, since each round reads the rows that are not in memory.
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
