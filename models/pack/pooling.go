package pack

import (
	"fmt"
	"slices"
	"strings"
)

// Pooling says how the states of the tokens become one vector.
type Pooling string

// The ways of pooling. All tokens include those of the prompt and special ones.
const (
	Mean         Pooling = "mean"          // of all tokens
	CLS          Pooling = "cls"           // the first token
	Max          Pooling = "max"           // of all tokens, number by number
	LastToken    Pooling = "last"          // the last token
	MeanSqrt     Pooling = "mean_sqrt"     // the sum of all tokens by the root of their number
	WeightedMean Pooling = "weighted_mean" // of all tokens, the n-th by weight n
)

// poolings are all ways, with the names of sentence-transformers: the switch in its module's
// settings, and the mode of later versions.
var poolings = []struct {
	pooling    Pooling
	flag, mode string
}{
	{Mean, "pooling_mode_mean_tokens", "mean"},
	{CLS, "pooling_mode_cls_token", "cls"},
	{Max, "pooling_mode_max_tokens", "max"},
	{LastToken, "pooling_mode_lasttoken", "lasttoken"},
	{MeanSqrt, "pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len_tokens"},
	{WeightedMean, "pooling_mode_weightedmean_tokens", "weightedmean"},
}

// known reports whether packs know a way of pooling.
func (p Pooling) known() bool {
	for _, known := range poolings {
		if known.pooling == p {
			return true
		}
	}
	return false
}

// poolingOf returns the one way that the settings of a module Pooling name.
func poolingOf(settings map[string]any) (Pooling, error) {
	var found []Pooling
	var modes, known []string
	for _, way := range poolings {
		known = append(known, way.mode)
		if settings[way.flag] == true || settings["pooling_mode"] == way.mode {
			found = append(found, way.pooling)
		}
	}
	for name, value := range settings {
		if strings.HasPrefix(name, "pooling_mode_") && value == true {
			modes = append(modes, strings.TrimPrefix(name, "pooling_mode_"))
		}
	}
	if mode, ok := settings["pooling_mode"].(string); ok {
		modes = append(modes, mode)
	}
	if len(found) != 1 || len(modes) > 1 {
		slices.Sort(modes)
		return "", fmt.Errorf("the model pools by %s; one of these ways is supported: %s", joinOrNone(modes), strings.Join(known, ", "))
	}
	return found[0], nil
}

// checkOutput verifies that the model makes either vectors or scores.
func (c *Config) checkOutput(f family) error {
	switch c.Head {
	case NoHead, DenseHead, DenseTanhHead:
		if f.scores() {
			return fmt.Errorf("architecture %s without a head that scores", c.Architecture)
		}
		if !c.Pooling.known() {
			return fmt.Errorf("pooling %q is not supported", c.Pooling)
		}
		if (c.Dimensions != 0) != (c.Head != NoHead) || c.Dimensions < 0 || c.Dimensions > maxWidth {
			return fmt.Errorf("vectors of %d numbers with the head %q", c.Dimensions, c.Head)
		}
	case TanhHead, GeluHead, LayerHeads:
		if c.Head == GeluHead && !f.rotates || c.Head == TanhHead && f.rotates {
			return fmt.Errorf("architecture %s with the head %q", c.Architecture, c.Head)
		}
		if !f.scores() || c.Pooling != "" || c.Normalize || c.Dimensions != 0 || c.QueryPrompt != "" || c.PassagePrompt != "" {
			return fmt.Errorf("architecture %s makes vectors and has the head %q", c.Architecture, c.Head)
		}
	default:
		return fmt.Errorf("head %q is not supported; supported: tanh, gelu, layers, dense, dense_tanh", c.Head)
	}
	return nil
}
