package modeltest

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Sizes of the model: Layers encoder layers of width Hidden with Heads heads.
const (
	Layers       = 2
	Hidden       = 32
	Heads        = 4
	Intermediate = 64
	Positions    = 48
	MaxTokens    = 40
)

// Tensor is a tensor of the folder's safetensors file.
type Tensor struct {
	Shape  []int
	Values []float32
}

// Tensors returns the model's weights by name, always the same.
func Tensors() map[string]Tensor {
	s := shape{Layers: Layers, Hidden: Hidden, Intermediate: Intermediate, Positions: Positions, Vocabulary: vocabularySize(), Types: 2}
	return s.body(newGenerator(1, ""))
}

// Files returns the folder's files by slash-separated name.
func Files() (map[string][]byte, error) {
	tokenizer, err := tokenizerJSON(bertProcessing)
	if err != nil {
		return nil, err
	}
	weights, err := Safetensors(Tensors())
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"config.json":               []byte(configJSON()),
		"tokenizer.json":            tokenizer,
		"model.safetensors":         weights,
		"sentence_bert_config.json": fmt.Appendf(nil, `{"max_seq_length": %d}`, MaxTokens),
		"modules.json":              []byte(modulesJSON),
		"1_Pooling/config.json":     []byte(`{"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": false}`),
	}, nil
}

// Write writes files into folder, which exists.
func Write(folder string, files map[string][]byte) error {
	for name, data := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Safetensors encodes tensors as F32.
func Safetensors(tensors map[string]Tensor) ([]byte, error) {
	type entry struct {
		Type    string `json:"dtype"`
		Shape   []int  `json:"shape"`
		Offsets [2]int `json:"data_offsets"`
	}
	header := map[string]entry{}
	var data []byte
	for _, name := range slices.Sorted(maps.Keys(tensors)) {
		t := tensors[name]
		start := len(data)
		for _, v := range t.Values {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
		header[name] = entry{"F32", t.Shape, [2]int{start, len(data)}}
	}
	text, err := json.Marshal(header)
	if err != nil {
		return nil, err
	}
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	return append(append(out, text...), data...), nil
}

func configJSON() string {
	return fmt.Sprintf(`{"architectures": ["BertModel"], "hidden_act": "gelu", "position_embedding_type": "absolute",
"num_hidden_layers": %d, "hidden_size": %d, "num_attention_heads": %d, "intermediate_size": %d, "vocab_size": %d,
"max_position_embeddings": %d, "type_vocab_size": 2, "layer_norm_eps": 1e-12}`,
		Layers, Hidden, Heads, Intermediate, vocabularySize(), Positions)
}

const modulesJSON = `[{"path": "", "type": "sentence_transformers.models.Transformer"},
{"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
{"path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}]`

// letters are words, and may continue a word.
const letters = "abcdefghijklmnopqrstuvwxyz0123456789"

var special = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]"}

func vocabularySize() int { return len(special) + 2*len(letters) }

const bertProcessing = `{"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]}`

func tokenizerJSON(postProcessor string) ([]byte, error) {
	vocabulary := map[string]int{}
	for _, token := range special {
		vocabulary[token] = len(vocabulary)
	}
	for _, letter := range strings.Split(letters, "") {
		vocabulary[letter] = len(vocabulary)
		vocabulary["##"+letter] = len(vocabulary)
	}
	text, err := json.Marshal(vocabulary)
	if err != nil {
		return nil, err
	}
	return []byte(`{"added_tokens": [{"id": 2, "content": "[CLS]"}, {"id": 3, "content": "[SEP]"}],
"normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "lowercase": true},
"pre_tokenizer": {"type": "BertPreTokenizer"},
"post_processor": ` + postProcessor + `,
"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
"max_input_chars_per_word": 100, "vocab": ` + string(text) + `}}`), nil
}

// WriteEmbedder writes the small model into a folder, with the prompts of a file
// config_sentence_transformers.json, which make other vectors; "" for none.
func WriteEmbedder(folder, prompts string) error {
	files, err := Files()
	if err != nil {
		return err
	}
	if prompts != "" {
		files["config_sentence_transformers.json"] = []byte(prompts)
	}
	return Write(folder, files)
}
