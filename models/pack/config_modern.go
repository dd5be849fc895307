package pack

import (
	"cmp"
	"encoding/json"
	"fmt"
)

// modernConfig is what config.json says about a ModernBERT. Older files have the rotary
// bases and the layers' kinds in fields of their own, newer ones in rope_parameters and
// layer_types.
type modernConfig struct {
	Activation   string                        `json:"hidden_activation"`
	Layers       int                           `json:"num_hidden_layers"`
	Hidden       int                           `json:"hidden_size"`
	Heads        int                           `json:"num_attention_heads"`
	Intermediate int                           `json:"intermediate_size"`
	Vocabulary   int                           `json:"vocab_size"`
	Positions    int                           `json:"max_position_embeddings"`
	Epsilon      float32                       `json:"norm_eps"`
	GlobalBase   float64                       `json:"global_rope_theta"`
	LocalBase    float64                       `json:"local_rope_theta"`
	GlobalEvery  int                           `json:"global_attn_every_n_layers"`
	Window       int                           `json:"local_attention"`
	LayerKinds   []string                      `json:"layer_types"`
	Scaling      json.RawMessage               `json:"rope_scaling"`
	Rotary       map[string]*rotaryDescription `json:"rope_parameters"`
	HeadPooling  Pooling                       `json:"classifier_pooling"`
	HeadGelu     string                        `json:"classifier_activation"`
	// Biases that these promise must be there; others may be.
	AttentionBias  bool `json:"attention_bias"`
	MLPBias        bool `json:"mlp_bias"`
	NormBias       bool `json:"norm_bias"`
	ClassifierBias bool `json:"classifier_bias"`
}

// config makes a Config of the file, with the architecture's defaults.
func (m *modernConfig) config(f family) (Config, error) {
	if a := cmp.Or(m.Activation, "gelu"); a != "gelu" {
		return Config{}, fmt.Errorf("activation %s is not supported yet; supported: gelu", a)
	}
	if a := cmp.Or(m.HeadGelu, "gelu"); a != "gelu" && f.scores() {
		return Config{}, fmt.Errorf("classifier_activation %s is not supported; supported: gelu", a)
	}
	if err := unscaled(m.Scaling, f); err != nil {
		return Config{}, err
	}
	c := Config{
		Architecture: f.architecture, Layers: m.Layers, Hidden: m.Hidden, Heads: m.Heads, Intermediate: m.Intermediate,
		Vocabulary: m.Vocabulary, Positions: m.Positions, MaxTokens: m.Positions, Epsilon: cmp.Or(m.Epsilon, 1e-5),
		KVHeads: m.Heads,
	}
	if m.Heads < 1 || m.Hidden%m.Heads != 0 {
		return Config{}, fmt.Errorf("the hidden size %d is not a multiple of %d heads", m.Hidden, m.Heads)
	}
	c.HeadDim = m.Hidden / m.Heads
	if f.scores() {
		c.HeadPooling = cmp.Or(m.HeadPooling, CLS)
	}
	kinds := m.LayerKinds
	if kinds == nil {
		kinds = everyGlobal(m.Layers, cmp.Or(m.GlobalEvery, 3), 0)
	}
	var err error
	if c.RotaryBase, err = rotaryBase(m.Rotary[fullAttention], cmp.Or(m.GlobalBase, 160_000)); err != nil {
		return Config{}, err
	}
	base, err := rotaryBase(m.Rotary[slidingAttention], cmp.Or(m.LocalBase, 10_000))
	if err != nil {
		return Config{}, err
	}
	err = c.localLayers(kinds, cmp.Or(m.Window, 128)/2, base)
	return c, err
}

// everyGlobal lists the kinds of layers where every n-th is global.
func everyGlobal(layers, every, global int) []string {
	kinds := make([]string, max(layers, 0))
	for i := range kinds {
		kinds[i] = slidingAttention
		if i%every == global {
			kinds[i] = fullAttention
		}
	}
	return kinds
}

// rotaryBase is the base of the layers of a kind; older is the value of older fields.
func rotaryBase(r *rotaryDescription, older float64) (float64, error) {
	if r == nil {
		return older, nil
	}
	if kind := cmp.Or(r.Kind, r.OlderKind, "default"); kind != "default" || r.Partial != nil && *r.Partial != 1 {
		return 0, fmt.Errorf("rope_parameters of type %s are not supported in an encoder; supported: default", kind)
	}
	return cmp.Or(r.Base, older), nil
}

// localLayers fills in which layers are local, with a window on either side and a base.
func (c *Config) localLayers(kinds []string, window int, base float64) error {
	if len(kinds) != c.Layers {
		return fmt.Errorf("layer_types names %d of %d layers", len(kinds), c.Layers)
	}
	e, first, local := &c.RotaryEncoder, -1, false
	e.GlobalEvery = 1
	for i, kind := range kinds {
		switch {
		case kind == slidingAttention:
			local = true
		case kind != fullAttention:
			return fmt.Errorf("layer_types: %s is not supported; supported: %s, %s", kind, fullAttention, slidingAttention)
		case first < 0:
			first, e.GlobalEvery = i, len(kinds)
		case e.GlobalEvery == len(kinds):
			e.GlobalEvery = i - first
		}
	}
	if !local {
		e.GlobalEvery = 1
		return nil
	}
	if first < 0 {
		return fmt.Errorf("layer_types: at least one %s is needed", fullAttention)
	}
	e.GlobalLayer, e.Window, e.LocalBase = first, window, base
	if window < 1 {
		return fmt.Errorf("a local attention of %d tokens on either side", window)
	}
	for i, kind := range kinds {
		if e.Global(i) != (kind == fullAttention) {
			return fmt.Errorf("layer_types: layer %d breaks the rule that every %d-th layer is of one kind", i, e.GlobalEvery)
		}
	}
	return nil
}

// unscaled refuses rotary positions that a file scales.
func unscaled(scaling json.RawMessage, f family) error {
	if len(scaling) > 0 && string(scaling) != "null" {
		return fmt.Errorf("rope_scaling %s is not supported with %s", scaling, f.architecture)
	}
	return nil
}
