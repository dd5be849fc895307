package pack

import (
	"fmt"
	"strings"
)

// family is what the checkpoints of one architecture call their parts.
type family struct {
	architecture string
	prefix       string // of the body's tensors, in checkpoints of encoders that have one
	// dense and output are the parts of a TanhHead; "" for models of vectors.
	// Where densePrefix is set, the names of dense share the body's prefix.
	dense, output string
	densePrefix   bool
	// afterPadding says that positions are counted from the one after the
	// padding token's id, as fairseq did.
	afterPadding bool

	// Of decoders: the architecture's name in GGUF and whether query and key
	// rows are permuted there; norms of queries and keys; whether query, key and
	// value always have biases; the width of a head where the files name none,
	// 0 for that of the model divided by the heads.
	gguf     string
	permuted bool
	qkNorm   bool
	qkvBias  bool
	headDim  int
}

// families are the architectures that packs hold.
var families = []family{
	{architecture: "BertModel", prefix: "bert."},
	{architecture: "BertForSequenceClassification", prefix: "bert.", dense: "pooler.dense", densePrefix: true, output: "classifier"},
	{architecture: "XLMRobertaForSequenceClassification", prefix: "roberta.", dense: "classifier.dense", output: "classifier.out_proj", afterPadding: true},
	{architecture: "LlamaForCausalLM", gguf: "llama", permuted: true},
	{architecture: "Qwen2ForCausalLM", gguf: "qwen2", qkvBias: true},
	{architecture: "Qwen3ForCausalLM", gguf: "qwen3", qkNorm: true, headDim: 128},
}

// scores reports whether models of the family make scores instead of vectors.
func (f family) scores() bool { return f.output != "" }

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

// familyOfGGUF finds the family that a GGUF file names.
func familyOfGGUF(architecture string) (family, error) {
	var names []string
	for _, f := range families {
		if f.decoder() && f.gguf == architecture {
			return f, nil
		}
		if f.decoder() {
			names = append(names, f.gguf)
		}
	}
	return family{}, fmt.Errorf("architecture %s of a GGUF file is not supported yet; supported: %s", architecture, strings.Join(names, ", "))
}

// unsupported is the error for architectures that packs do not hold.
func unsupported(architecture string) error {
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
