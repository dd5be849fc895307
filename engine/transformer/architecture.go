package transformer

import (
	"dowse/engine/kernel"
	"dowse/models/pack"
)

// architecture is what the models of a family compute, whatever their weights
// are and wherever these lie.
type architecture interface {
	// mapped returns layer i of an open pack.
	mapped(p *pack.Pack, i int) (block, error)
	// read reads layer i of a streamed pack into a buffer of LayerBuffer bytes.
	read(s *pack.Stream, i int, buffer []byte) (block, error)
	// looked is which of so many tokens of a sequence a head looks at.
	looked(tokens int) int
}

// block is one layer of a model, bound to its weights.
type block interface {
	// forward advances the states of a batch, in place. With lookedRows or
	// noRows the others are left in no meaningful state.
	forward(b batch, w *Workspace) error
}

// batch is the sequences that are brought through a layer at a time: their
// states lie one after the other, without gaps.
type batch struct {
	hidden  []float32 // [sum of lengths,D]
	lengths []int     // tokens of each sequence
	want    wanted

	// Of a decoder alone. before are the keys and values, in this layer, of the
	// tokens that come before, the same ones for every sequence. keep, unless
	// its Tokens are 0, is where those of the batch go, which is one sequence
	// then; otherwise nobody needs them after the layer.
	before []kernel.KeyValues
	keep   kernel.KeyValues
	// branches, unless nil, says that the rows are not one after the other.
	branches *branches
}

// branches is how the rows of a batch, nodes of a draft tree, stand to each
// other.
type branches struct {
	positions []int32
	ancestors [][]int32        // of each row, by node
	draft     kernel.KeyValues // of all nodes, in this layer
}

// wanted says whose states are looked at after a layer.
type wanted int

const (
	allRows    wanted = iota
	lookedRows        // of each sequence the one that the head looks at
	noRows            // none: of a decoder's batch keys and values alone
)

// rows is the number of tokens.
func (b *batch) rows() int { return sum(b.lengths, upTo(len(b.lengths))) }

// looked lists the rows that a head looks at, ascending; choose says which token
// of so many it is.
func (b *batch) looked(choose func(tokens int) int) []int {
	rows, at := make([]int, len(b.lengths)), 0
	for i, length := range b.lengths {
		rows[i] = at + choose(length)
		at += length
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

// bindLayers binds all layers of an open pack.
func bindLayers(a architecture, p *pack.Pack) ([]block, error) {
	layers := make([]block, p.Config().Layers)
	for i := range layers {
		l, err := a.mapped(p, i)
		if err != nil {
			return nil, err
		}
		layers[i] = l
	}
	return layers, nil
}
