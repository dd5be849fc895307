package transformer_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dowse/engine/memory"
	"dowse/engine/transformer"
	"dowse/engine/weights"
	"dowse/models/modeltest"
)

// adapterRank is not a multiple of what a vector holds.
const adapterRank = 5

// adapterTensors draws a pair of matrices for some projections of a model, by
// the names of PEFT.
func adapterTensors(m decoderModel, seed uint64, modules ...string) map[string]modeltest.Tensor {
	rng, all, body := rand.New(rand.NewPCG(seed, 0)), map[string]modeltest.Tensor{}, m.tensors()
	matrix := func(rows, columns int) modeltest.Tensor {
		t := modeltest.Tensor{Shape: []int{rows, columns}, Values: make([]float32, rows*columns)}
		for i := range t.Values {
			t.Values[i] = float32(0.2 * rng.NormFloat64())
		}
		return t
	}
	for l := range m.layers {
		for _, module := range modules {
			name := fmt.Sprintf("model.layers.%d.%s", l, module)
			shape := body[name+".weight"].Shape
			all["base_model.model."+name+".lora_A.weight"] = matrix(adapterRank, shape[1])
			all["base_model.model."+name+".lora_B.weight"] = matrix(shape[0], adapterRank)
		}
	}
	return all
}

// adapterModules are all projections of a layer.
func adapterModules() []string {
	return []string{"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"}
}

// adapterFolder writes an adapter as PEFT does.
func adapterFolder(t testing.TB, tensors map[string]modeltest.Tensor, config map[string]any) string {
	t.Helper()
	text, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	weights, err := modeltest.Safetensors(tensors)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := modeltest.Write(folder, map[string][]byte{"adapter_config.json": text, "adapter_model.safetensors": weights}); err != nil {
		t.Fatal(err)
	}
	return folder
}

func adapterConfig() map[string]any {
	return map[string]any{"peft_type": "LORA", "r": adapterRank, "lora_alpha": 8, "bias": "none"}
}

// merged is the model with an adapter added to its weights.
func merged(m decoderModel, tensors map[string]modeltest.Tensor, scale float32) map[string]modeltest.Tensor {
	body := m.tensors()
	for name, down := range tensors {
		module, ok := strings.CutSuffix(strings.TrimPrefix(name, "base_model.model."), ".lora_A.weight")
		if !ok {
			continue
		}
		up, weights := tensors["base_model.model."+module+".lora_B.weight"], body[module+".weight"]
		inputs := weights.Shape[1]
		for i := range weights.Values {
			row, column := i/inputs, i%inputs
			for j := range adapterRank {
				weights.Values[i] += scale * up.Values[row*adapterRank+j] * down.Values[j*inputs+column]
			}
		}
	}
	return body
}

// An adapter does what adding it to the weights would do, but for the rounding
// of these, and to each projection; and it does it at all.
func TestAdapterIsAddedToTheWeights(t *testing.T) {
	const seed = 91
	t.Logf("seed %d", seed)
	m := decoders()["Qwen3"]
	folder := m.folder(t)
	path := importFolder(t, folder)
	plain := openDecoder(t, path, transformer.DecoderOptions{})
	m.vocabulary = plain.Vocabulary()
	ids := randomIDs(rand.New(rand.NewPCG(seed, 0)), 40, m.vocabulary)
	without := lastLogits(t, plain, ids)
	for _, module := range append(adapterModules(), "") {
		modules := []string{module}
		if module == "" {
			modules = adapterModules()
		}
		tensors := adapterTensors(m, seed, modules...)
		d := openDecoder(t, path, transformer.DecoderOptions{Adapter: adapterFolder(t, tensors, adapterConfig())})
		got := lastLogits(t, d, ids)
		r := openDecoderReference(t, folder)
		for name, tensor := range merged(m, tensors, 8.0/adapterRank) {
			r.tensors[name] = tensor.Values
		}
		states := r.read(ids)
		want := r.logits(states[len(states)-1])
		with, before := correlation(got, want), correlation(without, want)
		t.Logf("%s: correlation with the merged model %.5f, without the adapter %.5f", strings.Join(modules, " "), with, before)
		if !(with > 0.99) || !(before < with-0.0005) {
			t.Errorf("%q: correlation with the merged model %.5f (want 0.99), without the adapter %.5f", module, with, before)
		}
	}
}

