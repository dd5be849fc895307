package lexical

import "math/bits"

const (
	spreads    = 15 // of how far apart the postings of a list are; above, see step
	gapClasses = 6
	// nearSteps are the first widths of a gap, which say how postings cluster
	// rather than how far apart they are.
	nearSteps = 8
	gapTops   = 24
)

// gapModel is what is known of the next gap of a short list: how far apart the
// postings are on average, and the gap before.
type gapModel struct {
	spread int // bits of the average gap
	over   int // of them, those above the widest spread that has contexts of its own
	class  int // of the gap before
}

func newGapModel(n, chunks int) gapModel {
	spread := bits.Len(uint(chunks / n))
	return gapModel{spread: spread, over: max(0, spread-(spreads-1))}
}

// step returns the context of the decision whether a gap has more than width bits.
// Spreads above those that have contexts go by the widest of them: near gaps as they
// are, far ones by how much wider or narrower than the average they are. So chances do
// not depend on how large the texts were that they were counted on.
func (m *gapModel) step(width int) int {
	if m.over > 0 && width > nearSteps {
		width = max(nearSteps, width-m.over)
	}
	row := (m.spread-m.over)*gapClasses + m.class
	return gapContext + row*numberSteps + min(width, numberSteps-1)
}

// top returns the context of the bit behind the highest of a gap: by its width, as
// compared with the average.
func (m *gapModel) top(width int) int {
	return gapTopContext + max(0, min(width-m.spread+gapTops/2, gapTops-1))
}

// follow notes a gap.
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

// gap codes how many bits a gap has, then all of them but the first, of which the
// second by context.
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

// gap reads what the encoder's gap wrote; damage makes the decoder short.
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
