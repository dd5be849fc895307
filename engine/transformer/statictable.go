package transformer

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// A StaticTable has a row for each token of an embedder, in the space of its vectors. The sum of a text's rows is
// near the vector that the embedder gives the text, and takes no layer: some 20,000 passages a second on a core.
// train/static.py distils one.
//
// Its format, little endian:
//
//	magic "dowsestt", rows, numbers of a row    8 + 4 + 4 bytes
//	a scale for each row                        float32
//	the rows, a nibble a number, the first of two in the lower bits; 8 is zero
type StaticTable struct {
	dim    int
	scales []float32
	rows   []byte // [len(scales), dim/2]
}

const (
	staticMagic = "dowsestt"
	staticHead  = len(staticMagic) + 4 + 4
)

// ReadStaticTable reads a table, whose rows stay where they are in data.
func ReadStaticTable(data []byte) (*StaticTable, error) {
	if len(data) < staticHead || !bytes.HasPrefix(data, []byte(staticMagic)) {
		return nil, fmt.Errorf("%d bytes are no table of static vectors", len(data))
	}
	words := int64(binary.LittleEndian.Uint32(data[len(staticMagic):]))
	dim := int64(binary.LittleEndian.Uint32(data[len(staticMagic)+4:]))
	if data = data[staticHead:]; dim%2 != 0 || words > math.MaxInt32 || dim > math.MaxInt16 || int64(len(data)) != words*(4+dim/2) {
		return nil, fmt.Errorf("a table of %d static vectors of %d numbers has %d bytes", words, dim, len(data))
	}
	t := &StaticTable{dim: int(dim), scales: make([]float32, words), rows: data[4*words:]}
	for i := range t.scales {
		t.scales[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return t, nil
}

// Fits reports whether the table has the numbers of a row that an embedder's vectors have, and a row for each of its tokens.
func (t *StaticTable) Fits(e *Embedder) bool {
	return t.dim == e.Dim() && len(t.scales) == e.config.Vocabulary
}

// EmbedStatic returns the vectors of a table for texts, of unit length, one after the other: [len(texts),Dim]. A token
// counts by the square root of how often it occurs. A text without known tokens gets zeros.
func (e *Embedder) EmbedStatic(t *StaticTable, texts []string) []float32 {
	vectors := make([]float32, len(texts)*t.dim)
	for i, text := range texts {
		t.sum(vectors[i*t.dim:(i+1)*t.dim], bag(e.tokenizer, text, e.config.MaxTokens, true))
	}
	return vectors
}

// sum writes the vector of a bag of tokens, which it puts in order.
func (t *StaticTable) sum(dst []float32, ids []int32) {
	slices.Sort(ids)
	for from, to := 0, 0; from < len(ids); from = to {
		for to = from; to < len(ids) && ids[to] == ids[from]; to++ {
		}
		id := int(ids[from])
		weight := t.scales[id] * float32(math.Sqrt(float64(to-from)))
		for j, pair := range t.rows[id*t.dim/2 : (id+1)*t.dim/2] {
			dst[2*j] += float32(weight * nibbles[pair&15]) // rounded twice everywhere, so that all machines agree
			dst[2*j+1] += float32(weight * nibbles[pair>>4])
		}
	}
	length := 0.0
	for _, x := range dst {
		length += float64(float64(x) * float64(x))
	}
	if length == 0 {
		return
	}
	scale := float32(1 / math.Sqrt(length))
	for j := range dst {
		dst[j] *= scale
	}
}

// nibbles are the numbers that four bits stand for.
var nibbles = [16]float32{-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7}
