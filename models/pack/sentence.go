package pack

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"dowse/models/safetensors"
)

// module is one of the steps by which sentence-transformers makes a vector.
type module struct {
	Type string `json:"type"`
	Path string `json:"path"`
}

// kind is the last part of the name of its class.
func (m module) kind() string { return filepath.Ext("." + m.Type) }

// readUsage reads the files of sentence-transformers, which say how an encoder is used,
// and returns the folder of the module Dense, "" for none.
func readUsage(folder string, c *Config, f family) (dense string, err error) {
	var sentence struct {
		MaxTokens int `json:"max_seq_length"`
	}
	if err := readJSON(folder, "sentence_bert_config.json", false, &sentence); err != nil {
		return "", err
	}
	if sentence.MaxTokens > 0 {
		c.MaxTokens = min(sentence.MaxTokens, c.Room())
	}
	if f.scores() {
		return "", nil
	}
	c.Pooling, c.Normalize = Mean, true
	if err := readPrompts(folder, c); err != nil {
		return "", err
	}
	return readModules(folder, c)
}

// readModules reads modules.json and what it names. A model without is used as most are.
func readModules(folder string, c *Config) (dense string, err error) {
	var modules []module
	if err := readJSON(folder, "modules.json", false, &modules); err != nil {
		return "", err
	}
	for i, m := range modules {
		if i == 0 {
			c.Normalize = false
		}
		if !filepath.IsLocal(filepath.FromSlash(m.Path)) && m.Path != "" {
			return "", fmt.Errorf("modules.json: the path %q leaves the folder", m.Path)
		}
		path := filepath.Join(folder, filepath.FromSlash(m.Path))
		switch m.kind() {
		case ".Transformer":
		case ".Normalize":
			c.Normalize = true
		case ".Pooling":
			err = readPooling(path, c)
		case ".Dense":
			if dense != "" {
				return "", errors.New("modules.json: two modules Dense are not supported")
			}
			dense, err = path, readDense(path, c)
		default:
			return "", fmt.Errorf("modules.json: module %s is not supported; supported: Transformer, Pooling, Dense, Normalize", m.Type)
		}
		if err != nil {
			return "", fmt.Errorf("module %s: %w", m.Type, err)
		}
	}
	return dense, nil
}

func readPooling(folder string, c *Config) error {
	var settings map[string]any
	if err := readJSON(folder, "config.json", true, &settings); err != nil {
		return err
	}
	if settings["include_prompt"] == false {
		return errors.New("include_prompt: false is not supported: the tokens of a prompt count as all others")
	}
	var err error
	c.Pooling, err = poolingOf(settings)
	return err
}

// denseHeads are the activations of a module Dense.
var denseHeads = map[string]HeadKind{".Identity": DenseHead, ".Tanh": DenseTanhHead}

func readDense(folder string, c *Config) error {
	var m struct {
		In         int    `json:"in_features"`
		Out        int    `json:"out_features"`
		Activation string `json:"activation_function"`
	}
	if err := readJSON(folder, "config.json", true, &m); err != nil {
		return err
	}
	if m.In != c.Hidden {
		return fmt.Errorf("it takes %d numbers, and pooling makes %d", m.In, c.Hidden)
	}
	head, ok := denseHeads[filepath.Ext("."+m.Activation)]
	if !ok {
		return fmt.Errorf("activation %s is not supported; supported: Identity, Tanh", m.Activation)
	}
	c.Head, c.Dimensions = head, m.Out
	return nil
}

// Names under which the prompts of queries and of passages are published; the first that
// there is counts.
var (
	queryPrompts   = []string{"query"}
	passagePrompts = []string{"document", "passage", "corpus"}
)

// readPrompts reads what the model wants before a query and before a passage.
func readPrompts(folder string, c *Config) error {
	var m struct {
		Prompts map[string]string `json:"prompts"`
		Default string            `json:"default_prompt_name"`
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
	return nil
}

// PromptsFile is the file of a folder that says what a model of vectors wants before
// queries and passages.
const PromptsFile = "config_sentence_transformers.json"

// openDense opens the weights of the module Dense.
func (s *source) openDense(folder string) error {
	if folder == "" {
		return nil
	}
	weights, err := safetensors.OpenFolder(folder)
	if err != nil {
		return fmt.Errorf("module Dense: %w", err)
	}
	s.dense = folderCheckpoint{weights}
	return nil
}
