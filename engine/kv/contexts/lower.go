package contexts

import "dowse/engine/kv"

// lower gives chunks of a conversation before the last few fewer bits, those first that
// the later tokens attended to least. Whether a conversation stayed in memory or came back
// from the disk must not change which: so how dense a chunk is counts until it is no
// longer one of the last few, as the disk has it.
func (m *Manager) lower(c *conversation) error {
	if m.options.Ratio <= 0 {
		return nil
	}
	s := c.sequence
	c.settleDensities()
	lowered, err := s.LowerTo(s.LowerPlan(kv.SmolLM2Errors, m.options.Ratio, m.options.Objective))
	for _, i := range lowered {
		c.chunks[i].level, c.chunks[i].written = s.Level(i), false
	}
	return err
}

// settleDensities makes the densities in memory those that the disk is given.
func (c *conversation) settleDensities() {
	s := c.sequence
	for i := range c.chunks {
		known := &c.chunks[i]
		if now := s.Density(i); i >= c.settled && now != known.density {
			known.density, known.written = now, false
		}
		s.SetDensity(i, known.density)
	}
	c.settled = max(0, len(c.chunks)-kv.Residual)
}
