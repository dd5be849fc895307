package lexical

import (
	"math/bits"

	"dowse/engine/internal/rangecode"
)

// lengthModel is the adaptive model of chunk lengths: the number of bits, given that of the chunk
// before, then the first bits.
type lengthModel struct {
	width [34][64]rangecode.Chance
	head  [34][8]rangecode.Chance
	last  uint
}

const (
	headBits  = 3 // modelled bits below the highest
	learnRate = 5 // a chance adapts over about 1<<learnRate decisions
)

func newLengthModel() *lengthModel {
	m := &lengthModel{}
	for i := range m.width {
		for j := range m.width[i] {
			m.width[i][j] = rangecode.One / 2
		}
		for j := range m.head[i] {
			m.head[i][j] = rangecode.One / 2
		}
	}
	return m
}

func (m *lengthModel) encode(e *rangecode.Encoder, length uint32) {
	width := uint(bits.Len32(length))
	node := 1
	for i := 5; i >= 0; i-- {
		node = codeLearning(e, &m.width[m.last][node], width>>i&1 == 1, node)
	}
	m.last = width
	if width < 2 {
		return
	}
	node, left := 1, width-1
	for ; left > 0 && node < 1<<headBits; left-- {
		node = codeLearning(e, &m.head[width][node], length>>(left-1)&1 == 1, node)
	}
	e.Raw(uint64(length), left)
}

func codeLearning(e *rangecode.Encoder, c *rangecode.Chance, bit bool, node int) int {
	e.Bit(*c, bit)
	c.Learn(bit, learnRate)
	return node<<1 | bitOf(bit)
}

func (m *lengthModel) decode(d *modelDecoder) uint32 {
	node := 1
	for range 6 {
		node = readLearning(d, &m.width[m.last][node], node)
	}
	width := uint(node & 63)
	if width > 32 {
		d.Fail()
		return 0
	}
	m.last = width
	if width < 2 {
		return uint32(width)
	}
	node, left := 1, width-1
	for ; left > 0 && node < 1<<headBits; left-- {
		node = readLearning(d, &m.head[width][node], node)
	}
	return uint32(uint64(node)<<left | d.Raw(left))
}

func readLearning(d *modelDecoder, c *rangecode.Chance, node int) int {
	bit := d.Bit(*c)
	c.Learn(bit, learnRate)
	return node<<1 | bitOf(bit)
}
