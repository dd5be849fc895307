package pack

import (
	"encoding/binary"
	"fmt"
	"math"
)

// encoder fills a block in the order in which a cursor reads it.
type encoder struct {
	block []byte
	at    int64
}

func (e *encoder) align() { e.at = align(e.at, arrayAlign) }

func (e *encoder) int8s(values []int8) {
	e.align()
	for _, v := range values {
		e.block[e.at] = byte(v)
		e.at++
	}
}

func (e *encoder) uint32(v uint32) {
	binary.LittleEndian.PutUint32(e.block[e.at:], v)
	e.at += 4
}

func (e *encoder) int32s(values []int32) {
	e.align()
	for _, v := range values {
		e.uint32(uint32(v))
	}
}

func (e *encoder) float32s(values []float32) {
	e.align()
	for _, v := range values {
		e.uint32(math.Float32bits(v))
	}
}

func (e *encoder) linear(l Linear) {
	e.int8s(l.Weights)
	e.float32s(l.Scale)
	e.float32s(l.Bias)
	e.int32s(l.ColSum)
}

func (e *encoder) norm(n Norm) {
	e.float32s(n.Gamma)
	e.float32s(n.Beta)
}

// layer writes block layer.i.
func (w *writer) layer(i int) error {
	l, err := w.source.layer(i)
	if err != nil {
		return err
	}
	e := encoder{block: make([]byte, layerSize(w.source.config))}
	e.linear(l.QKV)
	e.linear(l.Output)
	e.norm(l.AttentionNorm)
	e.linear(l.Up)
	e.linear(l.Down)
	e.norm(l.OutputNorm)
	return w.block(firstLayerPlace+i, e.block)
}

// embeddings writes the block of the embeddings.
func (w *writer) embeddings() error {
	t, err := w.source.embeddings()
	if err != nil {
		return err
	}
	e := encoder{block: make([]byte, embeddingsSize(w.source.config))}
	e.int8s(t.Words)
	e.float32s(t.WordScale)
	e.float32s(t.Positions)
	e.float32s(t.Types)
	e.norm(t.Norm)
	return w.block(embeddingsPlace, e.block)
}

// head writes the block of the head.
func (w *writer) head() error {
	h, err := w.source.head()
	if err != nil {
		return err
	}
	e := encoder{block: make([]byte, headSize(w.source.config))}
	if w.source.config.Head == TanhHead {
		e.float32s(h.Dense)
		e.float32s(h.DenseBias)
	}
	e.float32s(h.Weights)
	e.float32s(h.Bias)
	return w.block(firstLayerPlace+w.source.config.Layers, e.block)
}

// layer reads and quantises layer i of the source.
func (s *source) layer(i int) (Layer, error) {
	name := fmt.Sprintf("encoder.layer.%d.", i)
	d, f := s.config.Hidden, s.config.Intermediate
	r := tensorReader{source: s, prefix: s.prefix}
	l := Layer{
		QKV: r.linear(d, d, name+"attention.self.query", name+"attention.self.key",
			name+"attention.self.value"),
		Output:        r.linear(d, d, name+"attention.output.dense"),
		AttentionNorm: r.norm(name+"attention.output.LayerNorm", d),
		Up:            r.linear(d, f, name+"intermediate.dense"),
		Down:          r.linear(f, d, name+"output.dense"),
		OutputNorm:    r.norm(name+"output.LayerNorm", d),
	}
	return l, r.err
}

// embeddings reads the tables of the source and quantises the words.
func (s *source) embeddings() (Embeddings, error) {
	d, rows := s.config.Hidden, s.config.Vocabulary
	r := tensorReader{source: s, prefix: s.prefix}
	words := r.tensor(wordTable, rows, d)
	e := Embeddings{
		Words:     make([]int8, rows*d),
		WordScale: make([]float32, rows),
		Positions: r.tensor("embeddings.position_embeddings.weight", s.config.Positions, d),
		Types:     r.tensor("embeddings.token_type_embeddings.weight", s.config.Types, d),
		Norm:      r.norm("embeddings.LayerNorm", d),
	}
	if r.err != nil {
		return e, r.err
	}
	for i := range rows {
		e.WordScale[i] = quantizeRow(e.Words[i*d:(i+1)*d], 1, words[i*d:(i+1)*d])
	}
	return e, nil
}

// head reads the head of the source.
func (s *source) head() (Head, error) {
	d := s.config.Hidden
	r := tensorReader{source: s}
	if s.config.Head == LayerHeads {
		h := Head{Weights: r.tensor(layerHeadWeights, s.config.Layers, d), Bias: r.tensor(layerHeadBias, 1, s.config.Layers)}
		return h, r.err
	}
	output := s.family.output + ".weight"
	if t, ok := s.weights.Tensor(output); ok && t.Rows() != 1 {
		return Head{}, fmt.Errorf("tensor %q is for %d labels; one is supported, the score", output, t.Rows())
	}
	dense := s.family.dense
	if s.family.densePrefix {
		dense = s.prefix + dense
	}
	h := Head{
		Dense: r.tensor(dense+".weight", d, d), DenseBias: r.tensor(dense+".bias", 1, d),
		Weights: r.tensor(output, 1, d), Bias: r.tensor(s.family.output+".bias", 1, 1),
	}
	return h, r.err
}

// tensorReader reads tensors until one fails, and keeps the error.
type tensorReader struct {
	source *source
	prefix string // of all names
	err    error
}

func (r *tensorReader) tensor(name string, rows, columns int) []float32 {
	if r.err != nil {
		return nil
	}
	var values []float32
	values, r.err = r.source.tensor(r.prefix+name, rows, columns)
	return values
}

// linear reads matrices of [n,k] and puts them side by side.
func (r *tensorReader) linear(k, n int, names ...string) Linear {
	total := n * len(names)
	l := Linear{
		K: k, N: total,
		Weights: make([]int8, k*total),
		Scale:   make([]float32, total), Bias: make([]float32, total), ColSum: make([]int32, total),
	}
	for i, name := range names {
		weights, bias := r.tensor(name+".weight", n, k), r.tensor(name+".bias", 1, n)
		if r.err != nil {
			return l
		}
		quantizeColumns(l, i*n, weights, bias)
	}
	return l
}

// norm reads a LayerNorm under its present or its older names.
func (r *tensorReader) norm(name string, n int) Norm {
	gamma, beta := ".weight", ".bias"
	if _, old := r.source.weights.Tensor(r.prefix + name + ".gamma"); old {
		gamma, beta = ".gamma", ".beta"
	}
	return Norm{Gamma: r.tensor(name+gamma, 1, n), Beta: r.tensor(name+beta, 1, n)}
}
