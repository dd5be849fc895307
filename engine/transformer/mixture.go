package transformer

import (
	"context"
	"errors"

	"dowse/engine/memory"
	"dowse/engine/weights"
)

// mixture is the experts of a Decoder. Each worker's share of a layer with experts ends
// behind attention; then rows of all workers go through the experts together, so that an
// expert is read once for all of them. Where the model does not fit, experts are read once
// they are chosen (weights.ExpertCache), and guessed before: the router is applied to the
// states as they come into the layer. With random weights in the shape of Qwen3-30B-A3B,
// 29,424 MiB, and random tokens, the guess names .80 of the chosen experts; in 4 GiB 73% of
// them are in memory and 677 MiB are read for a token, in 2 GiB 34% and 1,408 MiB
// (go test -run TestMixtureCosts -mixture). A trained model was not measured.
type mixture struct {
	cache *weights.ExpertCache[*expert] // nil where all experts are in memory
	block *memory.Buffer                // [BlockRows,D]: normed states

	choices []choice    // [R,Active]
	lists   [][]visit   // [Experts]: the rows of each
	wanted  []int32     // the experts with rows, ascending
	tokens  []int32     // how many rows each of these has
	logits  [][]float32 // of each worker, [Experts]
}

// visit is a row that goes through an expert, and the expert's share in its result.
type visit struct {
	row   int
	share float32
}

// openMixture makes the mixture of a model with experts.
func (d *Decoder) openMixture() (err error) {
	c := &d.config
	if c.Mixture.Experts == 0 {
		return nil
	}
	m := &mixture{lists: make([][]visit, c.Mixture.Experts), logits: make([][]float32, len(d.team.workers))}
	for i := range m.logits {
		m.logits[i] = make([]float32, c.Mixture.Experts)
	}
	d.mixture = m
	if d.streamed() {
		m.cache = weights.NewExpertCache(weights.Experts[*expert]{
			Layers: c.Layers, Count: c.Mixture.Experts, Bytes: c.ExpertBuffer(),
			Read: func(layer, e int, buffer []byte) (*expert, error) {
				views, err := d.stream.ReadExpert(layer, e, buffer)
				if err != nil {
					return nil, err
				}
				return d.network.bindExpert(views)
			},
		}, d.ledger)
		m.cache.Tell(d.waits)
	}
	m.block, err = memory.NewBuffer(d.ledger, weights.ActivationsPool, 4*weights.BlockRows*c.Hidden)
	return err
}

// close frees the memory.
func (m *mixture) close() error {
	if m == nil {
		return nil
	}
	var err error
	if m.cache != nil {
		err = m.cache.Close()
	}
	return errors.Join(err, m.block.Free())
}

// begin begins a text: counts of chosen experts start anew.
func (m *mixture) begin() {
	if m != nil && m.cache != nil {
		m.cache.BeginSequence()
	}
}

// foresee reads the experts that a layer's router would choose for the states hidden [R,D]
// as they come into the layer, while its attention is computed. The guess decides when
// experts are read and nothing else.
func (d *Decoder) foresee(layer *llamaLayer, hidden []float32) error {
	if layer.router == nil || d.mixture.cache == nil || len(hidden) == 0 {
		return nil
	}
	_, free, err := d.choose(layer, hidden)
	if err != nil {
		return err
	}
	d.mixture.cache.Hint(layer.index, d.mixture.wanted)
	return free()
}

// mix is the feed-forward part of a layer with experts, for rows after attention: hidden
// [R,D]. All rows of an expert go through it together. A row has the bits that it has alone:
// rows of a product are independent, and the results of a row's experts are added to it in
// the order of their numbers.
func (d *Decoder) mix(ctx context.Context, layer *llamaLayer, hidden []float32) error {
	if layer.router == nil || len(hidden) == 0 {
		return nil
	}
	m := d.mixture
	normed, free, err := d.choose(layer, hidden)
	if err != nil {
		return err
	}
	if m.cache != nil {
		m.cache.Want(layer.index, m.wanted, m.tokens)
	}
	for _, e := range m.wanted {
		if err = d.throughExpert(ctx, layer, int(e), normed, hidden); err != nil {
			break
		}
	}
	return errors.Join(err, free())
}

