package lexical

import (
	_ "embed" // the chances
	"math/bits"

	"dowse/engine/internal/rangecode"
)

// priorData holds the chance of each context, a byte each, counted by TestTrain over 38 MB of
// answers, abstracts, articles, manuals, notes and programs (train/prior_texts.py), none of which
// is a text that sizes are measured on.
//
//go:embed prior.bin
var priorData []byte

// prior is the chance of each context. It is constant: blocks must decode independently.
var prior = chancesOf(priorData)

// chancesOf unpacks prior.bin.
func chancesOf(data []byte) (table [contexts]rangecode.Chance) {
	for i := range table {
		table[i] = rangecode.One / 2 // contexts not counted yet
		if i < len(data) {
			table[i] = rangecode.Chance(data[i])<<4 + 8
		}
	}
	return table
}

// A context is the knowledge at a decision; its number is an index of prior. Each constant is the
// first number of a kind.
const (
	sharedContext = 0                                           // by what the term before shared, step
	firstContext  = sharedContext + sharedKinds*numberSteps     // by symbol of the term before, class of the last symbol, node
	nextContext   = firstContext + symbols*classes*symbolTree   // by last symbol, class of the one before it, node
	byteContext   = nextContext + symbols*classes*symbolTree    // by node
	dfContext     = byteContext + byteTree                      // by step
	dfTopContext  = dfContext + numberSteps                     // by bits of the number
	gapContext    = dfTopContext + numberSteps                  // by spread, class of the gap before, step
	gapTopContext = gapContext + spreads*gapClasses*numberSteps // by bits of the gap less those of the spread
	countContext  = gapTopContext + gapTops                     // by the count before, step
	contexts      = countContext + countKinds*countSteps
)

const (
	sharedKinds = 12
	numberSteps = 24 // of the unary part of a number
	countKinds  = 4
	countSteps  = 8
)

// tally counts the decisions of each context, for training.
type tally [contexts][2]int

type modelEncoder struct {
	rangecode.Encoder
	tally *tally // nil unless training
}

type modelDecoder struct{ rangecode.Decoder }

func newModelDecoder(data []byte) modelDecoder {
	return modelDecoder{rangecode.NewDecoder(data)}
}

func (e *modelEncoder) decide(context int, bit bool) {
	if e.tally != nil {
		e.tally[context][bitOf(bit)]++
	}
	e.Bit(prior[context], bit)
}

func bitOf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// unary codes v as that many ones and a zero; from limit on, the rest follows as a raw number.
func (e *modelEncoder) unary(context int, v, limit uint64) {
	for i := range min(v, limit) {
		e.decide(context+int(i), true)
	}
	if v < limit {
		e.decide(context+int(v), false)
		return
	}
	width := bits.Len64(v - limit + 1)
	e.Raw(uint64(width), 6)
	e.Raw(v-limit+1, uint(width-1))
}

func (d *modelDecoder) unary(context int, limit uint64) uint64 {
	for v := range limit {
		if !d.Bit(prior[context+int(v)]) {
			return v
		}
	}
	width := uint(d.Raw(6))
	if width == 0 || width > 32 {
		d.Fail()
		return limit
	}
	return limit + (1<<(width-1) | d.Raw(width-1)) - 1
}

// number codes the number of bits of v, then its second bit by context and the others raw.
func (e *modelEncoder) number(context, top int, v uint32) {
	width := bits.Len32(v)
	e.unary(context, uint64(width), numberSteps)
	if width < 2 {
		return
	}
	e.decide(top+min(width, numberSteps-1), v>>(width-2)&1 == 1)
	e.Raw(uint64(v), uint(width-2))
}

func (d *modelDecoder) number(context, top int) uint32 {
	width := uint(d.unary(context, numberSteps))
	if width < 2 || width > 32 {
		return uint32(width & 1)
	}
	v := uint32(2)
	if d.Bit(prior[top+min(int(width), numberSteps-1)]) {
		v = 3
	}
	return v<<(width-2) | uint32(d.Raw(width-2))
}

// tree codes a symbol of width bits from the top, each in the context of those before it.
func (e *modelEncoder) tree(context int, v byte, width int) {
	node := 1
	for i := width - 1; i >= 0; i-- {
		bit := v>>i&1 == 1
		e.decide(context+node, bit)
		node = node<<1 | bitOf(bit)
	}
}

func (d *modelDecoder) tree(context, width int) byte {
	node := 1
	for range width {
		node = node<<1 | bitOf(d.Bit(prior[context+node]))
	}
	return byte(node)
}
