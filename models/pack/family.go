package pack

import (
	"fmt"
	"slices"
	"strings"
)

// family is what the checkpoints of one architecture call their parts.
type family struct {
	architecture string
	prefix       string // of the body's tensors, in checkpoints of encoders that have one
	// dense and output are the parts of a TanhHead; "" for models of vectors.
	// Where densePrefix is set, the names of dense share the body's prefix.
	// norm is the one between them of a GeluHead.
	dense, norm, output string
	densePrefix         bool
	// afterPadding says that positions are counted from the one after the
	// padding token's id, as fairseq did.
	afterPadding bool

	static bool // a bag of rows

	// Of encoders of ModernBERT's kind, and of those among them that have Gemma's layers.
	rotates, gemma bool

	// Of decoders: the architecture's name in GGUF and whether query and key
	// rows are permuted there; norms of queries and keys; whether query, key and
	// value always have biases; the width of a head where the files name none,
	// 0 for that of the model divided by the heads.
	gguf     string
	permuted bool
	qkNorm   bool
	qkvBias  bool
	headDim  int

	// Of decoders with experts. A sliding window that config.json states is that of all
	// layers if everyWindow is set. If alwaysWindow is set too, no switch turns it off.
	mixture bool
	// bare says that the architecture is the body of a decoder, whose states become
	// vectors.
	bare         bool
	everyWindow  bool
	alwaysWindow bool
}

// families are the architectures that packs hold.
var families = []family{
	{architecture: "BertModel", prefix: "bert."},
	{architecture: "XLMRobertaModel", prefix: "roberta.", afterPadding: true},
	{architecture: "RobertaModel", prefix: "roberta.", afterPadding: true},
	{architecture: "BertForSequenceClassification", prefix: "bert.", dense: "pooler.dense", densePrefix: true, output: "classifier"},
	{architecture: "XLMRobertaForSequenceClassification", prefix: "roberta.", dense: "classifier.dense", output: "classifier.out_proj", afterPadding: true},
	{architecture: "ModernBertModel", prefix: "model.", rotates: true},
	{architecture: staticArchitecture, static: true},
	{architecture: "Gemma3TextModel", prefix: "model.", rotates: true, gemma: true},
	{architecture: modernScorer, prefix: "model.", rotates: true, dense: "head.dense", norm: "head.norm", output: "classifier"},
	{architecture: "LlamaForCausalLM", gguf: "llama", permuted: true},
	{architecture: "Qwen2ForCausalLM", gguf: "qwen2", qkvBias: true},
	{architecture: "Qwen3ForCausalLM", gguf: "qwen3", qkNorm: true, headDim: 128},
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

// head is that of a model that scores and has no head for each layer.
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
		if f.architecture == architecture {
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

// otherMixtures says of known mixtures of experts why packs do not hold them: by
// architecture, as config.json and as GGUF name it.
var otherMixtures = map[string]string{
	"Qwen2MoeForCausalLM": sharedExperts, "qwen2moe": sharedExperts,
	"DeepseekV2ForCausalLM": sharedExperts, "DeepseekV3ForCausalLM": sharedExperts, "deepseek2": sharedExperts,
	"GptOssForCausalLM": "its experts have biases and a clamped activation", "gpt-oss": "its experts have biases and a clamped activation",
}

const sharedExperts = "it has experts that all tokens go through beside those that a router chooses; supported with experts: MixtralForCausalLM, Qwen3MoeForCausalLM"

// unsupported is the error for architectures that packs do not hold.
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
