package pack

import (
	"errors"
	"fmt"
	"path/filepath"
)

// module is one of the steps by which sentence-transformers makes a vector or a score.
type module struct {
	Type string `json:"type"`
	Path string `json:"path"`

	folder string // Path, in the model's folder
}

// kind is the last part of the name of its class.
func (m module) kind() string { return filepath.Ext("." + m.Type) }

// modules is what modules.json says.
type modules struct {
	all       []module
	pooling   Pooling
	normalize bool
	dense     []denseModule
	norms     []normModule
}

// denseModule is a module Dense.
type denseModule struct {
	In         int    `json:"in_features"`
	Out        int    `json:"out_features"`
	Activation string `json:"activation_function"`
	Residual   bool   `json:"use_residual"`
	Input      string `json:"module_input_name"`

	folder string
}

// activation is the last part of the name of its class.
func (m *denseModule) activation() string { return filepath.Ext("." + m.Activation) }

// normModule is a module LayerNorm.
type normModule struct {
	Dimension int `json:"dimension"`

	folder string
	behind int // how many modules Dense precede it
}

// identity is the activation of a layer without one.
const identity = ".Identity"

// denseHeads are the activations of the last module Dense of a model of vectors.
var denseHeads = map[string]HeadKind{identity: DenseHead, ".Tanh": DenseTanhHead}

// readModules reads modules.json, if there is one, and the settings of what it names.
func readModules(folder string) (*modules, error) {
	m := &modules{}
	if err := readJSON(folder, "modules.json", false, &m.all); err != nil {
		return nil, err
	}
	for i := range m.all {
		one := &m.all[i]
		if !filepath.IsLocal(filepath.FromSlash(one.Path)) && one.Path != "" {
			return nil, fmt.Errorf("modules.json: the path %q leaves the folder", one.Path)
		}
		one.folder = filepath.Join(folder, filepath.FromSlash(one.Path))
		if err := m.read(one); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// read reads the settings of one module.
func (m *modules) read(one *module) (err error) {
	switch one.kind() {
	case ".Transformer", ".StaticEmbedding":
	case ".Normalize":
		m.normalize = true
	case ".Pooling":
		err = m.readPooling(one.folder)
	case ".Dense":
		d := denseModule{folder: one.folder}
		if err = readJSON(one.folder, "config.json", true, &d); err == nil {
			err = d.check()
		}
		m.dense = append(m.dense, d)
	case ".LayerNorm":
		n := normModule{folder: one.folder, behind: len(m.dense)}
		err = readJSON(one.folder, "config.json", true, &n)
		m.norms = append(m.norms, n)
	default:
		return fmt.Errorf("modules.json: module %s is not supported; supported: Transformer, Pooling, Dense, Normalize, and LayerNorm in a head that scores", one.Type)
	}
	if err != nil {
		return fmt.Errorf("module %s: %w", one.Type, err)
	}
	return nil
}

func (m *modules) readPooling(folder string) error {
	var settings map[string]any
	if err := readJSON(folder, "config.json", true, &settings); err != nil {
		return err
	}
	if settings["include_prompt"] == false {
		return errors.New("include_prompt: false is not supported: the tokens of a prompt count as all others")
	}
	var err error
	m.pooling, err = poolingOf(settings)
	return err
}

// check refuses unsupported settings.
func (m *denseModule) check() error {
	switch {
	case m.Residual:
		return errors.New("use_residual is not supported")
	case m.Input != "" && m.Input != "sentence_embedding":
		return fmt.Errorf("module_input_name %s is not supported; supported: sentence_embedding", m.Input)
	}
	return nil
}

// scores reports whether the modules end in a head that scores: a Dense with one output.
func (m *modules) scores() bool {
	return len(m.dense) > 0 && m.dense[len(m.dense)-1].Out == 1
}

// vector fills in how the modules make a vector, and returns the folders of the modules
// Dense.
func (m *modules) vector(c *Config) (dense []string, err error) {
	if len(m.all) > 0 {
		c.Normalize = m.normalize
	}
	if m.pooling != "" {
		c.Pooling = m.pooling
	}
	if len(m.norms) > 0 {
		return nil, errors.New("modules.json: module LayerNorm is supported in the head of a ModernBERT that scores alone")
	}
	width := c.Hidden
	for i, d := range m.dense {
		if d.In != width {
			return nil, fmt.Errorf("module Dense: it takes %d numbers, and what is before it makes %d", d.In, width)
		}
		head, ok := denseHeads[d.activation()]
		switch {
		case !ok:
			return nil, fmt.Errorf("module Dense: activation %s is not supported; supported: Identity, Tanh", d.Activation)
		case i < len(m.dense)-1 && head != DenseHead:
			return nil, fmt.Errorf("module Dense: activation %s is supported in the last of several modules Dense only", d.Activation)
		}
		c.Head, c.Dimensions, width = head, d.Out, d.Out
		dense = append(dense, d.folder)
	}
	return dense, nil
}

// modernHead fills in the head of a ModernBERT reranker of sentence-transformers (Dense,
// LayerNorm, Dense), and returns the modules' folders.
func (m *modules) modernHead(c *Config) (folders []string, err error) {
	const want = "modules.json: a ModernBERT that scores is supported with the modules Pooling, Dense with GELU, LayerNorm, Dense with one output"
	if len(m.dense) != 2 || len(m.norms) != 1 || m.norms[0].behind != 1 || m.normalize {
		return nil, errors.New(want)
	}
	first, norm, last := &m.dense[0], &m.norms[0], &m.dense[1]
	switch {
	case first.activation() != ".GELU" || last.activation() != identity:
		return nil, fmt.Errorf("%s; it has the activations %s and %s", want, first.Activation, last.Activation)
	case first.In != c.Hidden || first.Out != c.Hidden || norm.Dimension != c.Hidden || last.In != c.Hidden:
		return nil, fmt.Errorf("modules.json: a head of %d to %d, norm of %d and %d numbers on a model that makes %d", first.In, first.Out, norm.Dimension, last.In, c.Hidden)
	case c.Epsilon != moduleEpsilon:
		return nil, fmt.Errorf("modules.json: the module LayerNorm has an epsilon of %g, the model one of %g; they must be equal", moduleEpsilon, c.Epsilon)
	}
	c.HeadPooling = m.pooling
	return []string{first.folder, norm.folder, last.folder}, nil
}

// moduleEpsilon is that of the module LayerNorm.
const moduleEpsilon = 1e-5
