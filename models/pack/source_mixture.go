package pack

import (
	"cmp"
	"errors"
	"fmt"
)

// mixtureConfig is the experts in config.json. Newer files name their number as Mixtral
// does.
type mixtureConfig struct {
	LocalExperts  int   `json:"num_local_experts"`
	Experts       int   `json:"num_experts"`
	Active        int   `json:"num_experts_per_tok"`
	ExpertWidth   int   `json:"moe_intermediate_size"`
	Normalize     bool  `json:"norm_topk_prob"`
	SparseStep    *int  `json:"decoder_sparse_step"`
	DenseLayers   []int `json:"mlp_only_layers"`
	SharedWidth   int   `json:"shared_expert_intermediate_size"`
	SharedExperts int   `json:"n_shared_experts"`
}

// mixture fills in the experts, with the architectures' defaults.
func (m *mixtureConfig) mixture(c *Config, f family) error {
	if !f.mixture {
		return nil
	}
	if m.SharedWidth > 0 || m.SharedExperts > 0 {
		return errors.New("experts that all tokens go through (shared_expert_intermediate_size, n_shared_experts) are not supported")
	}
	c.Mixture = Mixture{Experts: cmp.Or(m.LocalExperts, m.Experts)}
	if f.permuted { // Mixtral, whose feed-forward parts are experts in all layers
		c.Mixture.Experts = cmp.Or(c.Mixture.Experts, 8)
		c.Mixture.Active, c.Mixture.Width, c.Mixture.Normalize = cmp.Or(m.Active, 2), c.Intermediate, true
		return nil
	}
	c.Mixture.Experts = cmp.Or(c.Mixture.Experts, 128)
	c.Mixture.Active, c.Mixture.Width, c.Mixture.Normalize = cmp.Or(m.Active, 8), cmp.Or(m.ExpertWidth, 768), m.Normalize
	return m.dense(c)
}

// dense fills in the layers without experts.
func (m *mixtureConfig) dense(c *Config) error {
	step := 1
	if m.SparseStep != nil {
		step = *m.SparseStep
	}
	if step < 1 {
		return fmt.Errorf("decoder_sparse_step %d is not above 0", step)
	}
	for i := range c.Layers {
		if (i+1)%step != 0 {
			c.Mixture.Dense.Add(i)
		}
	}
	for _, i := range m.DenseLayers {
		if i >= c.Layers || !c.Mixture.Dense.Add(i) {
			return fmt.Errorf("mlp_only_layers names layer %d of %d", i, c.Layers)
		}
	}
	return nil
}

// softmaxGating is the router of Mixtral and Qwen3 in GGUF files.
const softmaxGating = 1

// mixture reads the shape of the experts. A layer without a router is dense.
func (m *metadata) mixture(c *Config) {
	size := func(key string, absent int) int { return m.int(m.prefix+key, int64(absent)) }
	c.Mixture = Mixture{
		Experts: size("expert_count", 0), Active: size("expert_used_count", 0), Width: size("expert_feed_forward_length", c.Intermediate),
		Normalize: m.bool(m.prefix+"expert_weights_norm", true),
	}
	if size("expert_shared_count", 0) > 0 || size("expert_shared_feed_forward_length", 0) > 0 {
		m.keep(errors.New("experts that all tokens go through (expert_shared_count) are not supported"))
	}
	if kind := size("expert_gating_func", softmaxGating); kind != softmaxGating {
		m.keep(fmt.Errorf("a router of the kind %d is not supported; supported: %d, softmax", kind, softmaxGating))
	}
	if scale := m.float(m.prefix+"expert_weights_scale", 1); scale != 1 && scale != 0 {
		m.keep(fmt.Errorf("shares of experts scaled by %g are not supported", scale))
	}
	c.Intermediate = cmp.Or(c.Intermediate, c.Mixture.Width) // of no layer, where all have experts
	for i := range min(c.Layers, maxLayers) {
		n := ggufNames()
		if _, ok := m.file.lookup(fmt.Sprintf(n.layer, i) + n.router + ".weight"); !ok {
			c.Mixture.Dense.Add(i)
		}
	}
}

// stackedMatrix is one of the matrices of a tensor [matrices,rows,columns].
type stackedMatrix struct {
	name       string
	number, of int
}

// lookup finds the matrix.
func (m stackedMatrix) lookup(c *ggufCheckpoint) (tensor, bool) {
	found, ok := c.Tensor(m.name)
	if !ok {
		return tensor{}, false
	}
	one, err := found.Matrix(m.number)
	if err != nil || m.of != found.Shape[0] {
		return tensor{found, found.Name, found.Shape}, true // whose shape is refused
	}
	return tensor{one, one.Name, one.Shape}, true
}

// stack names the matrices of experts, which are one tensor of a layer.
func (c *ggufCheckpoint) stack(n decoderNames, config *Config) {
	c.stacked = map[string]stackedMatrix{}
	for i := range min(config.Layers, maxLayers) {
		if !config.Mixture.In(i) {
			continue
		}
		layer := fmt.Sprintf(n.layer, i)
		for _, pattern := range []string{n.expertGate, n.expertUp, n.expertDown} {
			whole := layer + pattern[:len(pattern)-len(".%d")] + ".weight"
			for e := range min(config.Mixture.Experts, maxExperts) {
				c.stacked[layer+fmt.Sprintf(pattern, e)+".weight"] = stackedMatrix{whole, e, config.Mixture.Experts}
			}
		}
	}
}
