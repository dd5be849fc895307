package modeltest

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// storiesHeader starts the file of weights.
type storiesHeader struct {
	Hidden, Intermediate, Layers, Heads, KVHeads, Vocabulary, Positions int32
}

// Stories returns the files of a Hugging Face folder by name, made of
// stories260K: a trained Llama of 260,000 weights that tells children's stories,
// small enough for a test and English. folder holds stories260K.bin and
// tok512.bin, in the format of llama2.c; the error is fs.ErrNotExist if it does
// not.
func Stories(folder string) (map[string][]byte, error) {
	data, err := os.ReadFile(filepath.Join(folder, "stories260K.bin"))
	if err != nil {
		return nil, err
	}
	r := bytes.NewReader(data)
	var h storiesHeader
	if err := binary.Read(r, binary.LittleEndian, &h); err != nil {
		return nil, fmt.Errorf("read the header of stories260K.bin: %w", err)
	}
	tensors, err := h.tensors(r)
	if err != nil {
		return nil, fmt.Errorf("read the weights of stories260K.bin: %w", err)
	}
	weights, err := Safetensors(tensors)
	if err != nil {
		return nil, err
	}
	config, err := json.Marshal(map[string]any{
		"architectures": []string{"LlamaForCausalLM"}, "hidden_act": "silu", "num_hidden_layers": h.Layers, "hidden_size": h.Hidden,
		"num_attention_heads": h.Heads, "num_key_value_heads": h.KVHeads, "intermediate_size": h.Intermediate, "vocab_size": h.Vocabulary,
		"max_position_embeddings": h.Positions, "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "tie_word_embeddings": true, "eos_token_id": 1,
	})
	if err != nil {
		return nil, err
	}
	pieces, err := Pieces(filepath.Join(folder, "tok512.bin"))
	if err != nil {
		return nil, fmt.Errorf("read the vocabulary of stories260K: %w", err)
	}
	tokenizer, err := storiesTokenizer(pieces)
	return map[string][]byte{"config.json": config, "model.safetensors": weights, "tokenizer.json": tokenizer}, err
}

// tensors reads the weights, which lie tensor by tensor, each for all layers.
func (h *storiesHeader) tensors(r io.Reader) (map[string]Tensor, error) {
	d, f, width := int(h.Hidden), int(h.Intermediate), int(h.Hidden/h.Heads)
	keys := int(h.KVHeads) * width
	all := map[string]Tensor{}
	read := func(name string, shape ...int) error {
		n := 1
		for _, size := range shape {
			n *= size
		}
		values := make([]float32, n)
		all[name] = Tensor{Shape: shape, Values: values}
		return binary.Read(r, binary.LittleEndian, values)
	}
	if err := read("model.embed_tokens.weight", int(h.Vocabulary), d); err != nil {
		return nil, err
	}
	for _, part := range []struct {
		name  string
		shape []int
	}{
		{"input_layernorm", []int{d}}, {"self_attn.q_proj", []int{d, d}}, {"self_attn.k_proj", []int{keys, d}},
		{"self_attn.v_proj", []int{keys, d}}, {"self_attn.o_proj", []int{d, d}}, {"post_attention_layernorm", []int{d}},
		{"mlp.gate_proj", []int{f, d}}, {"mlp.down_proj", []int{d, f}}, {"mlp.up_proj", []int{f, d}},
	} {
		for l := range h.Layers {
			name := fmt.Sprintf("model.layers.%d.%s.weight", l, part.name)
			if err := read(name, part.shape...); err != nil {
				return nil, err
			}
			if part.name == "self_attn.q_proj" || part.name == "self_attn.k_proj" {
				splitHalves(all[name].Values, width, d)
			}
		}
	}
	return all, read("model.norm.weight", d)
}

// splitHalves brings the rows of each head into the order of Hugging Face: rows
// 2i and 2i+1, which are rotated together, become i and i+width/2.
func splitHalves(rows []float32, width, columns int) {
	for head := range slices.Chunk(rows, width*columns) {
		old := slices.Clone(head)
		for i := range width {
			to := i/2 + i%2*width/2
			copy(head[to*columns:(to+1)*columns], old[i*columns:(i+1)*columns])
		}
	}
}

// storiesTokenizer returns the vocabulary as tokenizer.json: pieces in the order in
// which they are merged.
func storiesTokenizer(all []Piece) ([]byte, error) {
	vocabulary, pieces := map[string]int{}, make([]string, len(all))
	for id, piece := range all {
		pieces[id] = piece.Text
	}
	for id, piece := range pieces {
		vocabulary[piece] = id
	}
	var merges []string
	for _, piece := range pieces {
		for i := range piece {
			_, left := vocabulary[piece[:i]]
			_, right := vocabulary[piece[i:]]
			if left && right {
				merges = append(merges, piece[:i]+" "+piece[i:])
			}
		}
	}
	special := func(id int) map[string]any {
		return map[string]any{"id": id, "content": pieces[id], "special": true}
	}
	space := map[string]any{"type": "Replace", "pattern": map[string]any{"String": " "}, "content": "▁"}
	text := map[string]any{"type": "Replace", "pattern": map[string]any{"String": "▁"}, "content": " "}
	return json.Marshal(map[string]any{
		"version": "1.0", "added_tokens": []any{special(0), special(1), special(2)}, "pre_tokenizer": nil, "post_processor": nil,
		"normalizer": space,
		"decoder":    map[string]any{"type": "Sequence", "decoders": []any{text, map[string]any{"type": "ByteFallback"}, map[string]any{"type": "Fuse"}}},
		"model":      map[string]any{"type": "BPE", "unk_token": "<unk>", "fuse_unk": true, "byte_fallback": true, "vocab": vocabulary, "merges": merges},
	})
}
