package lexical

import "math/bits"

const (
	spreads    = 15 // contexts of the average gap; wider ones, see step
	gapClasses = 6
	// nearSteps are the first widths of a gap, which depend on clustering rather than on the
	// average gap.
	nearSteps = 8
	gapTops   = 24
)

// gapModel is the context of the next gap of a short list: the average gap and the last one.
type gapModel struct {
	spread int // bits of the average gap
	over   int // bits above the widest spread with its own contexts
	class  int // of the last gap
}

func newGapModel(n, chunks int) gapModel {
	spread := bits.Len(uint(chunks / n))
	return gapModel{spread: spread, over: max(0, spread-(spreads-1))}
}

// step returns the context for whether a gap has more than width bits. Spreads too wide for own
// contexts use the widest: near gaps as they are, far ones relative to the average. So chances do
// not depend on the size of the training texts.
func (m *gapModel) step(width int) int {
	if m.over > 0 && width > nearSteps {
		width = max(nearSteps, width-m.over)
	}
	row := (m.spread-m.over)*gapClasses + m.class
	return gapContext + row*numberSteps + min(width, numberSteps-1)
}

// top returns the context of a gap's second bit, by its width relative to the average.
func (m *gapModel) top(width int) int {
	return gapTopContext + max(0, min(width-m.spread+gapTops/2, gapTops-1))
}

func (m *gapModel) follow(gap uint32) {
	switch width := bits.Len32(gap); {
	case width < 3:
		m.class = 1 + width
	case width < 7:
		m.class = 4
	default:
		m.class = 5
	}
}

// gap codes the number of bits of a gap, then its second bit by context and the others raw.
func (e *modelEncoder) gap(m *gapModel, gap uint32) {
	width := bits.Len32(gap)
	for i := range width {
		e.decide(m.step(i), true)
	}
	e.decide(m.step(width), false)
	if width > 1 {
		e.decide(m.top(width), gap>>(width-2)&1 == 1)
		e.Raw(uint64(gap), uint(width-2))
	}
	m.follow(gap)
}

// gap reverses the encoder's gap; damage makes the decoder short.
func (d *modelDecoder) gap(m *gapModel) uint32 {
	width := 0
	for d.Bit(prior[m.step(width)]) {
		if width++; width > 32 {
			d.Fail()
			return 0
		}
	}
	gap := uint32(width & 1)
	if width > 1 {
		gap = 2
		if d.Bit(prior[m.top(width)]) {
			gap = 3
		}
		gap = gap<<(width-2) | uint32(d.Raw(uint(width-2)))
	}
	m.follow(gap)
	return gap
}
