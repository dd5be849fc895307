package pack

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"dowse/models/safetensors"
	"dowse/models/tokenizer"
)

// bertModel is the architecture that packs hold.
const bertModel = "BertModel"

// source is an open Hugging Face folder.
type source struct {
	folder  string
	config  Config
	weights *safetensors.Reader
	file    *os.File
	prefix  string // of tensor names: "" or "bert."

	tokenizer     *tokenizer.Tokenizer
	tokenizerJSON []byte
}

// openSource reads everything of a folder but the weights, and refuses what
// cannot be imported.
func openSource(folder string) (*source, error) {
	config, err := readConfig(folder)
	if err != nil {
		return nil, err
	}
	s := &source{folder: folder, config: config}
	if s.tokenizerJSON, err = os.ReadFile(filepath.Join(folder, "tokenizer.json")); err != nil {
		return nil, err
	}
	if s.tokenizer, err = tokenizer.FromJSON(s.tokenizerJSON); err != nil {
		return nil, err
	}
	if n := s.tokenizer.Size(); n > config.Vocabulary {
		return nil, fmt.Errorf("tokenizer.json has %d tokens, the model embeds %d", n, config.Vocabulary)
	}
	if s.file, err = os.Open(filepath.Join(folder, "model.safetensors")); err != nil {
		return nil, err
	}
	info, err := s.file.Stat()
	if err == nil {
		s.weights, err = safetensors.NewReader(s.file, info.Size())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("model.safetensors: %w", err), s.close())
	}
	if _, ok := s.weights.Tensor("bert." + wordTable); ok {
		s.prefix = "bert."
	}
	return s, nil
}

const wordTable = "embeddings.word_embeddings.weight"

func (s *source) close() error { return s.file.Close() }

// modelConfig is what config.json says about a BERT.
type modelConfig struct {
	Architectures []string `json:"architectures"`
	Activation    string   `json:"hidden_act"`
	Position      string   `json:"position_embedding_type"`
	Layers        int      `json:"num_hidden_layers"`
	Hidden        int      `json:"hidden_size"`
	Heads         int      `json:"num_attention_heads"`
	Intermediate  int      `json:"intermediate_size"`
	Vocabulary    int      `json:"vocab_size"`
	Positions     int      `json:"max_position_embeddings"`
	Types         int      `json:"type_vocab_size"`
	Epsilon       float32  `json:"layer_norm_eps"`
}

// readConfig reads config.json and, where there are any, the files of
// sentence-transformers that say how the model is used. Without them it is mean
// pooling, normalised, over all positions.
func readConfig(folder string) (Config, error) {
	var m modelConfig
	if err := readJSON(folder, "config.json", true, &m); err != nil {
		return Config{}, err
	}
	if !slices.Equal(m.Architectures, []string{bertModel}) {
		return Config{}, fmt.Errorf("architecture %s is not supported yet; supported: %s", joinOrNone(m.Architectures), bertModel)
	}
	if m.Activation != "gelu" {
		return Config{}, fmt.Errorf("activation %s is not supported yet; supported: gelu", m.Activation)
	}
	if m.Position != "" && m.Position != "absolute" {
		return Config{}, fmt.Errorf("position embeddings of type %s are not supported yet; supported: absolute", m.Position)
	}
	c := Config{
		Architecture: bertModel, Layers: m.Layers, Hidden: m.Hidden, Heads: m.Heads, Intermediate: m.Intermediate,
		Vocabulary: m.Vocabulary, Positions: m.Positions, Types: m.Types, Epsilon: m.Epsilon,
		MaxTokens: m.Positions, Pooling: Mean, Normalize: true,
	}
	if err := readUsage(folder, &c); err != nil {
		return Config{}, err
	}
	if err := c.check(); err != nil {
		return Config{}, fmt.Errorf("config.json: %w", err)
	}
	return c, nil
}

