package pack

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// gemmaConfig is what config.json says about a Gemma 3 of text.
type gemmaConfig struct {
	Activation    string                        `json:"hidden_activation"`
	Layers        int                           `json:"num_hidden_layers"`
	Hidden        int                           `json:"hidden_size"`
	Heads         int                           `json:"num_attention_heads"`
	KVHeads       int                           `json:"num_key_value_heads"`
	HeadDim       int                           `json:"head_dim"`
	Intermediate  int                           `json:"intermediate_size"`
	Vocabulary    int                           `json:"vocab_size"`
	Positions     int                           `json:"max_position_embeddings"`
	Epsilon       float32                       `json:"rms_norm_eps"`
	GlobalBase    float64                       `json:"rope_theta"`
	LocalBase     float64                       `json:"rope_local_base_freq"`
	GlobalEvery   int                           `json:"_sliding_window_pattern"`
	OlderEvery    int                           `json:"sliding_window_pattern"`
	Window        int                           `json:"sliding_window"`
	LayerKinds    []string                      `json:"layer_types"`
	Scaling       json.RawMessage               `json:"rope_scaling"`
	Rotary        map[string]*rotaryDescription `json:"rope_parameters"`
	QueryScalar   float64                       `json:"query_pre_attn_scalar"`
	Bidirectional bool                          `json:"use_bidirectional_attention"`
	Softcap       *float64                      `json:"attn_logit_softcapping"`
	FinalSoftcap  *float64                      `json:"final_logit_softcapping"`
}

// gemmaNames are the tensors of a Gemma 3.
var gemmaNames = rotaryNames{
	words: "embed_tokens", final: "norm",
	attentionNorm: "input_layernorm", query: "self_attn.q_proj", key: "self_attn.k_proj", value: "self_attn.v_proj",
	queryNorm: "self_attn.q_norm", keyNorm: "self_attn.k_norm", attention: "self_attn.o_proj", attentionOutputNorm: "post_attention_layernorm",
	innerNorm: "pre_feedforward_layernorm", gate: "mlp.gate_proj", up: "mlp.up_proj", down: "mlp.down_proj", outputNorm: "post_feedforward_layernorm",
}

// readGemma reads config.json of such a Gemma.
func (s *source) readGemma(folder string) error {
	var m gemmaConfig
	if err := readJSON(folder, "config.json", true, &m); err != nil {
		return err
	}
	var err error
	if s.config, err = m.config(s.family); err != nil {
		return fmt.Errorf("config.json: %w", err)
	}
	s.rotary, s.queryScale = gemmaNames, 1
	if m.QueryScalar > 0 { // attention divides by the root of the head's width
		s.queryScale = float32(math.Sqrt(float64(s.config.HeadDim) / m.QueryScalar))
	}
	return nil
}

// gemmaEndOfTurn ends an answer, whatever a GGUF file names.
const gemmaEndOfTurn = "<end_of_turn>"

// What Gemma 3 has where nothing is said.
const (
	gemmaGlobalBase  = 1_000_000
	gemmaLocalBase   = 10_000
	gemmaGlobalEvery = 6
	gemmaLayers27B   = 62 // of the one whose attention is not scaled by the width of a head
)

// readGemmaDecoder reads the settings of a Gemma that writes.
func (s *source) readGemmaDecoder(folder string, usual *decoderConfig) error {
	var m gemmaConfig
	if err := readJSON(folder, "config.json", true, &m); err != nil {
		return err
	}
	var err error
	if s.config, err = m.decoder(s.family); err != nil {
		return fmt.Errorf("config.json: %w", err)
	}
	s.names, s.oneMore = folderNames(s.family), true
	if m.QueryScalar > 0 {
		s.queryScale = float32(math.Sqrt(float64(s.config.HeadDim) / m.QueryScalar))
	}
	return s.readPrompting(folder, usual)
}

// decoder makes the Config of a Gemma that writes.
func (m *gemmaConfig) decoder(f family) (Config, error) {
	c, err := m.shape(f)
	if err != nil {
		return Config{}, err
	}
	if m.Bidirectional {
		return Config{}, fmt.Errorf("a %s whose tokens attend to those behind them is not supported", f.architecture)
	}
	if m.FinalSoftcap != nil {
		return Config{}, errors.New("final_logit_softcapping is not supported")
	}
	c.Decoder, c.TiedOutput, c.SlidingWindow = true, true, cmp.Or(m.Window, 4096)
	every := cmp.Or(m.GlobalEvery, m.OlderEvery, gemmaGlobalEvery)
	if m.LayerKinds != nil { // which outweighs the number
		if every = slices.Index(m.LayerKinds, fullAttention) + 1; every == 0 {
			every = len(m.LayerKinds) + 1
		}
		if !slices.Equal(m.LayerKinds, everyGlobal(m.Layers, every, every-1)) {
			return Config{}, fmt.Errorf("layer_types is supported if the last of every %d of %d layers attends to all tokens", every, m.Layers)
		}
	}
	c.Gemma.GlobalEvery = every
	c.Gemma.LocalBase, err = rotaryBase(m.Rotary[slidingAttention], cmp.Or(m.LocalBase, gemmaLocalBase))
	return c, cmp.Or(err, c.check())
}

// config makes a Config of what the file says, with the defaults of the architecture.
func (m *gemmaConfig) config(f family) (Config, error) {
	if !m.Bidirectional {
		return Config{}, errors.New("use_bidirectional_attention is not set: a Gemma that embeds is supported if its tokens attend in both directions")
	}
	c, err := m.shape(f)
	if err != nil {
		return Config{}, err
	}
	c.RotaryEncoder = RotaryEncoder{Gemma: true}
	kinds := m.LayerKinds
	if kinds == nil {
		every := cmp.Or(m.GlobalEvery, m.OlderEvery, gemmaGlobalEvery)
		kinds = everyGlobal(m.Layers, every, every-1)
	}
	base, err := rotaryBase(m.Rotary[slidingAttention], cmp.Or(m.LocalBase, gemmaLocalBase))
	if err != nil {
		return Config{}, err
	}
	return c, c.localLayers(kinds, cmp.Or(m.Window, 4096)/2, base)
}

// shape is what both kinds of Gemma have.
func (m *gemmaConfig) shape(f family) (Config, error) {
	switch {
	case cmp.Or(m.Activation, "gelu_pytorch_tanh") != "gelu_pytorch_tanh":
		return Config{}, fmt.Errorf("activation %s is not supported yet; supported: gelu_pytorch_tanh", m.Activation)
	case m.Softcap != nil:
		return Config{}, errors.New("attn_logit_softcapping is not supported")
	}
	if err := unscaled(m.Scaling, f); err != nil {
		return Config{}, err
	}
	c := Config{
		Architecture: f.architecture, Layers: m.Layers, Hidden: m.Hidden, Heads: m.Heads, Intermediate: m.Intermediate,
		Vocabulary: m.Vocabulary, Positions: m.Positions, MaxTokens: m.Positions, Epsilon: cmp.Or(m.Epsilon, 1e-6),
		KVHeads: cmp.Or(m.KVHeads, m.Heads), HeadDim: cmp.Or(m.HeadDim, 256), QKNorm: true,
	}
	var err error
	c.RotaryBase, err = rotaryBase(m.Rotary[fullAttention], cmp.Or(m.GlobalBase, gemmaGlobalBase))
	return c, err
}
