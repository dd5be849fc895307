package pressure

// When pressure changes the budget. The percentages are a choice: at 10 programs wait for
// memory a second in ten, which a person notices; below 1 nobody does.
const (
	pressed     = 10.0
	relieved    = 1.0
	pressedFor  = 2  // readings in a row before a halving
	relievedFor = 30 // readings in a row before a step back
	restFor     = 5  // readings after a change, which the last ten seconds do not show yet
)

// gauge decides about the budget by readings of the pressure.
type gauge struct{ high, low, rest int }

// reading takes one and returns 1 where the budget should be halved, -1 where it should
// grow by a step, and otherwise 0.
func (g *gauge) reading(percent float64) int {
	if g.rest > 0 {
		g.rest--
		return 0
	}
	switch {
	case percent >= pressed:
		g.high, g.low = g.high+1, 0
	case percent < relieved:
		g.high, g.low = 0, g.low+1
	default:
		g.high, g.low = 0, 0
	}
	switch {
	case g.high >= pressedFor:
		*g = gauge{rest: restFor}
		return 1
	case g.low >= relievedFor:
		*g = gauge{rest: restFor}
		return -1
	}
	return 0
}
