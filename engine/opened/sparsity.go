package opened

import (
	"errors"
	"io/fs"

	"dowse/engine/swap"
	"dowse/models"
	"dowse/models/pack"
)

// How much may be left out of models that were not trained for it: of larger ones more
// (ActiveFlow 6, TEAL). The perplexity of SmolLM2-135M grows by 12% at .4, by 46% at .5.
const (
	smallSparsity = .4
	largeSparsity = .5
	largeModel    = 7e9 // weights
)

// Sparsity returns what a model of a row pack leaves out where it does not fit: the
// most that its thresholds were measured for within what quality allows. It is nil
// where nothing was measured, so that nothing is left out. The error is about
// thresholds that are there and of no use.
func Sparsity(m models.Installation) (*swap.Sparsity, error) {
	return sparsity(m, func(t *models.Thresholds, l pack.RowLayout) float64 { return max(t.Distilled, usualSparsity(l)) })
}

// SparsityUpTo is Sparsity within another limit, whatever that does to quality.
func SparsityUpTo(m models.Installation, limit float64) (*swap.Sparsity, error) {
	return sparsity(m, func(*models.Thresholds, pack.RowLayout) float64 { return limit })
}

// sparsity reads the thresholds for the most that is left out within a limit.
func sparsity(m models.Installation, limit func(*models.Thresholds, pack.RowLayout) float64) (*swap.Sparsity, error) {
	p, err := pack.OpenRows(m.Rows)
	if err != nil {
		return nil, err
	}
	layout, sum := p.Layout(), p.Fingerprint()
	if err := p.Close(); err != nil {
		return nil, err
	}
	found, err := models.ReadThresholds(m.ThresholdsPath(), sum, m.Config)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, models.ErrOtherWeights) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	level := found.Level(limit(found, layout))
	if level == nil {
		return nil, nil
	}
	s := &swap.Sparsity{Level: level.Sparsity}
	for _, layer := range level.Thresholds {
		s.Thresholds = append(s.Thresholds, [pack.Bundles]float32(layer))
	}
	return s, nil
}

// usualSparsity is the quality limit of a model that was not trained for more.
func usualSparsity(l pack.RowLayout) float64 {
	weights := 0.0
	for b := range pack.Bundles {
		weights += float64(l.Layers) * float64(l.Channels[b]) * float64(l.Outputs[b])
	}
	if weights >= .9*largeModel { // without its embeddings
		return largeSparsity
	}
	return smallSparsity
}
