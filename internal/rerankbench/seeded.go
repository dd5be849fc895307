package rerankbench

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// tensor is one tensor of a model that is made up.
type tensor struct {
	name         string
	shape        []int
	mean, spread float64
}

func (t *tensor) size() int {
	n := 1
	for _, d := range t.shape {
		n *= d
	}
	return n
}

// initialSpread is the standard deviation that models of the BERT family start
// training from.
const initialSpread = 0.02

// tensors lists those of the shape.
func (s Shape) tensors() []tensor {
	d := s.Hidden
	var list []tensor
	matrix := func(name string, rows, columns int) {
		list = append(list, tensor{name + ".weight", []int{rows, columns}, 0, initialSpread})
	}
	linear := func(name string, out, in int) {
		matrix(name, out, in)
		list = append(list, tensor{name + ".bias", []int{out}, 0, initialSpread})
	}
	norm := func(name string) {
		list = append(list, tensor{name + ".weight", []int{d}, 1, initialSpread}, tensor{name + ".bias", []int{d}, 0, initialSpread})
	}
	const body = "roberta."
	matrix(body+"embeddings.word_embeddings", s.Vocabulary, d)
	matrix(body+"embeddings.position_embeddings", s.Positions, d)
	matrix(body+"embeddings.token_type_embeddings", 1, d)
	norm(body + "embeddings.LayerNorm")
	for i := range s.Layers {
		layer := fmt.Sprintf("%sencoder.layer.%d.", body, i)
		for _, part := range []string{"query", "key", "value"} {
			linear(layer+"attention.self."+part, d, d)
		}
		linear(layer+"attention.output.dense", d, d)
		norm(layer + "attention.output.LayerNorm")
		linear(layer+"intermediate.dense", s.Intermediate, d)
		linear(layer+"output.dense", d, s.Intermediate)
		norm(layer + "output.LayerNorm")
	}
	linear("classifier.dense", d, d)
	linear("classifier.out_proj", 1, d)
	return list
}

// WriteShape writes a Hugging Face folder of the shape, of normal random
// weights in BF16, the same ones for a seed. It needs next to no memory. The
// folder must exist.
func WriteShape(ctx context.Context, folder string, s Shape, seed uint64) error {
	tokenizer, err := tokenizerJSON(s.Vocabulary)
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{
		"config.json":               s.configJSON(),
		"tokenizer.json":            tokenizer,
		"sentence_bert_config.json": fmt.Appendf(nil, `{"max_seq_length": %d}`, s.Limit),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			return fmt.Errorf("write the shape %s: %w", s.Name, err)
		}
	}
	if err := writeWeights(ctx, filepath.Join(folder, "model.safetensors"), s.tensors(), seed); err != nil {
		return fmt.Errorf("write the shape %s: %w", s.Name, err)
	}
	return nil
}

func (s Shape) configJSON() []byte {
	return fmt.Appendf(nil, `{"architectures": ["XLMRobertaForSequenceClassification"], "hidden_act": "gelu",
"position_embedding_type": "absolute", "num_hidden_layers": %d, "hidden_size": %d, "num_attention_heads": %d,
"intermediate_size": %d, "vocab_size": %d, "max_position_embeddings": %d, "type_vocab_size": 1,
"layer_norm_eps": 1e-5, "pad_token_id": 1}`, s.Layers, s.Hidden, s.Heads, s.Intermediate, s.Vocabulary, s.Positions)
}

// writeWeights writes a safetensors file of random tensors.
func writeWeights(ctx context.Context, path string, list []tensor, seed uint64) (err error) {
	type entry struct {
		Type    string   `json:"dtype"`
		Shape   []int    `json:"shape"`
		Offsets [2]int64 `json:"data_offsets"`
	}
	header, at := map[string]entry{}, int64(0)
	for _, t := range list {
		end := at + 2*int64(t.size())
		header[t.name] = entry{"BF16", t.shape, [2]int64{at, end}}
		at = end
	}
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriterSize(file, 1<<20)
	// A bufio.Writer keeps its first error until Flush.
	_, _ = out.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(text))))
	_, _ = out.Write(text)
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, t := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := t.write(out, rng); err != nil {
			return err
		}
	}
	return out.Flush()
}

// levelBits is the logarithm of the number of values that weights have.
const levelBits = 12

// write writes the values: quantiles of a normal distribution, drawn at random.
// That is as random as int8 weights need it, and several values come from one
// call of the generator.
func (t *tensor) write(out io.Writer, rng *rand.Rand) error {
	var levels [1 << levelBits]uint16
	for i := range levels {
		share := (float64(i) + 0.5) / float64(len(levels))
		value := t.mean + t.spread*math.Sqrt2*math.Erfinv(2*share-1)
		levels[i] = uint16(math.Float32bits(float32(value)) >> 16) // BF16, rounded towards 0
	}
	buffer := make([]byte, 0, 1<<16)
	for left := t.size(); left > 0; {
		buffer = buffer[:0]
		for left > 0 && len(buffer) < cap(buffer)-16 {
			bits := rng.Uint64()
			for range min(left, 64/levelBits) {
				buffer = binary.LittleEndian.AppendUint16(buffer, levels[bits&(1<<levelBits-1)])
				bits >>= levelBits
				left--
			}
		}
		if _, err := out.Write(buffer); err != nil {
			return err
		}
	}
	return nil
}
