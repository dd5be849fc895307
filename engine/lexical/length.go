package lexical

import "math/bits"

// lengthModel codes how many terms chunks have: how many bits the number
// takes, given those of the chunk before, then its first bits, with chances
// that follow what the chunks are like.
type lengthModel struct {
	width [34][64]chance
	head  [34][8]chance
	last  uint
}

const headBits = 3 // below the highest bit, coded with chances

func newLengthModel() *lengthModel {
	m := &lengthModel{}
	for i := range m.width {
		for j := range m.width[i] {
			m.width[i][j] = one / 2
		}
		for j := range m.head[i] {
			m.head[i][j] = one / 2
		}
	}
	return m
}

func (m *lengthModel) encode(e *rangeEncoder, length uint32) {
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
	e.raw(uint64(length), left)
}

func codeLearning(e *rangeEncoder, c *chance, bit bool, node int) int {
	e.bit(*c, bit)
	c.learn(bit)
	return node<<1 | bitOf(bit)
}

func (m *lengthModel) decode(d *rangeDecoder) uint32 {
	node := 1
	for range 6 {
		node = readLearning(d, &m.width[m.last][node], node)
	}
	width := uint(node & 63)
	if width > 32 {
		d.fail()
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
	return uint32(uint64(node)<<left | d.raw(left))
}

func readLearning(d *rangeDecoder, c *chance, node int) int {
	bit := d.bit(*c)
	c.learn(bit)
	return node<<1 | bitOf(bit)
}
