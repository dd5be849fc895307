package transformer

import (
	"context"
	"errors"

	"dowse/engine/kernel"
	"dowse/engine/swap"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// All that decoders know of swapping is in this file: how a row pack is opened, which
// Source each pass takes, and how a layer multiplies inputs that were masked. The rest is
// package swap.

// swapped is what a Decoder over a row pack has beside that of others.
type swapped struct {
	pack   *pack.Rows
	room   weights.RowRoom
	layers *swap.Layers[*llamaLayer]
}

// close gives back what there is.
func (s *swapped) close() error {
	if s == nil {
		return nil
	}
	return errors.Join(s.layers.Close(), s.pack.Close())
}

// begin notes that a prompt follows.
func (s *swapped) begin() {
	if s != nil {
		s.layers.Begin()
	}
}

// openRows opens a row pack, and compares all its checksums first: rows that are read by
// themselves have none.
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
	s, c, o := d.swap, &d.config, &d.options
	m := Model{
		Config: *c, Tokenizer: int64(rows.TokenizerBuffer()), ChunkTokens: o.ChunkTokens,
		Resident: d.network.adapter.bytes() + int64(rows.ResidentBuffer()),
	}
	s.room, err = weights.NewRowRoom(m, swap.Least(rows.Layout()), swap.Whole(rows.Layout()), Limits{Budget: o.Budget, Threads: o.Threads})
	if err != nil {
		return err
	}
	if err := o.Sparsity.Check(c); err != nil {
		return err
	}
	own := swap.LayersOptions{Options: swap.Options{Disk: o.Disk, Ledger: d.ledger, Waits: d.waits}, Passes: o.Passes}
	if o.Sparsity != nil && !s.room.Resident() {
		own.Sparsity, d.thresholds = o.Sparsity, o.Sparsity.Thresholds
		d.sum = o.Sparsity.Identify(d.sum)
	}
	bound := swap.Bound[*llamaLayer]{Whole: (*llamaLayer).withWeights, Sparse: (*llamaLayer).withRows}
	if bound.Layers, err = d.readResident(); err != nil {
		return err
	}
	if own.Budget, err = s.room.Rows(s.room.Conversation(c.MaxTokens), 0); err != nil {
		return err
	}
	if s.layers, err = swap.NewLayers(rows, bound, own); err != nil {
		return err
	}
	s.layers.Cold = o.Cold
	d.room, d.source = &s.room, budgeted{s.layers.Whole(), d}
	d.fit = func(held int64, states int) error {
		budget, err := s.room.Rows(held, states)
		if err != nil {
			return err
		}
		return s.layers.SetBudget(budget)
	}
	return d.ready()
}

// readResident reads what stays in memory and returns the layers without their weights.
func (d *Decoder) readResident() ([]*llamaLayer, error) {
	rows := d.swap.pack
	d.charged = weights.PositionBytes(&d.config)
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
	}
	return layers, d.cacheWords(rows, d.swap.room.TokenRows())
}

// Sparsity returns the share of input channels that is left out while texts are
// continued; 0 where nothing is, as of every model that is in memory.
func (d *Decoder) Sparsity() float64 {
	if d.thresholds == nil || d.options.Sparsity == nil {
		return 0
	}
	return d.options.Sparsity.Level
}

// Watch has tokens that are decoded leave out inputs below thresholds, and o told the
// inputs of all passes, until end; either may be nil. No call may be under way.
func (d *Decoder) Watch(t swap.Thresholds, o swap.Observer) (end func()) {
	thresholds, observer := d.thresholds, d.observer
	d.thresholds, d.observer = t, o
	return func() { d.thresholds, d.observer = thresholds, observer }
}

// prompting returns the layers for a round of a prompt.
func (d *Decoder) prompting() weights.Source[*llamaLayer] {
	if d.swap == nil {
		return maskedBy(d.source, nil, d.observer)
	}
	observer := d.observer
	if observer == nil {
		observer = d.swap.layers.Observer()
	}
	return maskedBy(budgeted{d.swap.layers.Prompt(), d}, nil, observer)
}

// decoding returns the layers for a tree of nodes. A single node reads the rows of its
// active channels alone where that is cheaper; either way gives the same bits. done is due
// after the pass.
func (d *Decoder) decoding(nodes int) (source weights.Source[*llamaLayer], done func()) {
	source, done = d.source, func() {}
	switch {
	case d.swap == nil:
	case d.thresholds == nil || nodes > 1:
		source = budgeted{d.swap.layers.Tree(), d}
	default:
		source, done = d.swap.layers.Token()
		source = budgeted{source, d}
	}
	return maskedBy(source, d.thresholds, d.observer), done
}

