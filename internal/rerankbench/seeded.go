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

// WriteShape writes a Hugging Face folder of the shape, of normal random
// weights in BF16, the same ones for a seed. It needs next to no memory. The
// folder must exist.
func WriteShape(ctx context.Context, folder string, s Shape, seed uint64) error {
	tokenizer, err := s.tokenizerJSON()
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
