package transformer

import (
	"errors"

	"golang.org/x/sync/errgroup"

	"dowse/engine/kernel"
	"dowse/engine/memory"
)

// team is the workspaces of workers who share what one of them has to do. With
// many rows each takes some of these; with few, whose time goes into reading
// weights, each takes some of the columns.
type team []*Workspace

const (
	// rowsForWorker is for how many rows a worker more is worth its while. Fewer
	// cost little more than reading the weights, which each of them does.
	rowsForWorker = 32
	// weightsForWorker is how many weights make it worth waking a worker up: 20
	// microseconds of reading, against 5 or 10.
	weightsForWorker = 512 << 10
)

// openTeam returns workers charged to the ledger.
func openTeam(n int, ledger *memory.Ledger) team {
	t := make(team, n)
	for i := range t {
		t[i] = NewWorkspace(ledger)
	}
	t[0].team = t
	return t
}

// free gives the memory of all workers back.
func (t team) free() error {
	var err error
	for _, w := range t {
		err = errors.Join(err, w.Free())
	}
	return err
}

// parts is how many workers so many rows are worth.
func (t team) parts(rows int) int { return min(len(t), max(1, rows/rowsForWorker)) }

// each calls fn for the numbers 0 to n-1, side by side.
func (t team) each(n int, fn func(i int) error) error {
	var group errgroup.Group
	for i := 1; i < n; i++ {
		group.Go(func() error { return fn(i) })
	}
	err := fn(0)
	if others := group.Wait(); err == nil {
		err = others
	}
	return err
}

// linear is Kernel.Linear for few rows, whose columns the team shares.
func (t team) linear(k *kernel.Kernel, dst, x []float32, rows int, weights *kernel.Linear) error {
	w := t[0]
	w.quantized = grown(w.quantized, rows*weights.K)
	w.scales = grown(w.scales, rows)
	k.QuantizeRows(w.quantized, w.scales, x, rows, weights.K)
	n := min(len(t), max(1, weights.K*weights.N/weightsForWorker))
	return t.each(n, func(i int) error {
		return k.LinearColumns(dst, w.quantized, w.scales, rows, weights, share(weights.N, i, n), kernel.None, t[i].scratch)
	})
}

// logits is Kernel.Logits, whose words the team shares.
func (t team) logits(k *kernel.Kernel, dst, x []float32, rows int, head *kernel.Head) error {
	w := t[0]
	w.quantized = grown(w.quantized, rows*head.Width)
	w.scales = grown(w.scales, rows)
	k.QuantizeRows(w.quantized, w.scales, x, rows, head.Width)
	return t.each(len(t), func(i int) error {
		return k.LogitsColumns(dst, w.quantized, w.scales, rows, head, share(len(head.WordScale), i, len(t)), t[i].scratch)
	})
}

// share is the i-th of several about equal parts of n columns, each but the
// last of whole blocks of 64.
func share(n, i, parts int) kernel.Columns {
	at := func(i int) int {
		if i == parts {
			return n
		}
		return n * i / parts &^ 63
	}
	return kernel.Columns{From: at(i), To: at(i + 1)}
}

// grown is a slice of n elements, with x's memory if that suffices.
func grown[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n)
	}
	return x[:n]
}
