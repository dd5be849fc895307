package opened

import (
	"context"
	"errors"
	"slices"

	"dowse/engine/kernel"
	"dowse/engine/swap/calibrate"
	"dowse/engine/transformer"
	"dowse/models"
)

// Calibration is a text that thresholds of sparsity are measured on.
type Calibration struct {
	Name  string // in words, for people
	Texts []string
}

// How much is read to calibrate: little, since all of it is read some thirty times. It
// takes SmolLM2-135M half a minute on two cores.
const (
	calibrationWindows = 2
	calibrationTokens  = 512
)

// calibrationLevels are the sparsities that thresholds are measured for.
var calibrationLevels = []float64{.3, .4, .5, .6, .7}

// levelsFor adds the level that a model was distilled for to the usual ones.
func levelsFor(distilled float64) []float64 {
	if distilled == 0 || slices.Contains(calibrationLevels, distilled) {
		return calibrationLevels
	}
	return slices.Sorted(slices.Values(append(slices.Clone(calibrationLevels), distilled)))
}

// Calibrated reports whether there are thresholds for the row pack of a model.
func Calibrated(m models.Installation) (bool, error) {
	s, err := SparsityUpTo(m, 1)
	return s != nil, err
}

// Calibrate measures what the row pack of a model may leave out, and writes it beside
// the pack. progress, unless nil, is told how many tokens of how many are computed. The
// model holds at most budget bytes; 0 is any number.
func Calibrate(ctx context.Context, m models.Installation, k *kernel.Kernel, threads int, budget int64, on Calibration, progress func(done, total int)) (err error) {
	windowed := transformer.DecoderOptions{Threads: threads, Budget: budget, MaxTokens: calibrationTokens}
	d, err := transformer.OpenDecoder(ctx, m.Rows, k, windowed)
	if err != nil {
		return UnusableStreamed(m.Name, err, "convert it again")
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	found, err := calibrate.Run(ctx, d, on.Texts, calibrate.Options{
		Text: on.Name, Levels: levelsFor(m.Config.Distilled), Windows: calibrationWindows, Tokens: calibrationTokens,
	}, progress)
	if err != nil {
		return err
	}
	return found.Write(m.ThresholdsPath())
}
