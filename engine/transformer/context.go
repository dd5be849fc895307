package transformer

import (
	"errors"
	"fmt"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/weights"
)

// ContextPool is the ledger's pool of the keys and values of conversations.
const ContextPool = "kv.ram"

// Context is the tokens of one conversation with their keys and values in every
// layer. A Decoder appends to it; what was appended last can be cut off again.
// Only one goroutine may use it at a time.
type Context struct {
	owner  *Decoder // which alone may append
	shape  weights.Shape
	layers int
	ledger *memory.Ledger

	tokens []int32
	blocks []contextMemory // of weights.BlockRows tokens each
	draft  draft
}

// contextMemory is keys and values of some tokens, layer by layer.
type contextMemory struct {
	buffer *memory.Buffer
	layers []keyValues
}

// Len is the number of tokens.
func (c *Context) Len() int { return len(c.tokens) }

// Tokens returns the tokens, which stay the Context's.
func (c *Context) Tokens() []int32 { return c.tokens }

// Bytes is the memory held for keys and values, those of a tree included.
func (c *Context) Bytes() int64 {
	total := int64(0)
	if c.draft.memory.buffer != nil {
		total += int64(c.draft.memory.buffer.Size())
	}
	for _, b := range c.blocks {
		total += int64(b.buffer.Size())
	}
	return total
}

// Truncate keeps the first n tokens. The memory of whole blocks behind them is
// given back.
func (c *Context) Truncate(n int) error {
	if n < 0 || n > len(c.tokens) {
		return fmt.Errorf("keep %d of %d tokens", n, len(c.tokens))
	}
	c.tokens, c.draft.tree = c.tokens[:n], Tree{}
	return c.shrink()
}

// shrink gives back the blocks that no token needs.
func (c *Context) shrink() error {
	var err error
	for len(c.blocks) > (len(c.tokens)+weights.BlockRows-1)/weights.BlockRows {
		last := len(c.blocks) - 1
		err = errors.Join(err, c.give(&c.blocks[last]))
		c.blocks = c.blocks[:last]
	}
	return err
}

// Free gives all memory back. The Context is empty then, and may be used again.
func (c *Context) Free() error {
	err := errors.Join(c.Truncate(0), c.give(&c.draft.memory))
	c.draft = draft{}
	return err
}

// reserve makes room for keys and values of so many tokens.
func (c *Context) reserve(tokens int) error {
	for len(c.blocks)*weights.BlockRows < tokens {
		b, err := c.newMemory(weights.BlockRows)
		if err != nil {
			return err
		}
		c.blocks = append(c.blocks, b)
	}
	return nil
}

// bytesWith is what all contexts of the decoder hold once this one has room for so
// many tokens and for a tree.
func (c *Context) bytesWith(tokens int) int64 {
	size := c.shape.Stored * c.layers
	total := c.owner.held.Load()
	if more := (tokens+weights.BlockRows-1)/weights.BlockRows - len(c.blocks); more > 0 {
		total += int64(more) * weights.InPages(weights.BlockRows*size)
	}
	if c.draft.memory.buffer == nil {
		total += weights.InPages(MaxTree * size)
	}
	return total
}

// give gives memory of newMemory back.
func (c *Context) give(m *contextMemory) error {
	if m.buffer != nil {
		c.owner.held.Add(-weights.InPages(m.buffer.Size()))
	}
	return m.buffer.Free()
}

// before returns the keys and values of the first n tokens in a layer.
func (c *Context) before(layer, n int) []kernel.KeyValues {
	var spans []kernel.KeyValues
	for i := 0; n > 0; i++ {
		tokens := min(n, weights.BlockRows)
		spans = append(spans, c.blocks[i].layers[layer].span(0, tokens))
		n -= tokens
	}
	return spans
}

// keep returns room for those of the tokens from, ... to-1, all of one block.
func (c *Context) keep(layer, from, to int) kernel.KeyValues {
	block := from / weights.BlockRows
	return c.blocks[block].layers[layer].span(from-block*weights.BlockRows, to-block*weights.BlockRows)
}
