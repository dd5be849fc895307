package transformer

import (
	"fmt"

	"dowse/engine/kernel"
	"dowse/models/pack"
)

// A wordTable holds the embedding rows of some or all words.
type wordTable struct {
	rows  []int8    // [n,D]
	scale []float32 // [n]
}

// expand writes a row as floats to dst [D].
func (t *wordTable) expand(dst []float32, row int) {
	scale := t.scale[row]
	for i, v := range t.rows[row*len(dst) : (row+1)*len(dst)] {
		dst[i] = float32(v) * scale
	}
}

// inputs makes the first hidden states of tokens.
type inputs interface {
	// sum adds up what the states of tokens consist of in dst [len(rows),D].
	// rows are the places of their words in the table; the first of them is
	// token number first of its sequence. types are the tokens' types, nil for
	// all 0.
	sum(dst []float32, rows []int32, types []uint8, first int, words wordTable) error
	// normalize ends what sum began, in place.
	normalize(hidden []float32)
}

// encoderInputs are word, position and type, summed and normalised.
type encoderInputs struct {
	network *encoderNetwork
	tables  pack.Embeddings // Words are not used
}

func newEncoderInputs(n *encoderNetwork, tables pack.Embeddings) (*encoderInputs, error) {
	c := &n.config
	if len(tables.Types) != c.Types*c.Hidden || c.Types < 1 || len(tables.Positions) != c.Positions*c.Hidden {
		return nil, fmt.Errorf("embedding tables do not fit a width of %d", c.Hidden)
	}
	return &encoderInputs{network: n, tables: tables}, nil
}

// sum is word + (position + type).
func (in *encoderInputs) sum(dst []float32, rows []int32, types []uint8, first int, words wordTable) error {
	c := &in.network.config
	d := c.Hidden
	for from := 0; from < len(rows); {
		kind, to := uint8(0), len(rows)
		if types != nil && c.Types > 1 { // a model with one type gives it to all
			kind = types[from]
			for to = from + 1; to < len(rows) && types[to] == kind; to++ {
			}
		}
		if int(kind) >= c.Types {
			return fmt.Errorf("token type %d: the model has %d", kind, c.Types)
		}
		table := kernel.Embedding{
			Width: d, Words: words.rows, WordScale: words.scale,
			Positions: in.tables.Positions, Type: in.tables.Types[int(kind)*d : (int(kind)+1)*d],
		}
		if err := in.network.kernel.Embed(dst[from*d:to*d], rows[from:to], c.FirstPosition+first+from, &table); err != nil {
			return err
		}
		from = to
	}
	return nil
}

func (in *encoderInputs) normalize(hidden []float32) {
	c, norm := &in.network.config, in.tables.Norm
	in.network.kernel.AddLayerNorm(hidden, hidden, nil, norm.Gamma, norm.Beta, c.Epsilon, len(hidden)/c.Hidden, c.Hidden)
}

// decoderInputs are words alone: positions come in with attention, and layers
// normalise what they take.
type decoderInputs struct{ width int }

func (in decoderInputs) sum(dst []float32, rows []int32, _ []uint8, _ int, words wordTable) error {
	for i, row := range rows {
		if row < 0 || int(row) >= len(words.scale) {
			return fmt.Errorf("token id %d: the vocabulary has %d", row, len(words.scale))
		}
		words.expand(dst[i*in.width:(i+1)*in.width], int(row))
	}
	return nil
}

func (decoderInputs) normalize([]float32) {}
