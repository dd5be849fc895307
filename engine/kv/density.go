package kv

// density is the attention that tokens received: probabilities given by later tokens and by
// themselves, summed over heads and layers.
type density struct {
	whole uint64   // attention given by one token in all heads and layers; 0 disables counting
	sums  []uint64 // [tokens], in the same unit
	rows  []uint32 // [tokens]: number of tokens that gave it
}

// TrackDensity starts counting the attention that tokens receive. whole is what one token
// gives in all counted heads and layers.
func (c *Cache) TrackDensity(whole uint64) { c.density = density{whole: whole} }

// TracksDensity reports whether attention is to be counted.
func (c *Cache) TracksDensity() bool { return c.density.whole > 0 }

// Observe adds the attention of the last rows tokens to each token, sums [Len].
func (c *Cache) Observe(sums []uint64, rows int) { c.density.add(sums, c.Len()-rows, rows) }

// ObserveRoot adds the attention of the tree's root to each token, sums [Len], once Keep
// keeps the root. Other nodes of a tree are never counted; the density is a mean over the
// counted tokens.
func (c *Cache) ObserveRoot(sums []uint64) { c.tree.observed = sums }

// Density returns the information density of a chunk (LLMS, equation 1): the mean attention
// that one of its tokens receives from a token that sees it, per head and layer; 0 if none
// was counted.
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

// SetDensity gives a chunk the density that it had when it was last in memory, as the mean
// of all tokens behind each of its own.
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

// add counts the attention of rows tokens from position on: each attends to the tokens
// before it, and to itself if sums reach that far.
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

func (d *density) grow(tokens int) {
	for len(d.sums) < tokens {
		d.sums, d.rows = append(d.sums, 0), append(d.rows, 0)
	}
}

// truncate forgets the tokens from n on.
func (d *density) truncate(n int) {
	d.sums, d.rows = d.sums[:min(n, len(d.sums))], d.rows[:min(n, len(d.rows))]
}
