package pack

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dowse/models/safetensors"
	"dowse/models/tokenizer"
)

// source is an open Hugging Face folder.
type source struct {
	folder  string
	config  Config
	family  family
	weights *safetensors.Reader
	file    *os.File
	prefix  string // of the body's tensors: "" or the family's

	tokenizer     *tokenizer.Tokenizer
	tokenizerJSON []byte
}

// openSource reads everything of a folder but the weights, and refuses what
// cannot be imported.
func openSource(folder string) (*source, error) {
	config, family, err := readConfig(folder)
	if err != nil {
		return nil, err
	}
	s := &source{folder: folder, config: config, family: family}
	if s.tokenizerJSON, err = os.ReadFile(filepath.Join(folder, "tokenizer.json")); err != nil {
		return nil, err
	}
	if s.tokenizer, err = tokenizer.FromJSON(s.tokenizerJSON); err != nil {
		return nil, err
	}
	if n := s.tokenizer.Size(); n > config.Vocabulary {
		return nil, fmt.Errorf("tokenizer.json has %d tokens, the model embeds %d", n, config.Vocabulary)
	}
	if s.file, err = os.Open(filepath.Join(folder, "model.safetensors")); err != nil {
		return nil, err
	}
	info, err := s.file.Stat()
	if err == nil {
		s.weights, err = safetensors.NewReader(s.file, info.Size())
	}
	if err == nil {
		err = s.inspect()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("model.safetensors: %w", err), s.close())
	}
	return s, nil
}

// inspect finds out from the names of the tensors what config.json does not
// say: the prefix of the body and the kind of the head.
func (s *source) inspect() error {
	if _, ok := s.weights.Tensor(s.family.prefix + wordTable); ok {
		s.prefix = s.family.prefix
	}
	if !s.family.scores() {
		return nil
	}
	s.config.Head = TanhHead
	if _, ok := s.weights.Tensor(layerHeadWeights); ok {
		s.config.Head = LayerHeads
	}
	return s.checkNames()
}

// checkNames refuses a model of scores with tensors that would not be used:
// they might be meant to change the scores.
func (s *source) checkNames() error {
	head := []string{s.family.output, s.family.dense}
	if s.config.Head == LayerHeads {
		head = []string{"heads"}
	}
	for _, t := range s.weights.Tensors() {
		name := strings.TrimPrefix(t.Name, s.prefix)
		body := strings.HasPrefix(name, "embeddings.") || strings.HasPrefix(name, "encoder.layer.") || strings.HasPrefix(name, "pooler.")
		part := strings.TrimSuffix(strings.TrimSuffix(name, ".weight"), ".bias")
		if !body && !slices.Contains(head, part) {
			return fmt.Errorf("tensor %q is of no use to a %s with the head %q", t.Name, s.config.Architecture, s.config.Head)
		}
	}
	return nil
}

const wordTable = "embeddings.word_embeddings.weight"

func (s *source) close() error { return s.file.Close() }

// tensor reads a whole tensor of the given full name and shape, as [rows,
// columns] or, with one row, [columns].
func (s *source) tensor(name string, rows, columns int) ([]float32, error) {
	t, ok := s.weights.Tensor(name)
	if !ok {
		return nil, fmt.Errorf("model.safetensors has no tensor %q", name)
	}
	want := []int{rows, columns}
	if !slices.Equal(t.Shape, want) && !(rows == 1 && slices.Equal(t.Shape, want[1:])) {
		return nil, fmt.Errorf("tensor %q has shape %v, config.json asks for %v", t.Name, t.Shape, want)
	}
	values, err := t.ReadAll()
	if err != nil {
		return nil, err
	}
	for i, v := range values {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return nil, fmt.Errorf("tensor %q holds %v at %d", t.Name, v, i)
		}
	}
	return values, nil
}

// fingerprint identifies what a pack of this source computes.
func (s *source) fingerprint() ([]byte, error) {
	config, err := json.Marshal(s.config)
	if err != nil {
		return nil, err
	}
	weights := sha256.New()
	if _, err := io.Copy(weights, io.NewSectionReader(s.file, 0, math.MaxInt64)); err != nil {
		return nil, fmt.Errorf("model.safetensors: %w", err)
	}
	h := sha256.New()
	tokens := sha256.Sum256(s.tokenizerJSON)
	_, err = fmt.Fprintf(h, "dowse pack %d\n%s\n%x\n%x\n", formatVersion, config, tokens, weights.Sum(nil))
	return h.Sum(nil), err
}
