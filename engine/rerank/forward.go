package rerank

import "context"

// Forward is a cross-encoder at work on the candidates 0..n-1 of one query.
// It owns their tokens and hidden states; this package decides which of them
// go on. A candidate that was left out of one layer never comes back, so its
// states may be given up.
//
// The results of a candidate must not depend on which others are active:
// pruning, replay and calibration all rest on it.
type Forward interface {
	// Layers is the number of layers, at least 1.
	Layers() int
	// Advance computes one layer, in place, for the candidates in active,
	// which ascend. It is called with layer 0, 1, 2, ... It returns soon, with
	// an error, once ctx is done. It may neither change nor keep active.
	Advance(ctx context.Context, layer int, active []int) error
	// Scores writes to dst[i] the margin of candidate active[i]: the output of
	// the model's head on the states after the layer that Advance computed
	// last, before any sigmoid. It must be finite; higher is more relevant.
	// It may keep neither slice.
	Scores(layer int, active []int, dst []float32)
}