func lastLogits(t *testing.T, d *transformer.Decoder, ids []int32) []float32 {
	t.Helper()
	c := d.NewSequence()
	defer freeSequence(t, c)
	logits := make([]float32, d.Vocabulary())
	if err := d.Append(t.Context(), c, ids, logits); err != nil {
		t.Fatal(err)
	}
	return logits
}

// With an adapter, too, bits do not depend on how a text is cut; and one whose
// second halves are zero changes none.
func TestN3_AdapterKeepsRowsApart(t *testing.T) {
	const seed = 92
	t.Logf("seed %d", seed)
	m := decoders()["Llama"]
	path := importFolder(t, m.folder(t))
	plain := openDecoder(t, path, transformer.DecoderOptions{})
	m.vocabulary = plain.Vocabulary()
	ids := randomIDs(rand.New(rand.NewPCG(seed, 0)), 90, m.vocabulary)
	tensors := adapterTensors(m, seed, adapterModules()...)
	d := openDecoder(t, path, transformer.DecoderOptions{Threads: 2, Adapter: adapterFolder(t, tensors, adapterConfig())})
	c := d.NewSequence()
	defer freeSequence(t, c)
	want := appendAll(t, d, c, ids, 1)
	if err := c.Truncate(0); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(appendAll(t, d, c, ids, 70, 20), want) {
		t.Error("in pieces, logits have other bits")
	}
	for name, tensor := range tensors {
		if strings.Contains(name, "lora_B") {
			clear(tensor.Values)
		}
	}
	idle := openDecoder(t, path, transformer.DecoderOptions{Adapter: adapterFolder(t, tensors, adapterConfig())})
	if !slices.Equal(lastLogits(t, idle, ids), lastLogits(t, plain, ids)) {
		t.Error("an adapter of zeros changes logits")
	}
}

// Heads of an adapter score the normalised state of the last token, each that
// of its layer.
func TestAdapterBringsHeads(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	const seed = 93
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	m := decoders()["Llama"]
	folder := m.folder(t)
	path := importFolder(t, folder)
	pairs := decoderPairs(rng, 12, 20, 30, configOf(t, path))
	for _, heads := range []int{1, m.layers} {
		weights := modeltest.Tensor{Shape: []int{heads, m.hidden}, Values: make([]float32, heads*m.hidden)}
		for i := range weights.Values {
			weights.Values[i] = float32(rng.NormFloat64())
		}
		bias := modeltest.Tensor{Shape: []int{heads}, Values: []float32{0.5, -0.25, 3}[:heads]}
		o := transformer.CrossEncoderOptions{
			Limits:  transformer.Limits{Threads: 2},
			Adapter: adapterFolder(t, map[string]modeltest.Tensor{"heads.weight": weights, "heads.bias": bias}, adapterConfig()),
		}
		c := openDecoderReranker(t, path, o, everything())
		if c.LayerHeads() != (heads > 1) {
			t.Errorf("%d heads: LayerHeads is %t", heads, c.LayerHeads())
		}
		streamed := openDecoderReranker(t, path, o, transformer.Plan{Streamed: true, ChunkRows: 40, TokenRows: 9})
		got := trace(t, c, pairs)
		requireEqual(t, "streamed", trace(t, streamed, pairs), got)
		r := openDecoderReference(t, folder)
		for l := range got {
			at := l % heads
			var want []float32
			for _, p := range pairs {
				state := r.norm("model.norm", r.read(p.IDs)[l])
				want = append(want, dot(state, weights.Values[at*m.hidden:(at+1)*m.hidden])+bias.Values[at])
			}
			if correlation, _ := agreement(t, "heads", l, got[l], want); !(correlation > 0.99) {
				t.Errorf("%d heads, layer %d: correlation %.5f (want 0.99)", heads, l, correlation)
			}
		}
	}
}

