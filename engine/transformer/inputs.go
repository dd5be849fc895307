package transformer

import (
	"fmt"

	"dowse/engine/kernel"
	"dowse/engine/weights"
	"dowse/models/pack"
)

// inputs makes the first hidden states of tokens.
type inputs interface {
	// sum writes the summed embeddings of tokens to dst [len(rows),D]. rows are the tokens'
	// rows of the table, from token number first of its sequence on; types are their types,
	// nil for all 0.
	sum(dst []float32, rows []int32, types []uint8, first int, table weights.Table) error
	// normalize is the rest, in place.
	normalize(hidden []float32)
}

// bertInputs are the embeddings of token, position and type, summed and normalised.
type bertInputs struct {
	network *bert
	tables  pack.Embeddings // Words are not used
}

func newBERTInputs(n *bert, tables pack.Embeddings) (*bertInputs, error) {
	c := &n.config
	if len(tables.Types) != c.Types*c.Hidden || c.Types < 1 || len(tables.Positions) != c.Positions*c.Hidden {
		return nil, fmt.Errorf("embedding tables do not fit a width of %d", c.Hidden)
	}
	if c.RelativeBuckets > 0 {
		if len(tables.Relative) != c.RelativeBuckets*c.Heads {
			return nil, fmt.Errorf("a bias by distance of %d numbers for %d heads", len(tables.Relative), c.Heads)
		}
		n.bias = relativeBias(c, tables.Relative)
	}
	return &bertInputs{network: n, tables: tables}, nil
}

// sum is token + (position + type).
func (in *bertInputs) sum(dst []float32, rows []int32, types []uint8, first int, table weights.Table) error {
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
		embedding := kernel.Embedding{
			Width: d, Words: table.Rows, WordScale: table.Scale,
			Positions: in.tables.Positions, Type: in.tables.Types[int(kind)*d : (int(kind)+1)*d],
		}
		if err := in.network.kernel.Embed(dst[from*d:to*d], rows[from:to], c.FirstPosition+first+from, &embedding); err != nil {
			return err
		}
		from = to
	}
	return nil
}

func (in *bertInputs) normalize(hidden []float32) {
	c, norm := &in.network.config, in.tables.Norm
	in.network.kernel.AddLayerNorm(hidden, hidden, nil, norm.Gamma, norm.Beta, c.Epsilon, len(hidden)/c.Hidden, c.Hidden)
}

// llamaInputs are the embeddings of tokens alone: attention adds positions, and layers
// normalise their inputs.
type llamaInputs struct {
	width int
	scale float32 // 1, but for Gemma
}

func (in llamaInputs) sum(dst []float32, rows []int32, _ []uint8, _ int, table weights.Table) error {
	for i, row := range rows {
		if row < 0 || int(row) >= len(table.Scale) {
			return fmt.Errorf("token id %d: the vocabulary has %d", row, len(table.Scale))
		}
		table.Expand(dst[i*in.width:(i+1)*in.width], int(row))
	}
	return nil
}

func (in llamaInputs) normalize(hidden []float32) {
	if in.scale != 1 {
		for i := range hidden {
			hidden[i] *= in.scale
		}
	}
}
