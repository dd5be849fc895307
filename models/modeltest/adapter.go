package modeltest

import (
	"fmt"
	"math/rand/v2"
)

// Adapter describes a low-rank adapter for the queries of a Decoder.
type Adapter struct {
	Base  Decoder
	Seed  uint64
	Rank  int  // 0 means 2
	Heads bool // a head for each layer is among the tensors
}

// Files returns the files of the adapter's folder, as PEFT writes them.
func (a Adapter) Files() (map[string][]byte, error) {
	d, rank := a.Base.sized(), max(a.Rank, 2)
	rng := rand.New(rand.NewPCG(a.Seed, 0))
	drawn := func(shape ...int) Tensor {
		n := 1
		for _, s := range shape {
			n *= s
		}
		t := Tensor{Shape: shape, Values: make([]float32, n)}
		for i := range t.Values {
			t.Values[i] = float32(0.3 * rng.NormFloat64())
		}
		return t
	}
	tensors := map[string]Tensor{}
	for i := range d.Layers {
		at := fmt.Sprintf("base_model.model.model.layers.%d.self_attn.q_proj.", i)
		tensors[at+"lora_A.weight"] = drawn(rank, d.Hidden)
		tensors[at+"lora_B.weight"] = drawn(d.Heads*d.HeadDim, rank)
	}
	if a.Heads {
		tensors["heads.weight"], tensors["heads.bias"] = drawn(d.Layers, d.Hidden), drawn(d.Layers)
	}
	weights, err := Safetensors(tensors)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"adapter_config.json":       fmt.Appendf(nil, `{"peft_type": "LORA", "r": %d, "lora_alpha": 4, "bias": "none"}`, rank),
		"adapter_model.safetensors": weights,
	}, nil
}
