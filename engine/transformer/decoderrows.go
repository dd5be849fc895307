package transformer

import (
	"context"
	"errors"
	"time"

	"dowse/engine/kernel"
	"dowse/engine/swap"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// swapped is what a Decoder over a row pack has beside that of others.
type swapped struct {
	pack    *pack.Rows
	room    weights.RowRoom
	swapper *swap.Swapper
	sparse  *sparseRows // of passes of one row where Sparsity counts
	single  budgeted    // the same, as passes take it
	decoded bool        // a token was decoded since the last prompt
	passes  cheaper     // of one row
	switched
}

// close gives back what there is.
func (s *swapped) close() error {
	if s == nil {
		return nil
	}
	var err error
	if s.swapper != nil {
		s.sparse.settle()
		err = s.swapper.Close()
	}
	return errors.Join(err, s.pack.Close())
}

// openRows opens a row pack, after a look at every byte of it: rows have no checksums of
// their own.
func (d *Decoder) openRows(ctx context.Context, path string, k *kernel.Kernel) error {
	rows, err := pack.OpenRows(path)
	if err != nil {
		return err
	}
	d.swap = &swapped{pack: rows}
	if err := d.describe(rows, k); err != nil {
		return err
	}
	if err := rows.Verify(ctx); err != nil {
		return err
	}
	s, c := d.swap, &d.config
	m := Model{
		Config: *c, Tokenizer: int64(rows.TokenizerBuffer()), ChunkTokens: d.options.ChunkTokens,
		Resident: d.network.adapter.bytes() + int64(rows.ResidentBuffer()),
	}
	s.room, err = weights.NewRowRoom(m, swap.Least(rows.Layout()), swap.Whole(rows.Layout()), Limits{Budget: d.options.Budget, Threads: d.options.Threads})
	if err != nil {
		return err
	}
	if err := d.sparsify(); err != nil {
		return err
	}
	layers, err := d.readResident()
	if err != nil {
		return err
	}
	budget, err := s.room.Rows(s.room.Conversation(c.MaxTokens), 0)
	if err != nil {
		return err
	}
	if s.swapper, err = swap.New(rows, swap.Options{Budget: budget, Disk: d.options.Disk, Ledger: d.ledger, Waits: d.waits}); err != nil {
		return err
	}
	s.passes.forced = d.options.Passes
	d.estimatePasses(budget)
	lender := &rowLender{swapper: s.swapper, layers: layers}
	s.sparse = newSparseRows(lender)
	s.single, d.room, d.fit, d.source = budgeted{s.sparse, d}, &s.room, d.fitRows, budgeted{denseRows{lender}, d}
	if d.network.thresholds != nil {
		s.active = newActiveCounts(d.network.thresholds, rows.Layout())
		s.took = make([]time.Duration, c.Layers)
	}
	return d.ready()
}

// sparsify leaves channels out of a model that does not fit.
func (d *Decoder) sparsify() error {
	if err := d.options.Sparsity.check(&d.config); err != nil {
		return err
	}
	if d.options.Sparsity == nil || d.swap.room.Resident() {
		return nil
	}
	d.network.thresholds = d.options.Sparsity.Thresholds
	d.sum = d.options.Sparsity.identify(d.sum)
	return nil
}

// estimatePasses chooses how tokens are decoded in a budget for rows.
func (d *Decoder) estimatePasses(budget int64) {
	layout, sparsity := d.swap.pack.Layout(), d.Sparsity()
	sparse, _ := swap.Predict(layout, d.options.Disk, budget, sparsity)
	d.swap.passes.begin(sparse.Token, swap.PredictWhole(layout, d.options.Disk, budget))
}

// readResident reads what stays in memory and returns the layers without their weights.
func (d *Decoder) readResident() ([]*llamaLayer, error) {
	rows := d.swap.pack
	d.charged = weights.RotaryBytes(&d.config)
	d.ledger.Grow(weights.ResidentPool, d.charged)
	rest, err := d.readFixed(rows, needs{output: true}, rows.ResidentBuffer())
	if err != nil {
		return nil, err
	}
	views, err := rows.ReadResident(rest)
	if err != nil {
		return nil, err
	}
	layers := make([]*llamaLayer, len(views))
	for i, view := range views {
		if layers[i], err = d.network.bind(view, i); err != nil {
			return nil, err
		}
		for part := range pack.Bundles {
			layers[i].projection(int(part)).Bits = rows.Layout().Bits
		}
	}
	return layers, d.cacheWords(rows, d.swap.room.TokenRows())
}

// fitRows gives the Swapper what conversations and states leave it.
func (d *Decoder) fitRows(held int64, rows int) error {
	budget, err := d.swap.room.Rows(held, rows)
	if err != nil {
		return err
	}
	d.swap.budget = budget
	d.swap.sparse.settle() // a pass that was broken off
	return d.swap.swapper.SetBudget(budget)
}

// prompted notes that the tokens of a prompt follow, with which counts of active
// channels begin anew (ActiveFlow 4.5).
func (d *Decoder) prompted() {
	if d.swap != nil && d.swap.decoded {
		d.swap.swapper.BeginSequence()
		d.swap.active.reset()
		d.swap.decoded = false
	}
}

// decoding returns the layers for a tree of nodes, and whether small inputs of
// projections are left out. What is active in one node is read alone where that is
// cheaper; what is in any of several may be nearly everything. Either way gives the same
// bits. done is told that the pass is over.
func (d *Decoder) decoding(nodes int) (source weights.Source[*llamaLayer], masked bool, done func()) {
	masked, done = d.network.thresholds != nil, func() {}
	if d.swap == nil {
		return d.source, masked, done
	}
	d.swap.decoded = true
	if !masked || nodes > 1 {
		return d.source, masked, done
	}
	c := &d.swap.passes
	dense, begin := c.dense, c.now()
	done = func() { c.took(dense, c.now().Sub(begin).Seconds()) }
	if dense {
		return d.source, true, done
	}
	return d.swap.single, true, done
}
