package swap

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/models/pack"
)

// Counts are those of a plain count, channel by channel, over several calls.
func TestActiveCountsAreThoseOfAPlainCount(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 0))
	const channels, rows = 7, 40
	layout := pack.RowLayout{Layers: 2}
	layout.Channels[pack.DownBundle] = channels
	thresholds := make(Thresholds, 2)
	thresholds[1][pack.DownBundle] = .5
	x, in := make([]float32, rows*channels), make([]float32, channels)
	for i := range x {
		x[i] = 2*rng.Float32() - 1
	}
	x[3] = float32(math.NaN()) // is active
	for i := range in {
		in[i] = .5 + rng.Float32()
	}
	for _, in := range [][]float32{nil, in} {
		counts, want := newActiveCounts(thresholds, layout), make([]int32, channels)
		w := &pack.Linear{K: channels, In: in}
		counts.See(1, pack.DownBundle, x[:10*channels], w)
		counts.See(1, pack.DownBundle, x[10*channels:], w)
		for i, v := range x {
			if in != nil {
				v *= in[i%channels]
			}
			if !(v <= .5 && v >= -.5) {
				want[i%channels]++
			}
		}
		if got := counts.counts[1][pack.DownBundle]; !slices.Equal(got, want) {
			t.Errorf("with scales %v: %v, want %v", in, got, want)
		}
		counts.reset()
		if slices.Max(counts.counts[1][pack.DownBundle]) != 0 {
			t.Error("counts are left after a reset")
		}
	}
}
