package pack

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/models/modeltest"
	"dowse/models/pack/directio"
)

// mixtureFiles returns the files of a small model with experts.
func mixtureFiles(t testing.TB, name string) map[string][]byte {
	t.Helper()
	files, err := modeltest.Mixtures()[name].Files()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestMixtureConfigs(t *testing.T) {
	var second LayerSet
	second.Add(1)
	for name, want := range map[string]Mixture{
		"mixtral":            {Experts: 4, Active: 2, Width: 32, Normalize: true},
		"qwen3-moe":          {Experts: 8, Active: 3, Width: 24, Normalize: true, Dense: second},
		"qwen3-moe-unshared": {Experts: 16, Active: 4, Width: 20},
	} {
		p := openPack(t, importFiles(t, mixtureFiles(t, name)))
		if got := p.Config().Mixture; got != want {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, want)
		}
		if err := errors.Join(p.Verify(t.Context()), p.VerifyAllButExperts(t.Context())); err != nil {
			t.Error(err)
		}
	}
}

// Each expert of a pack is what quantising its published tensors alone gives, and the
// router is what was published.
func TestMixtureWeights(t *testing.T) {
	for name, model := range modeltest.Mixtures() {
		p, tensors := openPack(t, importFiles(t, mixtureFiles(t, name))), model.Tensors()
		c := p.Config()
		names := folderNames(family{permuted: strings.HasPrefix(c.Architecture, "Mixtral"), mixture: true})
		experts := 0
		for i := range c.Layers {
			layer, at := p.DecoderLayer(i), fmt.Sprintf("model.layers.%d.", i)
			if !c.Mixture.In(i) {
				requireColumns(t, layer.GateUp, 0, tensors[at+"mlp.gate_proj.weight"].Values)
				if layer.Router != nil {
					t.Errorf("%s: layer %d has a router", name, i)
				}
				continue
			}
			if layer.GateUp.Weights != nil || !slices.Equal(layer.Router, tensors[at+names.router+".weight"].Values) {
				t.Errorf("%s: router of layer %d, or a projection beside it", name, i)
			}
			for e := range c.Mixture.Experts {
				x := p.Expert(i, e)
				requireColumns(t, x.GateUp, 0, tensors[at+fmt.Sprintf(names.expertGate, e)+".weight"].Values)
				requireColumns(t, x.GateUp, c.Mixture.Width, tensors[at+fmt.Sprintf(names.expertUp, e)+".weight"].Values)
				requireColumns(t, x.Down, 0, tensors[at+fmt.Sprintf(names.expertDown, e)+".weight"].Values)
				experts++
			}
		}
		if want := c.Mixture.Experts * c.Mixture.Layers(c.Layers); experts != want || want == 0 {
			t.Errorf("%s: %d experts were compared, want %d", name, experts, want)
		}
	}
}

// requireColumns compares columns of a projection with rows of a published matrix,
// quantised one by one.
func requireColumns(t *testing.T, l Linear, first int, rows []float32) {
	t.Helper()
	if l.K == 0 || len(rows) == 0 || len(rows)%l.K != 0 {
		t.Fatalf("%d numbers for %d inputs", len(rows), l.K)
	}
	want := make([]int8, l.K)
	for r := range len(rows) / l.K {
		n := first + r
		scale, sum := quantizeRow(want, rows[r*l.K:(r+1)*l.K]), int32(0)
		for k, q := range want {
			if sum += int32(q); l.Weights[k*l.N+n] != q {
				t.Fatalf("weight [%d,%d] is %d, want %d", k, n, l.Weights[k*l.N+n], q)
			}
		}
		if l.Scale[n] != scale || l.ColSum[n] != sum || l.Bias[n] != 0 {
			t.Fatalf("column %d: scale %v, sum %d, bias %v; want %v, %d, 0", n, l.Scale[n], l.ColSum[n], l.Bias[n], scale, sum)
		}
	}
}

