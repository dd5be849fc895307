package pack

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dowse/models/internal/smallfile"
)

// modelConfig is config.json of a model of the BERT family.
type modelConfig struct {
	Activation   string  `json:"hidden_act"`
	Position     string  `json:"position_embedding_type"`
	Layers       int     `json:"num_hidden_layers"`
	Hidden       int     `json:"hidden_size"`
	Heads        int     `json:"num_attention_heads"`
	Intermediate int     `json:"intermediate_size"`
	Vocabulary   int     `json:"vocab_size"`
	Positions    int     `json:"max_position_embeddings"`
	Types        int     `json:"type_vocab_size"`
	Epsilon      float32 `json:"layer_norm_eps"`
	Padding      *int    `json:"pad_token_id"`
	Buckets      int     `json:"relative_attention_num_buckets"`
	Decoder      bool    `json:"is_decoder"`
}

// readFamily reads the architecture in config.json.
func readFamily(folder string) (family, error) {
	var m struct {
		Architectures []string `json:"architectures"`
	}
	if err := readJSON(folder, "config.json", true, &m); err != nil {
		return family{}, err
	}
	if len(m.Architectures) != 1 {
		return family{}, unsupported(joinOrNone(m.Architectures))
	}
	f, ok := familyOf(m.Architectures[0])
	if !ok {
		return family{}, unsupported(joinOrNone(m.Architectures))
	}
	return f, nil
}

// readEncoder reads config.json of an encoder and the files of sentence-transformers, without
// which inputs have all positions and vectors are the normalised mean.
func (s *source) readEncoder(folder string) error {
	var err error
	switch {
	case s.family.gemma:
		err = s.readGemma(folder)
	case s.family.rotates:
		err = s.readModern(folder)
	default:
		s.config, err = readBERT(folder, s.family)
	}
	if err != nil {
		return err
	}
	if err := s.readUsage(folder); err != nil {
		return err
	}
	// The head is known from the weights; until then any that fits will do.
	probe := s.config
	if s.family.scores() {
		probe.Head = s.family.head()
	}
	if err := probe.check(); err != nil {
		return fmt.Errorf("config.json: %w", err)
	}
	return nil
}

// readModern reads config.json of a ModernBERT.
func (s *source) readModern(folder string) error {
	var m modernConfig
	if err := readJSON(folder, "config.json", true, &m); err != nil {
		return err
	}
	var err error
	if s.config, err = m.config(s.family); err != nil {
		return fmt.Errorf("config.json: %w", err)
	}
	s.rotary = modernNames
	for _, promised := range []struct {
		biases bool
		names  []string
	}{
		{m.AttentionBias, []string{modernNames.query, modernNames.attention}},
		{m.MLPBias, []string{modernNames.gate, modernNames.down}},
		{m.NormBias, []string{modernNames.attentionNorm, modernNames.innerNorm}},
	} {
		if promised.biases {
			s.biases = append(s.biases, promised.names...)
		}
	}
	return nil
}

// readBERT reads config.json of an encoder of BERT's kind.
func readBERT(folder string, f family) (c Config, err error) {
	var m modelConfig
	if err := readJSON(folder, "config.json", true, &m); err != nil {
		return Config{}, err
	}
	if err := m.check(); err != nil {
		return Config{}, err
	}
	c = Config{
		Architecture: f.architecture, Layers: m.Layers, Hidden: m.Hidden, Heads: m.Heads, Intermediate: m.Intermediate,
		Vocabulary: m.Vocabulary, Positions: m.Positions, Types: m.Types, Epsilon: m.Epsilon,
	}
	if f.afterPadding {
		c.FirstPosition = 2 // after XLM-RoBERTa's padding token, 1
		if m.Padding != nil && !f.relative {
			c.FirstPosition = *m.Padding + 1
		}
	}
	if f.relative {
		c.RelativeBuckets, c.Types = cmp.Or(m.Buckets, relativeBuckets), 1 // a type of zeros
	}
	c.MaxTokens = c.Room()
	return c, nil
}

// check refuses unsupported settings.
func (m *modelConfig) check() error {
	switch {
	case m.Activation != "gelu":
		return fmt.Errorf("activation %s is not supported yet; supported: gelu", m.Activation)
	case m.Position != "" && m.Position != "absolute":
		return fmt.Errorf("position embeddings of type %s are not supported yet; supported: absolute", m.Position)
	case m.Decoder:
		return errors.New("is_decoder is not supported: the model must attend in both directions")
	}
	return nil
}

// readJSON decodes a file of the folder into v; a missing file is no error unless needed.
func readJSON(folder, name string, needed bool, v any) error {
	data, err := smallfile.Read(filepath.Join(folder, name), smallfile.Settings)
	if errors.Is(err, os.ErrNotExist) && !needed {
		return nil
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func joinOrNone(names []string) string {
	if len(names) == 0 {
		return "(none named)"
	}
	return fmt.Sprint(names)
}