// The matrices of an adapter are charged as weights, and given back.
func TestAdapterIsCharged(t *testing.T) {
	m := decoders()["Llama"]
	path := importFolder(t, m.folder(t))
	m.vocabulary = 300
	size := int64(0)
	tensors := adapterTensors(m, 1, adapterModules()...)
	for _, tensor := range tensors {
		size += int64(4 * len(tensor.Values))
	}
	held, prints := map[bool]int64{}, map[string]bool{}
	for _, adapted := range []bool{false, true} {
		ledger := &memory.Ledger{}
		o := transformer.CrossEncoderOptions{Ledger: ledger, Prompt: yesNo()}
		if adapted {
			o.Adapter = adapterFolder(t, tensors, adapterConfig())
		}
		c, err := transformer.OpenCrossEncoder(t.Context(), path, newKernel(t), o)
		if err != nil {
			t.Fatal(err)
		}
		held[adapted] = peaks(ledger)[weights.ResidentPool]
		prints[c.Fingerprint()] = true
		if err := c.Close(); err != nil || ledger.Total() != 0 {
			t.Errorf("%d bytes are still held (%v)", ledger.Total(), err)
		}
	}
	if len(prints) != 2 {
		t.Error("with an adapter the model has the same fingerprint")
	}
	if more := held[true] - held[false]; more != pages(int(size)) {
		t.Errorf("an adapter of %d bytes was charged with %d", size, more)
	}
}

func TestAdapterThatDoesNotFitIsRefused(t *testing.T) {
	m := decoders()["Llama"]
	path := importFolder(t, m.folder(t))
	m.vocabulary = 300
	fine := adapterTensors(m, 1, "self_attn.q_proj")
	first := "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight"
	change := func(name string, tensor *modeltest.Tensor) map[string]modeltest.Tensor {
		changed := maps.Clone(fine)
		delete(changed, first)
		if tensor != nil {
			changed[name] = *tensor
		}
		return changed
	}
	old := fine[first]
	option := func(name string, value any) map[string]any {
		c := adapterConfig()
		c[name] = value
		return c
	}
	for name, c := range map[string]struct {
		tensors map[string]modeltest.Tensor
		config  map[string]any
	}{
		"half of a pair":       {change("", nil), adapterConfig()},
		"a layer too many":     {change(strings.Replace(first, "layers.0", "layers.9", 1), &old), adapterConfig()},
		"an unknown module":    {change(strings.Replace(first, "q_proj", "z_proj", 1), &old), adapterConfig()},
		"another shape":        {change(first, &modeltest.Tensor{Shape: []int{adapterRank, 2}, Values: make([]float32, 2*adapterRank)}), adapterConfig()},
		"another tensor":       {change("base_model.model.lm_head.weight", &old), adapterConfig()},
		"another rank":         {fine, option("r", 4)},
		"DoRA":                 {fine, option("use_dora", true)},
		"another kind":         {fine, option("peft_type", "IA3")},
		"biases":               {fine, option("bias", "all")},
		"ranks by layer":       {fine, option("rank_pattern", map[string]int{"q_proj": 3})},
		"a head without bias":  {map[string]modeltest.Tensor{"heads.weight": {Shape: []int{1, m.hidden}, Values: make([]float32, m.hidden)}}, adapterConfig()},
		"heads of other width": {map[string]modeltest.Tensor{"heads.weight": {Shape: []int{1, 3}, Values: make([]float32, 3)}, "heads.bias": {Shape: []int{1}, Values: []float32{0}}}, adapterConfig()},
	} {
		if d, err := transformer.OpenDecoder(t.Context(), path, newKernel(t), transformer.DecoderOptions{Adapter: adapterFolder(t, c.tensors, c.config)}); err == nil {
			t.Errorf("%s: no error", name)
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