// An expert that is read alone is the one that is mapped; a damaged one is told by its
// own checksum, and spares the others.
func TestReadExpert(t *testing.T) {
	path := importFiles(t, mixtureFiles(t, "qwen3-moe"))
	p := openPack(t, path)
	c := p.Config()
	buffer := directio.AlignedBytes(c.ExpertBuffer())
	s := openStream(t, path)
	for i := range c.Layers {
		for e := range c.Mixture.Experts {
			got, err := s.ReadExpert(i, e, buffer)
			if !c.Mixture.In(i) {
				if err == nil {
					t.Errorf("layer %d has no experts, and expert %d can be read", i, e)
				}
				continue
			}
			want := p.Expert(i, e)
			if err != nil || !slices.Equal(got.Down.Weights, want.Down.Weights) || !slices.Equal(got.GateUp.Scale, want.GateUp.Scale) {
				t.Errorf("layer %d: expert %d differs (%v)", i, e, err)
			}
		}
	}
	for _, e := range []int{-1, c.Mixture.Experts} {
		if _, err := s.ReadExpert(0, e, buffer); err == nil {
			t.Errorf("expert %d of %d can be read", e, c.Mixture.Experts)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	block := p.header.Blocks[expertsPlace(c, 2)]
	data[block.Offset+int64(5*c.ExpertBuffer())+17] ^= 4
	damaged := filepath.Join(t.TempDir(), "damaged.pack")
	if err := os.WriteFile(damaged, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s = openStream(t, damaged)
	if _, err := s.ReadExpert(2, 5, buffer); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "expert 5 of layer 2") {
		t.Errorf("error %v", err)
	}
	if _, err := s.ReadExpert(2, 4, buffer); err != nil {
		t.Error(err)
	}
	d := openPack(t, damaged)
	if err := d.Verify(t.Context()); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "experts.2") {
		t.Errorf("error %v", err)
	}
	if err := d.VerifyAllButExperts(t.Context()); err != nil {
		t.Error(err)
	}
}

// mixtureGGUF is a GGUF file of a small Qwen3 with experts, whose matrices stand in one
// tensor for a layer.
func mixtureGGUF(model modeltest.Decoder) (map[string]any, map[string]modeltest.Tensor) {
	metadata, _ := ggufParts()
	for key := range metadata {
		if strings.HasPrefix(key, "qwen2.") {
			delete(metadata, key)
		}
	}
	maps.Copy(metadata, map[string]any{
		"general.architecture": "qwen3moe", "qwen3moe.block_count": uint32(4), "qwen3moe.embedding_length": uint32(32),
		"qwen3moe.attention.head_count": uint32(4), "qwen3moe.attention.head_count_kv": uint32(2), "qwen3moe.attention.key_length": uint32(16),
		"qwen3moe.attention.value_length": uint32(16), "qwen3moe.feed_forward_length": uint32(48), "qwen3moe.context_length": uint32(64),
		"qwen3moe.attention.layer_norm_rms_epsilon": float32(1e-5), "qwen3moe.rope.freq_base": float32(1e6),
		"qwen3moe.expert_count": uint32(8), "qwen3moe.expert_used_count": uint32(3), "qwen3moe.expert_feed_forward_length": uint32(24),
	})
	from, to, tensors, all := folderNames(family{}), ggufNames(), map[string]modeltest.Tensor{}, model.Tensors()
	for i := range 4 {
		a, b := fmt.Sprintf(from.layer, i), fmt.Sprintf(to.layer, i)
		for _, pair := range [][2]string{{from.expertGate, to.expertGate}, {from.expertUp, to.expertUp}, {from.expertDown, to.expertDown}} {
			var stacked modeltest.Tensor
			for e := range 8 {
				name := a + fmt.Sprintf(pair[0], e) + ".weight"
				if one, ok := all[name]; ok {
					stacked.Shape, stacked.Values = append([]int{8}, one.Shape...), append(stacked.Values, one.Values...)
					delete(all, name)
				}
			}
			if stacked.Values != nil {
				tensors[b+strings.TrimSuffix(pair[1], ".%d")+".weight"] = stacked
			}
		}
		for _, pair := range [][2]string{
			{from.router, to.router}, {from.gate, to.gate}, {from.up, to.up}, {from.down, to.down}, {from.attentionNorm, to.attentionNorm}, {from.mlpNorm, to.mlpNorm},
			{from.query, to.query}, {from.key, to.key}, {from.value, to.value}, {from.queryNorm, to.queryNorm}, {from.keyNorm, to.keyNorm}, {from.attention, to.attention},
		} {
			if one, ok := all[a+pair[0]+".weight"]; ok {
				tensors[b+pair[1]+".weight"] = one
			}
		}
	}
	tensors["token_embd.weight"], tensors["output_norm.weight"], tensors["output.weight"] = all["model.embed_tokens.weight"], all["model.norm.weight"], all["lm_head.weight"]
	return metadata, tensors
}

func TestStackedExpertsGiveTheSamePack(t *testing.T) {
	metadata, tensors := mixtureGGUF(modeltest.Mixtures()["qwen3-moe"])
	data, err := modeltest.GGUF(metadata, tensors)
	if err != nil {
		t.Fatal(err)
	}
	folder, file := openPack(t, importFiles(t, mixtureFiles(t, "qwen3-moe"))), openPack(t, importGGUF(t, data))
	c := folder.Config()
	if file.Config() != c {
		t.Fatalf("\n got %+v\nwant %+v", file.Config(), c)
	}
	if !slices.Equal(weightsOf(folder), weightsOf(file)) {
		t.Error("the layers differ")
	}
	for i := range c.Layers {
		for e := range c.Mixture.Experts {
			if !c.Mixture.In(i) {
				continue
			}
			a, b := folder.Expert(i, e), file.Expert(i, e)
			if !slices.Equal(a.GateUp.Weights, b.GateUp.Weights) || !slices.Equal(a.Down.Weights, b.Down.Weights) || !slices.Equal(a.Down.Scale, b.Down.Scale) {
				t.Errorf("layer %d: expert %d differs", i, e)
			}
		}
	}
}

func TestMixtureRefusals(t *testing.T) {
	change := func(from, to string) func(map[string][]byte) {
		return func(files map[string][]byte) {
			files["config.json"] = []byte(strings.Replace(string(files["config.json"]), from, to, 1))
		}
	}
	for _, c := range []struct {
		want   string
		change func(map[string][]byte)
	}{
		{"Qwen2MoeForCausalLM] is not supported: it has experts that all tokens go through", change("Qwen3MoeForCausalLM", "Qwen2MoeForCausalLM")},
		{"shared_expert_intermediate_size", change(`"num_experts"`, `"shared_expert_intermediate_size": 24, "num_experts"`)},
		{"cannot go through 9 of 8 experts", change(`"num_experts_per_tok": 3`, `"num_experts_per_tok": 9`)},
		{"mlp_only_layers names layer 4 of 4", change("[1]", "[4]")},
		{"mlp_only_layers names layer -1", change("[1]", "[-1]")},
		{"decoder_sparse_step 0", change(`"decoder_sparse_step": 1`, `"decoder_sparse_step": 0`)},
		{"no layer has experts", change(`"decoder_sparse_step": 1`, `"decoder_sparse_step": 5`)},
		{`no tensor "model.layers.0.mlp.gate_proj.weight"`, change(`"decoder_sparse_step": 1`, `"decoder_sparse_step": 2`)},
		{`has shape [8 32], the configuration asks for [7 32]`, change(`"num_experts": 8`, `"num_experts": 7`)},
		{`no tensor "model.layers.0.mlp.experts.8.gate_proj.weight"`, func(files map[string][]byte) {
			tensors := modeltest.Mixtures()["qwen3-moe"].Tensors()
			router := tensors["model.layers.0.mlp.gate.weight"]
			tensors["model.layers.0.mlp.gate.weight"] = modeltest.Tensor{Shape: []int{9, 32}, Values: append(router.Values, router.Values[:32]...)}
			files["model.safetensors"] = encodeTensors(t, tensors)
			change(`"num_experts": 8`, `"num_experts": 9`)(files)
		}},
	} {
		files := mixtureFiles(t, "qwen3-moe")
		c.change(files)
		folder := t.TempDir()
		if err := modeltest.Write(folder, files); err != nil {
			t.Fatal(err)
		}
		requireRefusal(t, folder, c.want)
	}
	p := openPack(t, importFiles(t, mixtureFiles(t, "mixtral")))
	if err := WriteRows(t.Context(), p, filepath.Join(t.TempDir(), "rows"), RowOptions{GroupLayers: 1, Bits: 8}, nil); err == nil || !strings.Contains(err.Error(), "mixture of experts") {
		t.Errorf("error %v", err)
	}
}

func TestStackedRefusals(t *testing.T) {
	for _, c := range []struct {
		want   string
		change func(map[string]any, map[string]modeltest.Tensor)
	}{
		{"experts that all tokens go through", func(m map[string]any, _ map[string]modeltest.Tensor) { m["qwen3moe.expert_shared_count"] = uint32(1) }},
		{"a router of the kind 2", func(m map[string]any, _ map[string]modeltest.Tensor) { m["qwen3moe.expert_gating_func"] = uint32(2) }},
		{"has shape [8 24 32]", func(m map[string]any, all map[string]modeltest.Tensor) {
			m["qwen3moe.expert_count"] = uint32(7)
			for name, router := range all {
				if strings.Contains(name, "ffn_gate_inp") {
					all[name] = modeltest.Tensor{Shape: []int{7, 32}, Values: router.Values[:7*32]}
				}
			}
		}},
		{`"blk.0.ffn_gate.weight" is of no use`, func(_ map[string]any, all map[string]modeltest.Tensor) {
			all["blk.0.ffn_gate.weight"] = all["blk.1.ffn_gate.weight"]
		}},
		{`no tensor "blk.2.ffn_up_exps.0.weight"`, func(_ map[string]any, all map[string]modeltest.Tensor) { delete(all, "blk.2.ffn_up_exps.weight") }},
	} {
		metadata, tensors := mixtureGGUF(modeltest.Mixtures()["qwen3-moe"])
		c.change(metadata, tensors)
		data, err := modeltest.GGUF(metadata, tensors)
		if err != nil {
			t.Fatal(err)
		}
		requireRefusal(t, writeGGUF(t, data), c.want)
	}
}

func TestLayerSetText(t *testing.T) {
	for _, text := range []string{"", "0", "3-5", "0,2,63-64,1000-1023"} {
		var s LayerSet
		err := s.UnmarshalText([]byte(text))
		got, err2 := s.MarshalText()
		if string(got) != text || errors.Join(err, err2) != nil {
			t.Errorf("%q became %q (%v)", text, got, errors.Join(err, err2))
		}
	}
	for _, text := range []string{"a", "-1", "3-2", "1024", "1,,2", "0-1024"} {
		var s LayerSet
		if err := s.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q became a set", text)
		}
	}
}
