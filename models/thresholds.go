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

// Thresholds say which channels of a decoder's inputs are active: those whose
// magnitude exceeds the threshold of their layer and bundle, as measured on a
// text (ActiveFlow 6, TEAL). They are thresholds.json beside the weights:
//
//	{"model": "0123...", "text": "notes", "tokens": 8192, "perplexity": 17.2, "levels": [
//	  {"sparsity": 0.5, "measured": 0.498, "perplexity": 19.1, "thresholds": [[0.01, 0.2, 0.02, 0.3], ...]}]}
type Thresholds struct {
	Model      string          `json:"model"`               // fingerprint of the row pack, hex; valid for it alone
	Text       string          `json:"text"`                // the calibration text, in words
	Tokens     int             `json:"tokens"`              // of the text
	Perplexity float64         `json:"perplexity"`          // of the dense model
	Distilled  float64         `json:"distilled,omitempty"` // sparsity of distillation; 0: none
	Levels     []SparsityLevel `json:"levels"`              // by ascending sparsity
}

// SparsityLevel is the thresholds for one sparsity.
type SparsityLevel struct {
	Sparsity   float64     `json:"sparsity"`   // requested share of channels left out, between 0 and 1
	Measured   float64     `json:"measured"`   // measured share
	Perplexity float64     `json:"perplexity"` // of the sparse model
	Thresholds [][]float32 `json:"thresholds"` // by layer and bundle
}

const thresholdsFile = "thresholds.json"

// ThresholdsPath returns the path of the thresholds, beside the weights.
func (i Installation) ThresholdsPath() string {
	return filepath.Join(filepath.Dir(i.Path), thresholdsFile)
}

// ReadThresholds reads thresholds for weights with a fingerprint and
// configuration. The error wraps os.ErrNotExist or ErrOtherWeights.
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

// Write replaces the file at path. The thresholds must pass Check.
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

// ErrOtherWeights says that thresholds belong to other weights.
var ErrOtherWeights = errors.New("the thresholds were measured with other weights: calibrate again")

// Check validates thresholds for weights with a fingerprint and configuration.
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

// perplexity reports whether p can be one: at least 1.
func perplexity(p float64) bool { return p >= 1 && !math.IsInf(p, 0) }

// Level returns the level with the largest sparsity up to the wanted one, or
// nil.
func (t *Thresholds) Level(sparsity float64) *SparsityLevel {
	var found *SparsityLevel
	for i := range t.Levels {
		if t.Levels[i].Sparsity <= sparsity {
			found = &t.Levels[i]
		}
	}
	return found
}
