package modeltest

import (
	"encoding/json"
	"fmt"
	"slices"
)

// The architectures with experts.
const (
	mixtral  = "MixtralForCausalLM"
	qwen3MoE = "Qwen3MoeForCausalLM"
)

// Mixture describes the experts of a Decoder that has some.
type Mixture struct {
	Experts     int   // of a layer
	Active      int   // of them, those that a token goes through
	ExpertWidth int   // of a Qwen3; a Mixtral's is Intermediate
	Share       bool  // the shares of the active experts sum up to 1; those of a Mixtral do in any case
	Dense       []int // layers without experts
}

// Mixtures returns small models with experts by name.
func Mixtures() map[string]Decoder {
	return map[string]Decoder{
		"mixtral": {
			Architecture: mixtral, Seed: 15, Layers: 3, Rotary: `"rope_theta": 1000000.0`,
			Mixture: Mixture{Experts: 4, Active: 2},
		},
		"qwen3-moe": {
			Architecture: qwen3MoE, Seed: 16, Layers: 4, HeadDim: 16, Intermediate: 48, Rotary: `"rope_theta": 1000000.0`,
			Mixture: Mixture{Experts: 8, Active: 3, ExpertWidth: 24, Share: true, Dense: []int{1}},
		},
		"qwen3-moe-unshared": {
			Architecture: qwen3MoE, Seed: 17, HeadDim: 16, Rotary: `"rope_theta": 1000000.0`,
			Mixture: Mixture{Experts: 16, Active: 4, ExpertWidth: 20},
		},
	}
}

// in reports whether layer i has experts.
func (d Decoder) in(i int) bool { return d.Experts > 0 && !slices.Contains(d.Dense, i) }

// experts draws the router and the experts of a layer. Rows of the router are large, so
// that tokens differ in what they choose.
func (d Decoder) experts(g *generator, at string) {
	router, names, width := "mlp.gate", [3]string{"mlp.experts.%d.gate_proj", "mlp.experts.%d.up_proj", "mlp.experts.%d.down_proj"}, d.ExpertWidth
	if d.Architecture == mixtral {
		router, width = "block_sparse_moe.gate", d.Intermediate
		names = [3]string{"block_sparse_moe.experts.%d.w1", "block_sparse_moe.experts.%d.w3", "block_sparse_moe.experts.%d.w2"}
	}
	g.add(at+router+".weight", 0, 0.5, d.Experts, d.Hidden)
	for e := range d.Experts {
		g.add(at+fmt.Sprintf(names[0], e)+".weight", 0, 0.2, width, d.Hidden)
		g.add(at+fmt.Sprintf(names[1], e)+".weight", 0, 0.2, width, d.Hidden)
		g.add(at+fmt.Sprintf(names[2], e)+".weight", 0, 0.2, d.Hidden, width)
	}
}

// mixtureJSON is what config.json says about experts.
func (d Decoder) mixtureJSON() string {
	if d.Architecture == mixtral {
		return fmt.Sprintf(`"num_local_experts": %d, "num_experts_per_tok": %d,`, d.Experts, d.Active)
	}
	if d.Experts == 0 {
		return ""
	}
	dense, err := json.Marshal(append([]int{}, d.Dense...))
	if err != nil {
		panic(err) // numbers can be marshalled
	}
	return fmt.Sprintf(`"num_experts": %d, "num_experts_per_tok": %d, "moe_intermediate_size": %d, "norm_topk_prob": %t,
"decoder_sparse_step": 1, "mlp_only_layers": %s,`, d.Experts, d.Active, d.ExpertWidth, d.Share, dense)
}
