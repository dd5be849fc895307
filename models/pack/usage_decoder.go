package pack

import (
	"cmp"
	"encoding/json"
	"fmt"
)

// decoderConfig is what config.json says about a decoder. Older files have the
// rotary settings beside the others, newer ones in rope_parameters.
type decoderConfig struct {
	Activation    string             `json:"hidden_act"`
	Layers        int                `json:"num_hidden_layers"`
	Hidden        int                `json:"hidden_size"`
	Heads         int                `json:"num_attention_heads"`
	KVHeads       int                `json:"num_key_value_heads"`
	HeadDim       int                `json:"head_dim"`
	Intermediate  int                `json:"intermediate_size"`
	Vocabulary    int                `json:"vocab_size"`
	Positions     int                `json:"max_position_embeddings"`
	Epsilon       *float32           `json:"rms_norm_eps"`
	RotaryBase    float64            `json:"rope_theta"`
	Scaling       *rotaryDescription `json:"rope_scaling"`
	Rotary        *rotaryDescription `json:"rope_parameters"`
	UseWindow     bool               `json:"use_sliding_window"`
	Window        int                `json:"sliding_window"`
	FullLayers    *int               `json:"max_window_layers"`
	LayerKinds    []string           `json:"layer_types"`
	Tied          bool               `json:"tie_word_embeddings"`
	AttentionBias bool               `json:"attention_bias"`
	MLPBias       bool               `json:"mlp_bias"`
	Stop          json.RawMessage    `json:"eos_token_id"`
	Causal        *bool              `json:"is_causal"`
	Bidirectional bool               `json:"use_bidirectional_attention"`
	Distilled     float64            `json:"distilled_for_sparsity"` // as train/answers/distill.py writes it
	mixtureConfig
}

// rotaryDescription is rope_scaling or rope_parameters.
type rotaryDescription struct {
	Base              float64  `json:"rope_theta"`
	Kind              string   `json:"rope_type"`
	OlderKind         string   `json:"type"`
	Factor            float64  `json:"factor"`
	LowFrequency      float64  `json:"low_freq_factor"`
	HighFrequency     float64  `json:"high_freq_factor"`
	OriginalPositions int      `json:"original_max_position_embeddings"`
	Partial           *float64 `json:"partial_rotary_factor"`
}

// config makes a Config of the file, with the architectures' defaults.
func (m *decoderConfig) config(f family) (Config, error) {
	if m.Activation != "silu" {
		return Config{}, fmt.Errorf("activation %s is not supported yet; supported: silu", m.Activation)
	}
	c := Config{
		Architecture: f.architecture, Layers: m.Layers, Hidden: m.Hidden, Heads: m.Heads, Intermediate: m.Intermediate,
		Vocabulary: m.Vocabulary, Positions: m.Positions, MaxTokens: m.Positions, Epsilon: 1e-6,
		Decoder: true, KVHeads: cmp.Or(m.KVHeads, m.Heads), HeadDim: m.HeadDim, TiedOutput: m.Tied, QKNorm: f.qkNorm,
		Distilled: m.Distilled,
	}
	if m.Epsilon != nil {
		c.Epsilon = *m.Epsilon
	}
	if c.HeadDim == 0 && f.headDim > 0 {
		c.HeadDim = f.headDim
	} else if c.HeadDim == 0 && c.Heads > 0 {
		c.HeadDim = c.Hidden / c.Heads
	}
	if err := m.rotary(&c); err != nil {
		return Config{}, err
	}
	if err := m.window(&c, f); err != nil {
		return Config{}, err
	}
	if err := m.mixture(&c, f); err != nil {
		return Config{}, err
	}
	if f.bare { // how it pools is not read yet
		return c, nil
	}
	return c, c.check()
}

// rotary fills in the rotary embedding.
func (m *decoderConfig) rotary(c *Config) error {
	r := m.Rotary
	if r == nil {
		r = m.Scaling
	}
	if r == nil {
		r = &rotaryDescription{}
	}
	c.RotaryBase = cmp.Or(r.Base, m.RotaryBase, 10000)
	if r.Partial != nil && *r.Partial != 1 {
		return fmt.Errorf("partial_rotary_factor %g is not supported; supported: 1", *r.Partial)
	}
	switch kind := cmp.Or(r.Kind, r.OlderKind, "default"); kind {
	case "default":
	case Llama3Scaling:
		c.RotaryScaling = RotaryScaling{
			Kind: kind, Factor: r.Factor, LowFrequency: r.LowFrequency, HighFrequency: r.HighFrequency,
			OriginalPositions: r.OriginalPositions,
		}
	default: // check refuses what is not linear
		c.RotaryScaling = RotaryScaling{Kind: kind, Factor: r.Factor}
	}
	return nil
}

// The kinds of attention in layer_types.
const (
	fullAttention    = "full_attention"
	slidingAttention = "sliding_attention"
)

// window fills in the sliding window: that of the layers from max_window_layers
// on, or of those that layer_types names, where it is switched on.
func (m *decoderConfig) window(c *Config, f family) error {
	if f.everyWindow {
		if m.Window > 0 && (m.UseWindow || f.alwaysWindow) {
			c.SlidingWindow = m.Window
		}
		return nil
	}
	if f.permuted || !m.UseWindow || m.Window <= 0 { // Llama has none
		return nil
	}
	from := 28 // the architectures' default
	if m.FullLayers != nil {
		from = *m.FullLayers
	}
	if m.LayerKinds != nil {
		from = 0
		for from < len(m.LayerKinds) && m.LayerKinds[from] == fullAttention {
			from++
		}
		if len(m.LayerKinds) != m.Layers {
			return fmt.Errorf("layer_types names %d of %d layers", len(m.LayerKinds), m.Layers)
		}
		for i, kind := range m.LayerKinds[from:] {
			if kind != slidingAttention {
				return fmt.Errorf("layer_types: %s in layer %d after a sliding window is not supported", kind, from+i)
			}
		}
	}
	if from < m.Layers {
		c.SlidingWindow, c.SlidingFrom = m.Window, from
	}
	return nil
}
