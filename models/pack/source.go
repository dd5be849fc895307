package pack

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dowse/models/internal/smallfile"
	"dowse/models/safetensors"
	"dowse/models/tokenizer"
)

// source is a model to import: the contents of its files but the weights, and their places.
type source struct {
	config  Config
	family  family
	weights checkpoint
	modules []string     // folders of the modules that make the head, in their order
	heads   []checkpoint // of these modules
	widths  []int        // numbers that each of the modules Dense of a model of vectors makes
	prefix  string       // of an encoder's body: "" or the family's
	names   decoderNames // of a decoder's tensors

	// Of encoders of ModernBERT's kind.
	rotary     rotaryNames
	biases     []string // tensors of each layer that must have a bias
	queryScale float32  // factor of the norm of queries, also of a Gemma that writes; 0 for 1 there

	// Of static models.
	static  *modules // nil for others
	table   tensor   // of rows
	mapping []int64  // the row of each token; nil where that is its id

	tokenizer *tokenizer.Tokenizer
	tokens    [sha256.Size]byte // hash of the tokenizer's file

	// Of decoders. Projections may have biases in any case; these must.
	attentionBias bool // of query, key, value and output
	mlpBias       bool // of gate, up and down
	oneMore       bool // norms multiply with their weight plus one
	stop          []int32
	chatTemplate  string
}

// openSource reads a folder or a GGUF file except the weights, and refuses what cannot be
// imported.
func openSource(path string) (*source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return openFolder(path)
	}
	return openGGUF(path)
}

// openFolder opens a Hugging Face folder.
func openFolder(folder string) (*source, error) {
	s := &source{}
	body, err := s.readSettings(folder)
	if err != nil {
		return nil, err
	}
	if err := s.readTokenizer(body); err != nil {
		return nil, err
	}
	weights, err := safetensors.OpenFolder(body)
	if err != nil {
		return nil, err
	}
	s.weights = folderCheckpoint{weights}
	if err := s.inspect(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", weights.Name(), err), s.close())
	}
	if err := s.openModules(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// readSettings reads the small files of a folder, and returns the folder of tokenizer and
// weights: the same, except in some static models.
func (s *source) readSettings(folder string) (body string, err error) {
	static, body, err := s.readStatic(folder)
	if static || err != nil {
		return body, err
	}
	if s.family, err = readFamily(folder); err != nil {
		return "", err
	}
	if s.family.decoder() {
		return folder, s.readDecoder(folder)
	}
	return folder, s.readEncoder(folder)
}

// close closes the files of weights.
func (s *source) close() error {
	err := s.weights.Close()
	for _, head := range s.heads {
		err = errors.Join(err, head.Close())
	}
	return err
}

// readTokenizer reads tokenizer.json.
func (s *source) readTokenizer(folder string) error {
	text, err := smallfile.Read(filepath.Join(folder, "tokenizer.json"), smallfile.Tokenizer)
	if err != nil {
		return err
	}
	s.tokens = sha256.Sum256(text)
	if s.tokenizer, err = tokenizer.FromJSON(text); err != nil {
		return err
	}
	if n := s.tokenizer.Size(); n > s.config.Vocabulary && !s.family.static {
		return fmt.Errorf("tokenizer.json has %d tokens, the model embeds %d", n, s.config.Vocabulary)
	}
	return nil
}

// inspect finds in the names of the tensors what config.json does not say: the prefix of an
// encoder's body and the kind of its head.
func (s *source) inspect() error {
	switch {
	case s.family.decoder():
		return s.inspectDecoder()
	case s.family.static:
		return s.inspectStatic()
	}
	words := wordTable
	if s.family.rotates {
		words = s.rotary.words + ".weight"
	}
	if _, ok := s.weights.lookup(s.family.prefix + words); ok {
		s.prefix = s.family.prefix
	}
	if s.family.scores() {
		s.config.Head = s.family.head()
		if _, ok := s.weights.lookup(layerHeadWeights); ok {
			s.config.Head = LayerHeads
		}
	}
	switch {
	case s.family.rotates:
		return s.checkRotaryNames()
	case s.family.scores():
		return s.checkNames()
	}
	return nil
}

// checkNames refuses a model that scores with tensors that would not be used: they might be
// meant to change the scores.
func (s *source) checkNames() error {
	head := []string{s.family.output, s.family.dense}
	if s.config.Head == LayerHeads {
		head = []string{"heads"}
	}
	for _, full := range s.weights.names() {
		name := strings.TrimPrefix(full, s.prefix)
		body := strings.HasPrefix(name, "embeddings.") || strings.HasPrefix(name, "encoder.layer.") || strings.HasPrefix(name, "pooler.")
		part := strings.TrimSuffix(strings.TrimSuffix(name, ".weight"), ".bias")
		if !body && !slices.Contains(head, part) {
			return fmt.Errorf("tensor %q is of no use to a %s with the head %q", full, s.config.Architecture, s.config.Head)
		}
	}
	return nil
}

// fingerprint identifies the source; see Pack.Fingerprint.
func (s *source) fingerprint() ([]byte, error) {
	config, err := json.Marshal(s.config)
	if err != nil {
		return nil, err
	}
	weights := sha256.New()
	if _, err := io.Copy(weights, s.weights.bytes()); err != nil {
		return nil, fmt.Errorf("read the weights: %w", err)
	}
	for _, head := range s.heads {
		if _, err := io.Copy(weights, head.bytes()); err != nil {
			return nil, fmt.Errorf("read the weights of a module: %w", err)
		}
	}
	h := sha256.New()
	_, err = fmt.Fprintf(h, "dowse pack %d\n%s\n%x\n%x\n", formatVersion, config, s.tokens, weights.Sum(nil))
	return h.Sum(nil), err
}
