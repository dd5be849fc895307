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

// batch is the sequences that are brought through a layer at a time: their states
// lie one after the other, without gaps.
type batch struct {
	hidden  []float32 // [sum of lengths,D]
	lengths []int     // tokens of each sequence
	outputs outputs

	// Of a decoder alone. before are the keys and values, in this layer, of the
	// tokens that come before, the same ones for every sequence. keep, unless
	// empty, is where those of the batch go, which is one sequence then; otherwise
	// nobody needs them after the layer.
	before, keep []kernel.KeyValues
	// places, unless nil, are the positions of rows of one sequence that are not one
	// after the other. before has their own keys and values too, which are those of keep.
	places []int32
	// branches, unless nil, tells where the nodes of a tree stand.
	branches *branches
	// observe has the attention of the rows counted in the worker's density.
	observe bool
}

// branches is how the rows of a batch, nodes of a draft tree, stand to each other.
type branches struct {
	positions []int32
	ancestors [][]int32        // of each row, by node
	draft     kernel.KeyValues // of all nodes, in this layer
}

// outputs says which rows are needed after a layer.
type outputs int

const (
	allRows  outputs = iota
	headRows         // the row of each sequence that the head takes
	noRows           // none: of a decoder's batch keys and values alone
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

// gather moves rows of x, which ascend, together at its start. Since row i of
// them lies at i or later, none is overwritten before it is moved.
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
