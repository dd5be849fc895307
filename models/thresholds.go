package models

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"dowse/internal/atomicfile"
	"dowse/models/internal/smallfile"
	"dowse/models/pack"
)

// Thresholds say which channels of a decoder's inputs are active, as measured on a
// text: those whose magnitude exceeds the threshold of their layer and bundle
// (ActiveFlow 6, TEAL). They lie as thresholds.json beside the weights:
//
//	{"model": "0123...", "text": "notes", "tokens": 8192, "perplexity": 17.2, "levels": [
//	  {"sparsity": 0.5, "measured": 0.498, "perplexity": 19.1, "thresholds": [[0.01, 0.2, 0.02, 0.3], ...]}]}
type Thresholds struct {
	Model      string          `json:"model"`               // fingerprint of the row pack, in hex: for other weights they mean nothing
	Text       string          `json:"text"`                // what they were calibrated on, in words
	Tokens     int             `json:"tokens"`              // of that text
	Perplexity float64         `json:"perplexity"`          // of the dense model on it
	Distilled  float64         `json:"distilled,omitempty"` // sparsity that the weights were distilled for; 0 for none
	Levels     []SparsityLevel `json:"levels"`              // from the least sparsity on
}

// SparsityLevel is the thresholds for one sparsity.
type SparsityLevel struct {
	Sparsity   float64     `json:"sparsity"`   // share of the channels that is to be left out, above 0 and below 1
	Measured   float64     `json:"measured"`   // share that was
	Perplexity float64     `json:"perplexity"` // of the sparse model
	Thresholds [][]float32 `json:"thresholds"` // by layer and bundle
}

// thresholdsFile is Thresholds in the folder of a model.
const thresholdsFile = "thresholds.json"

// ThresholdsPath returns where the thresholds of a model lie, or would lie: beside
// its weights, which several jobs may share.
func (i Installation) ThresholdsPath() string {
	return filepath.Join(filepath.Dir(i.Path), thresholdsFile)
}

// ReadThresholds reads the thresholds at path for the weights with a fingerprint and
// configuration. The error wraps os.ErrNotExist where there are none, and
// ErrOtherWeights where they are of other weights.
func ReadThresholds(path string, fingerprint [32]byte, c pack.Config) (*Thresholds, error) {
	data, err := smallfile.Read(path, smallfile.Settings)
	if err != nil {
		return nil, err
	}
	t := &Thresholds{}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err = decoder.Decode(t); err == nil {
		err = t.Check(fingerprint, c)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// Write writes the thresholds to path, as a whole. They must pass Check.
func (t *Thresholds) Write(path string) error {
	data, err := json.Marshal(t)
	if err == nil {
		err = atomicfile.WriteFile(path, data, 0o644)
	}
	if err != nil {
		return fmt.Errorf("write the thresholds: %w", err)
	}
	return nil
}

// ErrOtherWeights says that thresholds were measured with other weights.
var ErrOtherWeights = errors.New("the thresholds were measured with other weights: calibrate again")

// Check refuses what cannot be, and what is not for the weights with a fingerprint
// and configuration.
func (t *Thresholds) Check(fingerprint [32]byte, c pack.Config) error {
	switch {
	case t.Model != hex.EncodeToString(fingerprint[:]):
		return ErrOtherWeights
	case t.Tokens < 1 || t.Text == "":
		return fmt.Errorf("calibrated on %d tokens of %q; want some, and what they are", t.Tokens, t.Text)
	case !perplexity(t.Perplexity):
		return fmt.Errorf("a perplexity of %g", t.Perplexity)
	case !(t.Distilled >= 0 && t.Distilled < 1):
		return fmt.Errorf("distilled for a sparsity of %g", t.Distilled)
	case len(t.Levels) == 0:
		return errors.New("thresholds of no level")
	}
	last := 0.0
	for _, l := range t.Levels {
		if !(l.Sparsity > last) {
			return fmt.Errorf("sparsity %g after %g; want them to grow from above 0", l.Sparsity, last)
		}
		last = l.Sparsity
		if err := l.check(c); err != nil {
			return fmt.Errorf("sparsity %g: %w", l.Sparsity, err)
		}
	}
	return nil
}

// check refuses a level that is not one of a model.
func (l *SparsityLevel) check(c pack.Config) error {
	switch {
	case !(l.Sparsity < 1):
		return errors.New("want less than 1")
	case !(l.Measured >= 0 && l.Measured <= 1):
		return fmt.Errorf("%g were measured", l.Measured)
	case !perplexity(l.Perplexity):
		return fmt.Errorf("a perplexity of %g", l.Perplexity)
	case len(l.Thresholds) != c.Layers:
		return fmt.Errorf("thresholds of %d layers for a model of %d", len(l.Thresholds), c.Layers)
	}
	for i, layer := range l.Thresholds {
		if len(layer) != int(pack.Bundles) {
			return fmt.Errorf("%d thresholds of layer %d; want %d", len(layer), i, int(pack.Bundles))
		}
		for b, v := range layer {
			if !(v >= 0) || math.IsInf(float64(v), 0) {
				return fmt.Errorf("the threshold of layer %d, %v, is %g", i, pack.Bundle(b), v)
			}
		}
	}
	return nil
}

// perplexity reports whether one can be that: no less than 1.
func perplexity(p float64) bool { return p >= 1 && !math.IsInf(p, 0) }

// Level returns the thresholds for the largest sparsity that is not above the one
// that is wanted; nil where there is none.
func (t *Thresholds) Level(sparsity float64) *SparsityLevel {
	var found *SparsityLevel
	for i := range t.Levels {
		if t.Levels[i].Sparsity <= sparsity {
			found = &t.Levels[i]
		}
	}
	return found
}
