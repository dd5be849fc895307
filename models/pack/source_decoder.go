package pack

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"dowse/models/internal/smallfile"
)

// readDecoder reads the settings in a decoder's folder.
func (s *source) readDecoder(folder string) error {
	var m decoderConfig
	if err := readJSON(folder, "config.json", true, &m); err != nil {
		return err
	}
	if s.family.gemma {
		return s.readGemmaDecoder(folder, &m)
	}
	if m.Bidirectional || m.Causal != nil && !*m.Causal {
		return fmt.Errorf("config.json: a %s whose tokens attend to those behind them is not supported", s.family.architecture)
	}
	var err error
	if s.config, err = m.config(s.family); err != nil {
		return fmt.Errorf("config.json: %w", err)
	}
	s.names = folderNames(s.family)
	s.attentionBias, s.mlpBias = m.AttentionBias, m.MLPBias
	if embeds, err := s.readDecoderUsage(folder); embeds || err != nil {
		return err
	}
	return s.readPrompting(folder, &m)
}

// readPrompting reads the tokens that end an answer, and the chat template.
func (s *source) readPrompting(folder string, m *decoderConfig) (err error) {
	var generation struct {
		Stop json.RawMessage `json:"eos_token_id"`
	}
	if err := readJSON(folder, "generation_config.json", false, &generation); err != nil {
		return err
	}
	if generation.Stop == nil {
		generation.Stop = m.Stop
	}
	if s.stop, err = oneOrMore(generation.Stop); err != nil {
		return fmt.Errorf("eos_token_id: %w", err)
	}
	s.chatTemplate, err = readChatTemplate(folder)
	return err
}

// readDecoderUsage reads the files of sentence-transformers, if any, which make a decoder an
// embedder.
func (s *source) readDecoderUsage(folder string) (embeds bool, err error) {
	if !s.family.bare {
		if _, err := os.Stat(filepath.Join(folder, "modules.json")); errors.Is(err, os.ErrNotExist) {
			return false, nil
		}
	}
	if err := s.readUsage(folder); err != nil {
		return true, err
	}
	c := &s.config
	switch {
	case len(s.modules) > 0:
		return true, fmt.Errorf("modules.json: module Dense is not supported behind a %s", c.Architecture)
	case c.Mixture.Experts > 0:
		return true, fmt.Errorf("%s has experts; models with experts write, and make no vectors", c.Architecture)
	}
	c.TiedOutput = true // the rows of the output are not read
	return true, nil
}

// oneOrMore reads a token id, a list of them, or null.
func oneOrMore(raw json.RawMessage) ([]int32, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var one int32
	if json.Unmarshal(raw, &one) == nil {
		return []int32{one}, nil
	}
	var list []int32
	err := json.Unmarshal(raw, &list)
	return list, err
}

// readChatTemplate reads the template from a file of its own or from
// tokenizer_config.json, as text or as the one named default in a list.
func readChatTemplate(folder string) (string, error) {
	text, err := smallfile.Read(filepath.Join(folder, "chat_template.jinja"), smallfile.Settings)
	if err == nil || !errors.Is(err, os.ErrNotExist) {
		return string(text), err
	}
	var c struct {
		Template json.RawMessage `json:"chat_template"`
	}
	if err := readJSON(folder, "tokenizer_config.json", false, &c); err != nil || len(c.Template) == 0 {
		return "", err
	}
	var template string
	if json.Unmarshal(c.Template, &template) == nil {
		return template, nil
	}
	var list []struct{ Name, Template string }
	if err := json.Unmarshal(c.Template, &list); err != nil {
		return "", fmt.Errorf("tokenizer_config.json: chat_template: %w", err)
	}
	for _, t := range list {
		if t.Name == "default" {
			return t.Template, nil
		}
	}
	return "", nil
}

// inspectDecoder finds out whether the output is tied, and verifies that all tensors that
// will be read are there, in readable shapes and types, and no others that might be meant to
// change the result.
func (s *source) inspectDecoder() error {
	if _, ok := s.weights.lookup(s.names.output + ".weight"); !ok {
		s.config.TiedOutput = true
	}
	const body = "model." // which the checkpoints of embedders may leave out
	if bare := strings.TrimPrefix(s.names.words, body); s.config.Pooling != "" {
		if _, ok := s.weights.lookup(bare + ".weight"); ok {
			s.names.words, s.names.norm = bare, strings.TrimPrefix(s.names.norm, body)
			s.names.layer = strings.TrimPrefix(s.names.layer, body)
		}
	}
	if err := s.config.check(); err != nil {
		return err
	}
	needed := map[string]bool{}
	for _, t := range s.decoderTensors() {
		r := tensorReader{source: s}
		found, ok := r.lookup(t.name, t.shape[0], t.shape[1])
		if !ok {
			return r.err
		}
		needed[found.name] = true
		if err := found.CheckType(); err != nil {
			return err
		}
	}
	for _, name := range s.weights.names() {
		spare := name == s.names.output+".weight" || name == rotaryFactors || strings.HasSuffix(name, ".rotary_emb.inv_freq")
		if !needed[name] && !spare {
			return fmt.Errorf("tensor %q is of no use to a %s", name, s.config.Architecture)
		}
	}
	return nil
}

// decoderTensors lists names and shapes of all tensors that are read.
func (s *source) decoderTensors() []tensor {
	c, n := s.config, s.names
	var list []tensor
	add := func(name string, rows, columns int) {
		list = append(list, tensor{name: name, shape: []int{rows, columns}})
	}
	add(n.words+".weight", c.Vocabulary, c.Hidden)
	add(n.norm+".weight", 1, c.Hidden)
	if !c.TiedOutput {
		add(n.output+".weight", c.Vocabulary, c.Hidden)
	}
	for i := range c.Layers {
		layer := fmt.Sprintf(n.layer, i)
		add(layer+n.attentionNorm+".weight", 1, c.Hidden)
		add(layer+n.mlpNorm+".weight", 1, c.Hidden)
		if c.Gemma.used() {
			add(layer+n.attentionOutputNorm+".weight", 1, c.Hidden)
			add(layer+n.mlpOutputNorm+".weight", 1, c.Hidden)
		}
		if c.QKNorm {
			add(layer+n.queryNorm+".weight", 1, c.HeadDim)
			add(layer+n.keyNorm+".weight", 1, c.HeadDim)
		}
		if c.Mixture.In(i) {
			add(layer+n.router+".weight", c.Mixture.Experts, c.Hidden)
		}
		for _, group := range s.projections(i) {
			for _, p := range group.parts {
				add(p.name+".weight", p.outputs, group.inputs)
				if p.bias || group.bias {
					add(p.name+".bias", 1, p.outputs)
				}
			}
		}
	}
	return list
}

// projection is matrices of the same inputs.
type projection struct {
	parts  []part
	inputs int
	bias   bool // each must have one
}

// projections lists those of layer i.
func (s *source) projections(i int) []projection {
	c := s.config
	qkv, attention, gateUp, down := s.matrices(i)
	list := []projection{
		{qkv, c.Hidden, s.attentionBias || s.family.qkvBias},
		{attention, c.Heads * c.HeadDim, s.attentionBias},
	}
	if !c.Mixture.In(i) {
		return append(list, projection{gateUp, c.Hidden, s.mlpBias}, projection{down, c.Intermediate, s.mlpBias})
	}
	for e := range c.Mixture.Experts {
		gateUp, down := s.expertMatrices(i, e)
		list = append(list, projection{gateUp, c.Hidden, false}, projection{[]part{down}, c.Mixture.Width, false})
	}
	return list
}