// choose norms states, which it returns [R,D] until free, and lists the rows of each
// expert.
func (d *Decoder) choose(layer *llamaLayer, hidden []float32) (normed []float32, free func() error, err error) {
	m, width, active := d.mixture, d.config.Hidden, d.config.Mixture.Active
	rows := len(hidden) / width
	normed, free = m.block.Float32(), func() error { return nil }
	if rows > weights.BlockRows {
		buffer, err := memory.NewBuffer(d.ledger, weights.HiddenPool, 4*rows*width)
		if err != nil {
			return nil, nil, err
		}
		normed, free = buffer.Float32(), buffer.Free
	}
	normed = normed[:rows*width]
	m.choices = grown(m.choices, rows*active)
	parts := d.team.parts(rows)
	err = d.team.each(parts, func(i int) error {
		from, to := rows*i/parts, rows*(i+1)/parts
		layer.kernel.RMSNorm(normed[from*width:to*width], hidden[from*width:to*width], layer.innerNorm, d.config.Epsilon, to-from, width)
		for row := from; row < to; row++ {
			layer.route(m.choices[row*active:(row+1)*active], m.logits[i], normed[row*width:(row+1)*width])
		}
		return nil
	})
	if err != nil {
		return nil, nil, errors.Join(err, free())
	}
	m.list(active)
	return normed, free, nil
}

// list turns the choices of rows into the rows of experts.
func (m *mixture) list(active int) {
	for e := range m.lists {
		m.lists[e] = m.lists[e][:0]
	}
	for i, c := range m.choices {
		m.lists[c.expert] = append(m.lists[c.expert], visit{i / active, c.share})
	}
	m.wanted, m.tokens = m.wanted[:0], m.tokens[:0]
	for e, visits := range m.lists {
		if len(visits) > 0 {
			m.wanted, m.tokens = append(m.wanted, int32(e)), append(m.tokens, int32(len(visits)))
		}
	}
}

// throughExpert adds an expert's results to its rows of hidden.
func (d *Decoder) throughExpert(ctx context.Context, layer *llamaLayer, e int, normed, hidden []float32) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m := d.mixture
	if m.cache == nil {
		return d.shareRows(layer, layer.experts[e], m.lists[e], normed, hidden)
	}
	x, err := m.cache.Acquire(ctx, layer.index, e)
	if err != nil {
		return err
	}
	err = d.shareRows(layer, x, m.lists[e], normed, hidden)
	m.cache.Release(layer.index, e)
	return err
}

// shareRows brings visits through an expert, a block at a time.
func (d *Decoder) shareRows(layer *llamaLayer, x *expert, visits []visit, normed, hidden []float32) error {
	for len(visits) > 0 {
		block := visits[:min(len(visits), weights.BlockRows)]
		parts := d.team.parts(len(block))
		err := d.team.each(parts, func(i int) error {
			own := block[len(block)*i/parts : len(block)*(i+1)/parts]
			return x.add(layer, own, normed, hidden, d.team.workers[i])
		})
		if err != nil {
			return err
		}
		visits = visits[len(block):]
	}
	return nil
}

// add is forward for rows that lie apart, and adds their shares of the result to hidden.
func (e *expert) add(layer *llamaLayer, visits []visit, normed, hidden []float32, w *workspace) error {
	d := e.gateUp.K
	if err := w.reserve(len(visits), &layer.shape); err != nil {
		return err
	}
	for i, p := range visits {
		copy(w.normed[i*d:(i+1)*d], normed[p.row*d:])
	}
	if err := e.forward(layer, len(visits), w); err != nil {
		return err
	}
	for i, p := range visits {
		state := hidden[p.row*d : (p.row+1)*d]
		for j, v := range w.normed[i*d : (i+1)*d] {
			state[j] += float32(p.share * v)
		}
	}
	return nil
}