// maskedLayers is a Source of layers that leave inputs out, or have them observed.
type maskedLayers struct {
	weights.Source[*llamaLayer]
	thresholds swap.Thresholds
	observer   swap.Observer
}

func maskedBy(source weights.Source[*llamaLayer], t swap.Thresholds, o swap.Observer) weights.Source[*llamaLayer] {
	if t == nil && o == nil {
		return source
	}
	return maskedLayers{source, t, o}
}

// Acquire implements weights.Source.
func (s maskedLayers) Acquire(ctx context.Context, i int) (*llamaLayer, error) {
	layer, err := s.Source.Acquire(ctx, i)
	if err != nil {
		return nil, err
	}
	own := *layer
	own.observer = s.observer
	if s.thresholds != nil {
		own.thresholds = &s.thresholds[i]
	}
	return &own, nil
}

// masking is what a layer does with the inputs of its projections beside multiplying them.
type masking struct {
	thresholds *[pack.Bundles]float32 // inputs up to these are left out; nil for none
	observer   swap.Observer          // nil for nobody
	// rows, unless nil, lends the weights of active input channels to a row with thresholds.
	// The projections have no weights of their own then.
	rows *swap.Lender
}

// withWeights is a layer whose projections have weights as they lie in records.
func (l *llamaLayer) withWeights(dense swap.DenseLayer) (*llamaLayer, error) {
	own := *l
	for part := range pack.Bundles {
		p := own.projection(int(part))
		p.Weights, p.Stride = dense.Weights[part], dense.Stride[part]
		if err := p.Check(); err != nil {
			return nil, err
		}
	}
	return &own, nil
}

// withRows is a layer that takes the rows of active channels.
func (l *llamaLayer) withRows(rows *swap.Lender) *llamaLayer {
	own := *l
	own.rows = rows
	return &own
}

// masked is a projection of the inputs above the layer's threshold, each row of x by
// itself (ActiveFlow 4.1). It overwrites x.
func (l *llamaLayer) masked(dst, x []float32, rows, part int, w *workspace) error {
	weights, m := l.projection(part), &w.masked
	for row := range rows {
		m.channels = l.kernel.Mask(x[row*weights.K:(row+1)*weights.K], weights.In, l.thresholds[part], m.channels[:0])
	}
	if l.rows == nil {
		scaled := *weights
		scaled.In = nil // Mask has multiplied with it
		return l.dense(dst, x, rows, &scaled, w)
	}
	m.weights = grown(m.weights, weights.K)
	found, bundle := m.weights[:len(m.channels)], pack.Bundle(part)
	if err := l.rows.Take(l.index, bundle, m.channels, found); err != nil {
		return err
	}
	err := w.team.linearRows(l.kernel, dst, x, m.channels, found, weights)
	l.rows.Hint(l.index, bundle, m.channels)
	return err
}

// maskedScratch is the working memory of masked projections.
type maskedScratch struct {
	inputs   []float32 // before they were masked, where an adapter takes them
	channels []int32   // active ones of a row
	weights  []*int8   // their rows
}

// linearRows is linear for one row x [K], already masked, by the weights of its active
// channels: rows[i] points at those of channels[i].
func (t *team) linearRows(k *kernel.Kernel, dst, x []float32, channels []int32, rows []*int8, weights *pack.Linear) error {
	w := t.workers[0]
	n := t.columnShares(len(channels) * weights.N)
	if weights.Bits == 4 {
		return t.each(n, func(i int) error {
			return k.LinearRows4(dst, x, channels, rows, weights, columns(weights.N, i, n), t.workers[i].scratch)
		})
	}
	w.quantized = grown(w.quantized, weights.K)
	w.scales = grown(w.scales, 1)
	k.QuantizeRows(w.quantized, w.scales, x, 1, weights.K)
	return t.each(n, func(i int) error {
		return k.LinearRows(dst, w.quantized, &w.scales[0], channels, rows, weights, columns(weights.N, i, n), t.workers[i].scratch)
	})
}

// addStats fills in what swapping counted.
func (s *swapped) addStats(stats *DecoderStats) {
	stats.Swap = s.layers.Stats()
	stats.SparsePasses, stats.DensePasses = s.layers.Made()
}
