package transformer

import (
	"context"
	"errors"
	"math"

	"dowse/engine/kernel"
	"dowse/models/pack"
)

// Active visits which channels of a text's tokens are above their thresholds while it is
// computed in full, layer by layer and token by token. The decoder must have one thread,
// so that tokens come in their order. channels is valid until visit returns.
func (d *Decoder) Active(ctx context.Context, ids []int32, t Thresholds, visit func(layer int, b pack.Bundle, channels []int32)) error {
	if d.options.Threads != 1 {
		return errors.New("active channels are visited by one thread")
	}
	if len(t) != d.config.Layers {
		return errors.New("thresholds of another model")
	}
	s := d.NewSequence()
	d.network.observer = &activeVisitor{thresholds: t, visit: visit}
	// Logits of all tokens: the last layer computes no others.
	err := d.Append(ctx, s, ids, make([]float32, len(ids)*d.Vocabulary()))
	d.network.observer = nil
	return errors.Join(err, s.Free())
}

// activeVisitor is an inputObserver that says what is active.
type activeVisitor struct {
	thresholds Thresholds
	visit      func(layer int, b pack.Bundle, channels []int32)
	channels   []int32
}

func (a *activeVisitor) see(layer, part int, x []float32, weights *kernel.Linear) {
	threshold := a.thresholds[layer][part]
	for ; len(x) > 0; x = x[weights.K:] {
		a.channels = a.channels[:0]
		for j, v := range x[:weights.K] {
			if weights.In != nil {
				v *= weights.In[j]
			}
			if !(float32(math.Abs(float64(v))) <= threshold) {
				a.channels = append(a.channels, int32(j))
			}
		}
		a.visit(layer, pack.Bundle(part), a.channels)
	}
}

// RowChannels returns how many input channels the bundles of a layer have.
func (d *Decoder) RowChannels() (channels [pack.Bundles]int) {
	for b, p := range d.network.shape.Projections {
		channels[b] = p[0]
	}
	return channels
}
