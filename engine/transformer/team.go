package transformer

import (
	"errors"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// team is the workspaces of workers that share a decoder's pass: the rows, if they are many;
// or, of few rows, whose time goes into reading weights, keys and values, the columns of
// projections, words of the output, and heads of attention.
type team struct {
	workers []*workspace
	helpers []*helper // of all workers but the first, which is the caller
	busy    bool      // each is under way
}

// weightsPerWorker is the smallest share of a matrix worth another worker: 5 microseconds of
// reading, against 1 or 2 of sharing.
const weightsPerWorker = 128 << 10

// openTeam returns workers charged to the ledger.
func openTeam(n int, ledger *memory.Ledger) *team {
	t := &team{}
	for i := range n {
		t.workers = append(t.workers, newWorkspace(ledger))
		if i > 0 {
			t.helpers = append(t.helpers, newHelper())
		}
	}
	t.workers[0].team = t
	return t
}

// free ends the workers and gives their memory back.
func (t *team) free() error {
	if t == nil {
		return nil
	}
	var err error
	for _, h := range t.helpers {
		h.stop()
	}
	for _, w := range t.workers {
		err = errors.Join(err, w.Free())
	}
	t.helpers = nil
	return err
}

// parts returns how many workers a batch of rows is worth.
func (t *team) parts(rows int) int { return weights.RowParts(len(t.workers), rows) }

// sharesColumns reports whether a batch has so few rows that workers share columns and heads
// instead. Workspaces without a team, and the first worker within each, share nothing.
func (t *team) sharesColumns(rows int) bool {
	return t != nil && len(t.workers) > 1 && !t.busy && t.parts(rows) == 1
}

// each calls fn for the numbers 0 to n-1, side by side. It is not called while
// a call is under way.
func (t *team) each(n int, fn func(i int) error) error {
	if n == 1 {
		return fn(0)
	}
	t.busy = true
	defer func() { t.busy = false }()
	for i := 1; i < n; i++ {
		t.helpers[i-1].give(func() error { return fn(i) })
	}
	err := fn(0)
	for i := 1; i < n; i++ {
		if other := t.helpers[i-1].result(); err == nil {
			err = other
		}
	}
	return err
}

// linear is Kernel.Linear for few rows, whose columns the team shares.
func (t *team) linear(k *kernel.Kernel, dst, x []float32, rows int, weights *pack.Linear) error {
	w := t.workers[0]
	x = w.scaleInputs(k, x, rows, weights)
	n := t.columnShares(weights.K * weights.N)
	if weights.Blocks != nil {
		return t.each(n, func(i int) error {
			return k.LinearBlocks(dst, x, rows, weights, columns(weights.N, i, n), t.workers[i].scratch)
		})
	}
	if weights.Bits == 4 {
		return t.each(n, func(i int) error {
			return k.Linear4(dst, x, rows, weights, columns(weights.N, i, n), t.workers[i].scratch)
		})
	}
	w.quantized = grown(w.quantized, rows*weights.K)
	w.scales = grown(w.scales, rows)
	k.QuantizeRows(w.quantized, w.scales, x, rows, weights.K)
	return t.each(n, func(i int) error {
		return k.LinearColumns(dst, w.quantized, w.scales, rows, weights, columns(weights.N, i, n), kernel.None, t.workers[i].scratch)
	})
}

// columnShares returns how many workers so many weights are worth.
func (t *team) columnShares(weights int) int {
	return min(len(t.workers), max(1, weights/weightsPerWorker))
}

// logits is Kernel.Logits, whose vocabulary the team shares.
func (t *team) logits(k *kernel.Kernel, dst, x []float32, rows int, head *kernel.Head) error {
	if head.Rows != nil {
		return t.each(len(t.workers), func(i int) error {
			return k.LinearBlocks(dst, x, rows, head.Rows, columns(head.Size(), i, len(t.workers)), t.workers[i].scratch)
		})
	}
	w := t.workers[0]
	w.quantized = grown(w.quantized, rows*head.Width)
	w.scales = grown(w.scales, rows)
	k.QuantizeRows(w.quantized, w.scales, x, rows, head.Width)
	return t.each(len(t.workers), func(i int) error {
		return k.LogitsColumns(dst, w.quantized, w.scales, rows, head, columns(head.Size(), i, len(t.workers)), t.workers[i].scratch)
	})
}

// columns is the i-th of several about equal parts of n columns, each but the
// last of whole blocks of 64.
func columns(n, i, parts int) kernel.Columns {
	at := func(i int) int {
		if i == parts {
			return n
		}
		return n * i / parts &^ 63
	}
	return kernel.Columns{From: at(i), To: at(i + 1)}
}

// grown is a slice of n elements, in x's memory if that suffices.
func grown[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n)
	}
	return x[:n]
}
