package weights

// Cached returns the bytes of layers that stay in memory between passes.
func (s *Streamer[L]) Cached() int64 { return int64(s.Kept()) * int64(s.layers.Bytes) }

// Cached returns the bytes that there are for experts.
func (c *ExpertCache[E]) Cached() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return int64(len(c.slots)) * int64(c.experts.Bytes)
}
