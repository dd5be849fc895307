package contexts

import "dowse/engine/kv"

// lower gives full chunks behind the last few fewer bits, those first that the later
// tokens attended to least. Only what was computed since the last call makes more
// room for that: a conversation that nobody continues keeps its levels.
func (m *Manager) lower(c *conversation) error {
	if m.options.Ratio <= 0 {
		return nil
	}
	s := c.sequence
	lowered, err := s.LowerTo(s.LowerPlan(kv.SmolLM2Errors, m.options.Ratio, m.options.Objective))
	for _, i := range lowered {
		c.chunks[i].level, c.chunks[i].written = s.Level(i), false
	}
	return err
}
