package transformer

import (
	"dowse/engine/kernel"
	"dowse/models/pack"
)

// architecture binds the weights of a pack to the layers L of a family of models.
type architecture[L any] interface {
	// mapped binds layer i of an open pack.
	mapped(p *pack.Pack, i int) (L, error)
	// read reads layer i of a streamed pack into a buffer of LayerBuffer bytes, and
	// binds it.
	read(s *pack.Stream, i int, buffer []byte) (L, error)
}

// layer is one layer of any architecture, bound to its weights.
type layer interface {
	// forward advances the states of a batch, in place. With headRows or noRows
	// the others are left in no meaningful state.
	forward(b batch, w *workspace) error
}

// anyLayer is an architecture whose layers are used through their interface.
type anyLayer[L layer] struct{ of architecture[L] }

func (a anyLayer[L]) mapped(p *pack.Pack, i int) (layer, error) { return a.of.mapped(p, i) }

func (a anyLayer[L]) read(s *pack.Stream, i int, buffer []byte) (layer, error) {
	return a.of.read(s, i, buffer)
}

// batch is sequences that go through a layer together: their states are adjacent.
type batch struct {
	hidden  []float32 // [sum of lengths,D]
	lengths []int     // tokens of each sequence
	outputs outputs

	// Of decoders. before are the keys and values, in this layer, of the tokens before every
	// sequence. keep, unless empty, receives those of the batch, which is one sequence then;
	// otherwise they are not needed after the layer.
	before, keep []kernel.KeyValues
	// places, unless nil, are the positions of rows that are not consecutive in their
	// sequence. before then includes keep, their own keys and values.
	places []int32
	// branches, unless nil, are the positions of the nodes of a tree.
	branches *branches
	// observe counts the attention of the rows in the worker's density.
	observe bool
}

// branches is the structure of a batch whose rows are nodes of a draft tree.
type branches struct {
	positions []int32
	ancestors [][]int32        // of each row, by node
	draft     kernel.KeyValues // of all nodes, in this layer
}

// outputs says which rows are needed after a layer.
type outputs int

const (
	allRows  outputs = iota
	headRows         // of each sequence the row that the head takes
	noRows           // no rows: only keys and values of a decoder's batch
)

// rows is the number of tokens.
func (b *batch) rows() int { return sum(b.lengths) }

// firstRows lists the first row of each sequence.
func (b *batch) firstRows() []int {
	rows, at := make([]int, len(b.lengths)), 0
	for i, length := range b.lengths {
		rows[i] = at
		at += length
	}
	return rows
}

// lastRows lists the last row of each sequence.
func (b *batch) lastRows() []int {
	rows, at := make([]int, len(b.lengths)), 0
	for i, length := range b.lengths {
		at += length
		rows[i] = at - 1
	}
	return rows
}

// gather moves rows of x, which ascend, to its start. Row i of them is at i or later, so it
// is moved before it is overwritten.
func gather(x []float32, rows []int, width int) {
	for i, row := range rows {
		if i != row {
			copy(x[i*width:(i+1)*width], x[row*width:])
		}
	}
}

// scatter undoes gather.
func scatter(x []float32, rows []int, width int) {
	for i := len(rows) - 1; i >= 0; i-- {
		if i != rows[i] {
			copy(x[rows[i]*width:(rows[i]+1)*width], x[i*width:])
		}
	}
}
