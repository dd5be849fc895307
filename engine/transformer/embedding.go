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

// inputs makes the first hidden states of tokens: word, position and type,
// summed and normalised.
type inputs struct {
	network *network
	tables  pack.Embeddings // Words are not used
}

func newInputs(n *network, tables pack.Embeddings) (inputs, error) {
	c := &n.config
	if len(tables.Types) != c.Types*c.Hidden || c.Types < 1 || len(tables.Positions) != c.Positions*c.Hidden {
		return inputs{}, fmt.Errorf("embedding tables do not fit a width of %d", c.Hidden)
	}
	return inputs{network: n, tables: tables}, nil
}

// sum writes word + (position + type) of tokens to dst [len(rows),D]. rows are
// the places of their words in the table; the first of them is token number
// first of its sequence. types are the tokens' types, nil for all 0.
func (in *inputs) sum(dst []float32, rows []int32, types []uint8, first int, words wordTable) error {
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

// normalize ends what sum began, in place.
func (in *inputs) normalize(hidden []float32) {
	c, norm := &in.network.config, in.tables.Norm
	in.network.kernel.AddLayerNorm(hidden, hidden, nil, norm.Gamma, norm.Beta, c.Epsilon, len(hidden)/c.Hidden, c.Hidden)
}
