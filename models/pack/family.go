package pack

import (
	"fmt"
	"slices"
	"strings"
)

// family is the traits of one architecture, and the names of its checkpoints' parts.
type family struct {
	architecture string
	also         string // another name: of the body below a language model's head, which is not read
	prefix       string // of the body's tensors, optional in checkpoints of encoders
	// The parts of a TanhHead or, with norm, of a GeluHead; "" for models of vectors. With
	// densePrefix the name of dense has the body's prefix.
	dense, norm, output string
	densePrefix         bool
	// afterPadding counts positions from the padding token's id plus one, as fairseq did.
	afterPadding bool
	// relative adds a bias by the distance of query and key, one table for all layers, to the
	// positions; there are no token types, and the first position is 2 whatever the padding.
	relative bool

	static bool // a bag of rows

	// Encoders of ModernBERT's kind, and encoders and decoders with Gemma's layers.
	rotates, gemma bool

	// Of decoders: the name in GGUF, and whether query and key rows are permuted there; norms
	// of queries and keys; biases of query, key and value; the default width of a head, 0 for
	// Hidden/Heads.
	gguf     string
	permuted bool
	qkNorm   bool
	qkvBias  bool
	headDim  int

	// mixture says that the decoder has experts. With everyWindow a sliding window in
	// config.json applies to all layers, with alwaysWindow too whatever its switch says.
	mixture bool
	// bare is the body of a decoder, whose states become vectors.
	bare         bool
	everyWindow  bool
	alwaysWindow bool
}

// families are the architectures that packs hold.
var families = []family{
	{architecture: "BertModel", prefix: "bert."},
	{architecture: "XLMRobertaModel", prefix: "roberta.", afterPadding: true},
	{architecture: "RobertaModel", prefix: "roberta.", afterPadding: true},
	{architecture: "MPNetModel", also: "MPNetForMaskedLM", prefix: "mpnet.", afterPadding: true, relative: true},
	{architecture: "BertForSequenceClassification", prefix: "bert.", dense: "pooler.dense", densePrefix: true, output: "classifier"},
	{architecture: "XLMRobertaForSequenceClassification", prefix: "roberta.", dense: "classifier.dense", output: "classifier.out_proj", afterPadding: true},
	{architecture: "ModernBertModel", prefix: "model.", rotates: true},
	{architecture: staticArchitecture, static: true},
	{architecture: "Gemma3TextModel", prefix: "model.", rotates: true, gemma: true},
	{architecture: modernScorer, prefix: "model.", rotates: true, dense: "head.dense", norm: "head.norm", output: "classifier"},
	{architecture: "LlamaForCausalLM", gguf: "llama", permuted: true},
	{architecture: "Qwen2ForCausalLM", gguf: "qwen2", qkvBias: true},
	{architecture: "Qwen3ForCausalLM", gguf: "qwen3", qkNorm: true, headDim: 128},
	{architecture: "Gemma3ForCausalLM", gguf: "gemma3", qkNorm: true, gemma: true, headDim: 256},
	{architecture: "MixtralForCausalLM", gguf: "llama", permuted: true, mixture: true, everyWindow: true, alwaysWindow: true},
	{architecture: "Qwen3MoeForCausalLM", gguf: "qwen3moe", qkNorm: true, headDim: 128, mixture: true, everyWindow: true},
	{architecture: "LlamaModel", gguf: "llama", permuted: true, bare: true},
	{architecture: "Qwen2Model", gguf: "qwen2", qkvBias: true, bare: true},
	{architecture: "Qwen3Model", gguf: "qwen3", qkNorm: true, headDim: 128, bare: true},
}

// modernScorer is the architecture of ModernBERTs that score.
const modernScorer = "ModernBertForSequenceClassification"

// scores reports whether models of the family make scores instead of vectors.
func (f family) scores() bool { return f.output != "" }

// head is the head of a model that scores, unless each layer has one.
func (f family) head() HeadKind {
	if f.rotates {
		return GeluHead
	}
	return TanhHead
}

// decoder reports whether models of the family continue a text.
func (f family) decoder() bool { return f.gguf != "" }

func familyOf(architecture string) (family, bool) {
	for _, f := range families {
		if f.architecture == architecture || f.also == architecture && f.also != "" {
			return f, true
		}
	}
	return family{}, false
}

// familyOfGGUF finds the family that a GGUF file names, whose Llamas with experts are
// Mixtrals.
func familyOfGGUF(architecture string, mixture bool) (family, error) {
	var names []string
	for _, f := range families {
		if f.decoder() && f.gguf == architecture && f.mixture == mixture {
			return f, nil
		}
		if f.decoder() && !slices.Contains(names, f.gguf) {
			names = append(names, f.gguf)
		}
	}
	if why, ok := otherMixtures[architecture]; ok {
		return family{}, fmt.Errorf("architecture %s of a GGUF file is not supported: %s", architecture, why)
	}
	if mixture && slices.Contains(names, architecture) {
		return family{}, fmt.Errorf("architecture %s of a GGUF file with experts is not supported; supported with experts: llama, qwen3moe", architecture)
	}
	return family{}, fmt.Errorf("architecture %s of a GGUF file is not supported yet; supported: %s", architecture, strings.Join(names, ", "))
}

// otherMixtures says why known mixtures of experts are refused, by architecture in
// config.json and in GGUF.
var otherMixtures = map[string]string{
	"Qwen2MoeForCausalLM": sharedExperts, "qwen2moe": sharedExperts,
	"DeepseekV2ForCausalLM": sharedExperts, "DeepseekV3ForCausalLM": sharedExperts, "deepseek2": sharedExperts,
	"GptOssForCausalLM": "its experts have biases and a clamped activation", "gpt-oss": "its experts have biases and a clamped activation",
}

const sharedExperts = "it has experts that all tokens go through beside those that a router chooses; supported with experts: MixtralForCausalLM, Qwen3MoeForCausalLM"

// unsupported is the error about an unknown architecture.
func unsupported(architecture string) error {
	if why, ok := otherMixtures[strings.Trim(architecture, "[]")]; ok {
		return fmt.Errorf("architecture %s is not supported: %s", architecture, why)
	}
	names := make([]string, len(families))
	for i, f := range families {
		names[i] = f.architecture
	}
	return fmt.Errorf("architecture %s is not supported yet; supported: %s", architecture, strings.Join(names, ", "))
}

// Names of the tensors of LayerHeads, which stand beside the body of any
// family that scores.
const (
	layerHeadWeights = "heads.weight" // [layers, hidden]
	layerHeadBias    = "heads.bias"   // [layers]
)
