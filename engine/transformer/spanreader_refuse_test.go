package transformer_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine/memory"
	"dowse/engine/transformer"
	"dowse/models/modeltest"
)

// changed is an adapter with one tensor replaced, or left out.
func changed(tensors map[string]modeltest.Tensor, name string, tensor ...modeltest.Tensor) map[string]modeltest.Tensor {
	tensors = maps.Clone(tensors)
	delete(tensors, name)
	for _, t := range tensor {
		tensors[name] = t
	}
	return tensors
}

func zeros(shape ...int) modeltest.Tensor {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return modeltest.Tensor{Shape: shape, Values: make([]float32, n)}
}

// What does not fit is told of, and leaves no memory behind.
func TestSpanReaderRefuses(t *testing.T) {
	const d = modeltest.Hidden
	path := rerankerPack(t, spanModel)
	decoder := importFolder(t, decoders()["Llama"].folder(t))
	fine := spanTensors(spanModel, 99, "attention.self.query")
	folder := func(tensors map[string]modeltest.Tensor) string { return adapterFolder(t, tensors, adapterConfig()) }
	query := "base_model.model.bert.encoder.layer.0.attention.self.query"
	gone := folder(fine)
	if err := os.Remove(filepath.Join(gone, "adapter_model.safetensors")); err != nil {
		t.Fatal(err)
	}
	cut := folder(fine)
	if err := os.Truncate(filepath.Join(cut, "adapter_model.safetensors"), 900); err != nil {
		t.Fatal(err)
	}
	of := func(module string, shape ...int) map[string]modeltest.Tensor {
		return changed(changed(fine, module+".lora_A.weight", zeros(adapterRank, shape[1])), module+".lora_B.weight", zeros(shape[0], adapterRank))
	}
	for what, c := range map[string]struct{ path, adapter, says string }{
		"decoder":          {decoder, folder(fine), "LlamaForCausalLM tells no question from a passage"},
		"one type":         {rerankerPack(t, rerankers["XLM-RoBERTa"]), folder(fine), "XLMRobertaForSequenceClassification tells no question"},
		"no adapter":       {path, "", `the adapter "" has no head that points at spans`},
		"no head":          {path, folder(changed(fine, "spans.weight")), "has no head that points at spans (spans.weight)"},
		"wider head":       {path, folder(changed(fine, "spans.weight", zeros(transformer.SpanHeads, d+1))), "spans.weight: the shape is [3 33]; to point at spans of this model it must be [3 32]"},
		"turned head":      {path, folder(changed(fine, "spans.weight", zeros(d, transformer.SpanHeads))), "the shape is [32 3]"},
		"flat head":        {path, folder(changed(fine, "spans.weight", zeros(transformer.SpanHeads*d))), "the shape is [96]"},
		"decoder's":        {path, folder(of("base_model.model.model.layers.0.self_attn.q_proj", d, d)), "the projection self_attn.q_proj is not supported"},
		"unknown":          {path, folder(of("base_model.model.bert.encoder.layer.0.pooler", d, d)), "the projection pooler is not supported"},
		"no layer's":       {path, folder(of("base_model.model.bert.pooler.dense", d, d)), "this is no projection of a layer"},
		"layer too many":   {path, folder(of(strings.Replace(query, ".0.", ".3.", 1), d, d)), "layer 3 of 3"},
		"wider projection": {path, folder(of(query, d+16, d)), "shapes [5 32] and [48 5] for 32 inputs, 32 outputs and rank 5"},
		"half a pair":      {path, folder(changed(fine, query+".lora_A.weight")), query + ".lora_B.weight: the other half of the pair is missing"},
		"cut":              {path, cut, "adapter_model.safetensors:"},
		"no weights":       {path, gone, "adapter_model.safetensors: no such file"},
		"no folder":        {path, filepath.Join(t.TempDir(), "none"), "adapter_config.json: no such file"},
		"no pack":          {filepath.Join(t.TempDir(), "none"), folder(fine), "no such file"},
	} {
		ledger := &memory.Ledger{}
		r, err := transformer.OpenSpanReader(t.Context(), c.path, newKernel(t), transformer.SpanReaderOptions{Adapter: c.adapter, Threads: 2, Ledger: ledger})
		if err == nil || !strings.Contains(err.Error(), c.says) || r != nil {
			t.Errorf("%s: error %v, want %q", what, err, c.says)
		}
		if ledger.Total() != 0 {
			t.Errorf("%s: %d bytes are still held", what, ledger.Total())
		}
	}
}
