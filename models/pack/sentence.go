package pack

import (
	"fmt"
	"slices"

	"dowse/models/safetensors"
)

// readUsage reads how sentence-transformers uses a model, and sets s.modules to the folders
// of modules with weights.
func (s *source) readUsage(folder string) error {
	c := &s.config
	var sentence struct {
		MaxTokens int `json:"max_seq_length"`
	}
	if err := readJSON(folder, "sentence_bert_config.json", false, &sentence); err != nil {
		return err
	}
	if sentence.MaxTokens > 0 {
		c.MaxTokens = min(sentence.MaxTokens, c.Room())
	}
	if s.family.scores() {
		return nil
	}
	m, err := readModules(folder)
	if err != nil {
		return err
	}
	if m.scores() && s.family.rotates && !s.family.gemma {
		s.family, _ = familyOf(modernScorer)
		c.Architecture = modernScorer
		s.modules, err = m.modernHead(c)
		return err
	}
	c.Pooling, c.Normalize = Mean, true
	if s.family.decoder() {
		if c.Pooling = m.pooling; c.Pooling == "" {
			return fmt.Errorf("modules.json names no module Pooling: how the states of a %s become a vector is not known", c.Architecture)
		}
	}
	if err := readPrompts(folder, c); err != nil {
		return err
	}
	dense, err := m.vector(c)
	if err != nil {
		return err
	}
	s.useDense(dense, m)
	return s.checkTruncated()
}

// useDense notes the modules Dense of a model of vectors.
func (s *source) useDense(folders []string, m *modules) {
	s.modules = folders
	for _, d := range m.dense {
		s.widths = append(s.widths, d.Out)
	}
}

// checkTruncated verifies the truncation of vectors.
func (s *source) checkTruncated() error {
	c := &s.config
	whole := c.whole()
	if c.Truncated < 0 || c.Truncated > whole {
		return fmt.Errorf("%s: truncate_dim %d: the model makes vectors of %d numbers", PromptsFile, c.Truncated, whole)
	}
	if c.Truncated == whole {
		c.Truncated = 0
	}
	return nil
}

// Published names of the prompts of queries and passages; the first found counts.
var (
	queryPrompts   = []string{"query"}
	passagePrompts = []string{"document", "passage", "corpus"}
)

// readPrompts reads the prompts of queries and passages, and the truncation of vectors.
func readPrompts(folder string, c *Config) error {
	var m struct {
		Prompts map[string]string `json:"prompts"`
		Default string            `json:"default_prompt_name"`
		// Truncate is how many numbers of a vector are kept.
		Truncate int `json:"truncate_dim"`
	}
	if err := readJSON(folder, PromptsFile, false, &m); err != nil {
		return err
	}
	named := func(names []string) string {
		for _, name := range slices.Concat(names, []string{m.Default}) {
			if prompt, ok := m.Prompts[name]; ok {
				return prompt
			}
		}
		return ""
	}
	c.QueryPrompt, c.PassagePrompt = named(queryPrompts), named(passagePrompts)
	c.Truncated = m.Truncate
	return nil
}

// PromptsFile is the file with a model's prompts of queries and passages.
const PromptsFile = "config_sentence_transformers.json"

// openModules opens the weights of the modules behind Pooling.
func (s *source) openModules() error {
	for _, folder := range s.modules {
		weights, err := safetensors.OpenFolder(folder)
		if err != nil {
			return fmt.Errorf("a module of modules.json: %w", err)
		}
		s.heads = append(s.heads, folderCheckpoint{weights})
	}
	return nil
}
