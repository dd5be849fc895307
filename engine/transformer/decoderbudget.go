package transformer

import (
	"context"
	"errors"
	"sync"

	"dowse/engine/weights"
)

// changingBudget is a budget that changes while a decoder works (ActiveFlow 4.1: only the
// cache does).
type changingBudget struct {
	mu     sync.Mutex
	wanted int64             // bytes; 0 for as it is
	done   func(bytes int64) // nil for nobody

	// What room was made for last; guarded by the semaphore.
	held int64
	rows int
}

// Elastic reports whether SetBudget has an effect: the model was opened with a budget, and
// is streamed or has a row pack.
func (d *Decoder) Elastic() bool {
	return d.options.Budget > 0 && (d.streamer != nil || d.swap != nil)
}

// Least is the budget below which SetBudget does not go: with the longest conversation, or
// with all present ones where they take more.
func (d *Decoder) Least() int64 { return d.leastBeside(d.held.Load()) }

// leastBeside is Least beside conversations of held bytes.
func (d *Decoder) leastBeside(held int64) int64 {
	shape := d.room.KeyValues()
	return d.room.Least(max(held, shape.Held(d.config.MaxTokens)))
}

// SetBudget changes DecoderOptions.Budget. Kept layers or rows are freed, or kept again as
// passes read them; no result changes. It returns at once: a pass under way follows before
// its next layer, and done, unless nil, then gets the new budget, at least Least. States of
// a prompt under way stay until its end.
func (d *Decoder) SetBudget(bytes int64, done func(bytes int64)) {
	if !d.Elastic() {
		return
	}
	d.budget.mu.Lock()
	d.budget.wanted, d.budget.done = max(bytes, 1), done
	d.budget.mu.Unlock()
	d.rebudget()
}

// pending takes the budget that SetBudget left, 0 for none.
func (b *changingBudget) pending() (bytes int64, done func(int64)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	bytes, b.wanted = b.wanted, 0
	return bytes, b.done
}

// waits reports whether a new budget is pending.
func (b *changingBudget) waits() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.wanted > 0
}

// rebudget applies a pending budget, unless a pass is under way, which does so itself.
func (d *Decoder) rebudget() {
	for d.budget.waits() {
		select {
		case <-d.semaphore:
			_ = d.follow(d.held.Load(), 0) // the next pass tries again, and returns the error
			d.semaphore <- struct{}{}
		default:
			return
		}
	}
}

// follow applies a pending budget, beside conversations of held bytes and the states of
// rows.
func (d *Decoder) follow(held int64, rows int) error {
	bytes, done := d.budget.pending()
	if bytes == 0 {
		return nil
	}
	bytes = max(bytes, d.leastBeside(held))
	d.room.SetBudget(bytes)
	err := d.fit(held, rows)
	if errors.Is(err, weights.ErrBudget) { // the states are there already
		err = d.fit(held, 0)
	}
	if done != nil {
		done(bytes)
	}
	return err
}

// makeRoom is fit at the begin of a pass, and notes its needs for later budgets.
func (d *Decoder) makeRoom(held int64, rows int) error {
	d.budget.held, d.budget.rows = held, rows
	return d.fit(held, rows)
}

// budgeted is a Source of layers that follows a change of the budget between them.
type budgeted struct {
	weights.Source[*llamaLayer]
	decoder *Decoder
}

// Acquire implements weights.Source.
func (b budgeted) Acquire(ctx context.Context, i int) (*llamaLayer, error) {
	if d := b.decoder; d.budget.waits() {
		if err := d.follow(d.budget.held, d.budget.rows); err != nil {
			return nil, err
		}
	}
	return b.Source.Acquire(ctx, i)
}
