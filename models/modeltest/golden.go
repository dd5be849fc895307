package modeltest

import (
	"embed"
	"encoding/binary"
	"fmt"
	"math"
)

//go:embed testdata/*.gguf testdata/*.logits
var golden embed.FS

// Prompt returns the tokens that the logits of Logits come after.
func Prompt() []int32 { return []int32{0, 17, 99, 3, 64, 17, 105, 42, 8, 91} }

// Logits returns what the reference implementation computes in float32 for a
// model of Decoders: the logits after each token of Prompt, by token and word.
func Logits(name string) ([][]float32, error) {
	data, err := golden.ReadFile("testdata/" + name + ".logits")
	if err != nil {
		return nil, err
	}
	tokens := len(Prompt())
	words := len(data) / 4 / tokens
	if len(data) != 4*tokens*words {
		return nil, fmt.Errorf("%d bytes of logits for %d tokens", len(data), tokens)
	}
	logits := make([][]float32, tokens)
	for i := range logits {
		for range words {
			logits[i] = append(logits[i], math.Float32frombits(binary.LittleEndian.Uint32(data)))
			data = data[4:]
		}
	}
	return logits, nil
}

// ReferenceGGUF returns a model of Decoders as a GGUF file that the reference
// writer made: "llama" and "qwen2" with matrices in F16, "qwen3" in Q8_0.
func ReferenceGGUF(name string) ([]byte, error) { return golden.ReadFile("testdata/" + name + ".gguf") }
