package kv

// density is how much attention tokens received: the probabilities that later tokens,
// and they themselves, gave to them, added up over heads and layers.
type density struct {
	whole uint64   // what one token gives away, in all heads and layers; 0 counts nothing
	sums  []uint64 // [tokens], in the same unit
	rows  []uint32 // [tokens]: how many tokens gave it
}

// TrackDensity has a Cache keep account of the attention that its tokens receive from
// now on. whole is what one token gives away in all heads and layers that are counted.
func (c *Cache) TrackDensity(whole uint64) { c.density = density{whole: whole} }

// TracksDensity reports whether attention is to be counted.
func (c *Cache) TracksDensity() bool { return c.density.whole > 0 }

// Observe counts what the last rows tokens gave to each token, sums [Len].
func (c *Cache) Observe(sums []uint64, rows int) { c.density.add(sums, c.Len()-rows, rows) }

// ObserveRoot counts what the root of the tree gave to each token, sums [Len], once Keep
// keeps it. Other nodes of a tree are never counted, whether they are kept or not: the
// density is a mean over those tokens that were.
func (c *Cache) ObserveRoot(sums []uint64) { c.tree.observed = sums }

// Density returns the information density of a chunk (LLMS, equation 1): the mean of
// what each of its tokens receives from a token that sees it, in a head and layer. It
// is 0 where nobody was counted.
func (c *Cache) Density(i int) float32 {
	from := i * c.shape.ChunkTokens
	d, total, tokens := &c.density, 0.0, 0
	for token := from; token < min(from+c.shape.ChunkTokens, len(d.sums), c.Len()); token++ {
		if d.rows[token] > 0 {
			total += float64(d.sums[token]) / (float64(d.rows[token]) * float64(d.whole))
			tokens++
		}
	}
	if tokens == 0 {
		return 0
	}
	return float32(total / float64(tokens))
}

// SetDensity gives a chunk the density that it had when it was last in memory, as if all
// tokens behind its own had been counted with that mean.
func (c *Cache) SetDensity(i int, density float32) {
	d, from := &c.density, i*c.shape.ChunkTokens
	end := min(from+c.shape.ChunkTokens, c.Len())
	if d.whole == 0 {
		return
	}
	d.grow(end)
	for token := from; token < end; token++ {
		d.rows[token] = uint32(c.Len() - token)
		d.sums[token] = uint64(float64(density) * float64(d.rows[token]) * float64(d.whole))
	}
}

// add counts what rows tokens, the first of which stands at a position, gave to the
// tokens of sums: each to those before it, and to itself if sums reach as far.
func (d *density) add(sums []uint64, position, rows int) {
	if d.whole == 0 || len(sums) == 0 {
		return
	}
	d.grow(len(sums))
	for token, sum := range sums {
		d.sums[token] += sum
		d.rows[token] += uint32(rows - max(0, token-position))
	}
}

// grow makes room for that many tokens.
func (d *density) grow(tokens int) {
	for len(d.sums) < tokens {
		d.sums, d.rows = append(d.sums, 0), append(d.rows, 0)
	}
}

// truncate forgets the tokens from n on.
func (d *density) truncate(n int) {
	d.sums, d.rows = d.sums[:min(n, len(d.sums))], d.rows[:min(n, len(d.rows))]
}
