package pack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// staticTokens is the default longest text of a static model, that of model2vec.
const staticTokens = 512

// staticArchitecture is models whose vectors are the mean of their tokens' rows: model2vec,
// and the module StaticEmbedding of sentence-transformers.
const staticArchitecture = "StaticModel"

// Static reports whether the model is a bag of rows: it has no layers.
func (c *Config) Static() bool { return c.Architecture == staticArchitecture }

// checkStatic says what is impossible about the configuration of a static model.
func (c *Config) checkStatic(f family) error {
	if c.Layers != 0 || c.Heads != 0 || c.Intermediate != 0 || c.Types != 0 || c.FirstPosition != 0 || c.Pooling != Mean ||
		c.KVHeads != 0 || c.HeadDim != 0 || c.RotaryBase != 0 || c.QKNorm {
		return fmt.Errorf("architecture %s with parts of an encoder, pooling by %q", c.Architecture, c.Pooling)
	}
	return c.checkOutput(f)
}

// readStatic reads the files of a static model, if it is one, and returns the folder with its
// tokenizer and table.
func (s *source) readStatic(folder string) (static bool, body string, err error) {
	var m struct {
		Architectures []string `json:"architectures"`
		Kind          string   `json:"model_type"`
		Normalize     bool     `json:"normalize"`
		MaxTokens     int      `json:"max_length"`
	}
	var listed []module
	if err := errors.Join(readJSON(folder, "config.json", false, &m), readJSON(folder, "modules.json", false, &listed)); err != nil {
		return false, "", err
	}
	model2vec := m.Kind == "model2vec" || slices.Contains(m.Architectures, staticArchitecture)
	module := len(listed) > 0 && listed[0].kind() == ".StaticEmbedding"
	if !model2vec && !module {
		return false, "", nil
	}
	s.family, _ = familyOf(staticArchitecture)
	c := &s.config
	most := cmp.Or(m.MaxTokens, staticTokens)
	*c = Config{Architecture: staticArchitecture, Positions: most, MaxTokens: most, SkipUnknown: model2vec}
	body = folder
	if module {
		found, err := readModules(folder)
		if err != nil {
			return true, "", err
		}
		body = found.all[0].folder
		s.static = found
	} else {
		s.static = &modules{}
	}
	s.static.normalize = s.static.normalize || m.Normalize
	return true, body, readPrompts(folder, c)
}

// inspectStatic finds the table, which has the width of vectors and the vocabulary.
func (s *source) inspectStatic() error {
	c := &s.config
	for _, name := range []string{"embeddings", "embedding.weight"} {
		if t, ok := s.weights.lookup(name); ok && len(t.shape) == 2 {
			s.table = t
		}
	}
	if s.table.rows == nil {
		return errors.New(`there is no tensor "embeddings" or "embedding.weight" of rows`)
	}
	for _, name := range s.weights.names() {
		if name != s.table.name && name != "weights" && name != "mapping" {
			return fmt.Errorf("tensor %q is of no use to a %s", name, c.Architecture)
		}
	}
	c.Hidden, c.Vocabulary = s.table.shape[1], s.table.shape[0]
	if mapping, ok := s.weights.lookup("mapping"); ok {
		if err := s.readMapping(mapping); err != nil {
			return err
		}
		c.Vocabulary = len(s.mapping)
	}
	c.Pooling = Mean
	dense, err := s.static.vector(c)
	if err != nil {
		return err
	}
	c.Normalize = s.static.normalize
	s.useDense(dense, s.static)
	if err := s.checkTruncated(); err != nil {
		return err
	}
	if n := s.tokenizer.Size(); n > c.Vocabulary {
		return fmt.Errorf("tokenizer.json has %d tokens, the model embeds %d", n, c.Vocabulary)
	}
	return errors.Join(s.table.CheckType(), c.check())
}

// readMapping reads which row each token has.
func (s *source) readMapping(t tensor) error {
	whole, ok := t.rows.(interface{ ReadInts() ([]int64, error) })
	if !ok {
		return fmt.Errorf("tensor %q cannot be read as whole numbers", t.name)
	}
	var err error
	if s.mapping, err = whole.ReadInts(); err != nil {
		return err
	}
	for id, row := range s.mapping {
		if row < 0 || row >= int64(s.table.shape[0]) {
			return fmt.Errorf("tensor %q maps token %d to row %d of %d", t.name, id, row, s.table.shape[0])
		}
	}
	return nil
}

// staticEmbeddings writes the block of the embeddings: a row for each token, times the
// token's weight, if the model has weights.
func (w *writer) staticEmbeddings(ctx context.Context) error {
	s, c := w.source, w.source.config
	return w.block(embeddingsPlace, func(b *blockWriter, r *tensorReader) {
		var scale []float32
		if s.mapping == nil {
			scale = r.words(ctx, b, s.table.name, c.Vocabulary, c.Hidden)
		} else {
			scale = r.mappedWords(ctx, b)
		}
		if _, ok := s.weights.lookup("weights"); ok {
			for id, weight := range r.tensor("weights", 1, c.Vocabulary) {
				scale[id] *= weight
			}
		}
		b.float32s(scale)
	})
}

// mappedWords is words for tokens that share rows.
func (r *tensorReader) mappedWords(ctx context.Context, to *blockWriter) []float32 {
	s, d := r.source, r.source.config.Hidden
	rows := s.table.shape[0]
	quantized, scales := make([]int8, rows*d), make([]float32, rows)
	r.chunks(ctx, s.table.name, rows, d, func(first int, values []float32) {
		for i := range len(values) / d {
			scales[first+i] = quantizeRow(quantized[(first+i)*d:], values[i*d:(i+1)*d])
		}
	})
	to.align()
	scale := make([]float32, len(s.mapping))
	for id, row := range s.mapping {
		to.more(quantized[int(row)*d : int(row+1)*d])
		scale[id] = scales[row]
	}
	return scale
}