// readUsage reads the files of sentence-transformers.
func readUsage(folder string, c *Config) error {
	var sentence struct {
		MaxTokens int `json:"max_seq_length"`
	}
	if err := readJSON(folder, "sentence_bert_config.json", false, &sentence); err != nil {
		return err
	}
	if sentence.MaxTokens > 0 {
		c.MaxTokens = min(sentence.MaxTokens, c.Positions)
	}
	var modules []struct {
		Type string `json:"type"`
		Path string `json:"path"`
	}
	if err := readJSON(folder, "modules.json", false, &modules); err != nil {
		return err
	}
	for i, m := range modules {
		if i == 0 {
			c.Normalize = false
		}
		switch kind := filepath.Ext(m.Type); kind {
		case ".Transformer":
		case ".Normalize":
			c.Normalize = true
		case ".Pooling":
			if err := readPooling(folder, m.Path, c); err != nil {
				return err
			}
		default:
			return fmt.Errorf("modules.json: module %s is not supported; supported: Transformer, Pooling, Normalize", m.Type)
		}
	}
	return nil
}

func readPooling(folder, path string, c *Config) error {
	var p map[string]any
	if !filepath.IsLocal(filepath.FromSlash(path)) {
		return fmt.Errorf("modules.json: the path %q leaves the folder", path)
	}
	if err := readJSON(folder, filepath.Join(filepath.FromSlash(path), "config.json"), true, &p); err != nil {
		return err
	}
	modes := 0
	for key, pooling := range map[string]Pooling{"pooling_mode_mean_tokens": Mean, "pooling_mode_cls_token": CLS} {
		if p[key] == true {
			c.Pooling = pooling
			modes++
		}
	}
	for _, key := range []string{"pooling_mode_max_tokens", "pooling_mode_mean_sqrt_len_tokens", "pooling_mode_weightedmean_tokens", "pooling_mode_lasttoken"} {
		if p[key] == true {
			return fmt.Errorf("%s is not supported; supported: pooling_mode_mean_tokens, pooling_mode_cls_token", key)
		}
	}
	if modes != 1 {
		return fmt.Errorf("the model pools in %d ways; one is supported", modes)
	}
	return nil
}

// readJSON decodes a file of the folder. One that is absent and not needed
// leaves v as it is.
func readJSON(folder, name string, needed bool, v any) error {
	data, err := os.ReadFile(filepath.Join(folder, name))
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

// tensor reads a whole tensor of the given shape, as [rows, columns] or, with
// one row, [columns].
func (s *source) tensor(name string, rows, columns int) ([]float32, error) {
	t, ok := s.weights.Tensor(s.prefix + name)
	if !ok {
		return nil, fmt.Errorf("model.safetensors has no tensor %q", s.prefix+name)
	}
	want := []int{rows, columns}
	if !slices.Equal(t.Shape, want) && !(rows == 1 && slices.Equal(t.Shape, want[1:])) {
		return nil, fmt.Errorf("tensor %q has shape %v, config.json asks for %v", t.Name, t.Shape, want)
	}
	values, err := t.ReadAll()
	if err != nil {
		return nil, err
	}
	for i, v := range values {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return nil, fmt.Errorf("tensor %q holds %v at %d", t.Name, v, i)
		}
	}
	return values, nil
}

// fingerprint identifies what a pack of this source computes.
func (s *source) fingerprint() ([]byte, error) {
	config, err := json.Marshal(s.config)
	if err != nil {
		return nil, err
	}
	weights := sha256.New()
	if _, err := io.Copy(weights, io.NewSectionReader(s.file, 0, math.MaxInt64)); err != nil {
		return nil, fmt.Errorf("model.safetensors: %w", err)
	}
	h := sha256.New()
	tokens := sha256.Sum256(s.tokenizerJSON)
	_, err = fmt.Fprintf(h, "dowse pack %d\n%s\n%x\n%x\n", formatVersion, config, tokens, weights.Sum(nil))
	return h.Sum(nil), err
}
