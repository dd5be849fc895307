package transformer

import (
	"math"
	"sync"
	"time"

	"dowse/engine/kernel"
	"dowse/engine/swap"
	"dowse/models/pack"
)

// switched is what a prompt leaves to the tokens that are decoded behind it: the rows
// that were active most often are kept as its layers go (CoordGen 3.2, with active rows
// in the place of another graph).
type switched struct {
	active *activeCounts   // nil where nothing is left out
	took   []time.Duration // [layers]: what the last round of a prompt took
	budget int64           // bytes of rows
}

// copyRate is how many bytes of rows are copied in a second, about: half of what one
// core of a small computer reaches, since others compute meanwhile.
const copyRate = 2 << 30

// warmFrom returns the first layer whose rows are kept as a prompt goes: the computing
// of the round hides copying those of the layers from there on. A first round has not
// been timed and keeps those of all.
func (s *switched) warmFrom() int {
	layers := len(s.took)
	if layers == 0 || s.took[0] == 0 {
		return 0
	}
	load, each := make([]time.Duration, layers), float64(s.budget)/float64(layers)
	for i := range load {
		load[i] = time.Duration(each / copyRate * float64(time.Second))
	}
	return layers - swap.SwitchPlan(s.took, load)
}

// activeCounts is an inputObserver that counts how often a channel is above its
// threshold while a prompt is computed in full.
type activeCounts struct {
	thresholds Thresholds
	mu         sync.Mutex
	counts     [][pack.Bundles][]int32 // [layers], [channels]
}

func newActiveCounts(t Thresholds, l pack.RowLayout) *activeCounts {
	a := &activeCounts{thresholds: t, counts: make([][pack.Bundles][]int32, l.Layers)}
	for i := range a.counts {
		for b := range pack.Bundles {
			a.counts[i][b] = make([]int32, l.Channels[b])
		}
	}
	return a
}

func (a *activeCounts) see(layer, part int, x []float32, weights *kernel.Linear) {
	a.mu.Lock()
	defer a.mu.Unlock()
	counts, threshold := a.counts[layer][part], a.thresholds[layer][part]
	for len(x) > 0 {
		for j, v := range x[:weights.K] {
			if weights.In != nil {
				v *= weights.In[j]
			}
			if !(float32(math.Abs(float64(v))) <= threshold) {
				counts[j]++
			}
		}
		x = x[weights.K:]
	}
}

// reset begins with another prompt.
func (a *activeCounts) reset() {
	if a == nil {
		return
	}
	for i := range a.counts {
		for b := range pack.Bundles {
			clear(a.counts[i][b])
		}
	}
}

// watchPrompt has the channels of a prompt counted until the end of the round.
func (d *Decoder) watchPrompt() (end func()) {
	if d.swap == nil || d.swap.active == nil || d.network.observer != nil {
		return func() {}
	}
	d.network.observer = d.swap.active
	return func() { d.network.observer = nil }
}

// switchLayer keeps the rows of a layer that a prompt has just left, and notes what the
// layer took.
func (d *Decoder) switchLayer(layer int, took time.Duration) {
	if d.swap == nil || d.swap.active == nil {
		return
	}
	if s := d.swap; !d.options.Cold && !s.passes.dense && layer >= s.warmFrom() {
		s.swapper.Warm(layer, s.active.counts[layer])
	}
	d.swap.took[layer] = took
}
