package leann

import (
	"context"
	"math"
	"math/rand/v2"
)

// Rounds of k-means and the size of its sample; more of either changes the error in the
// third digit only.
const (
	trainRounds  = 10
	refineRounds = 4
	trainSample  = 16384
)

// trainSeed makes training reproducible.
const trainSeed = 1

// train learns a codebook from at least one vector, [n, dim].
func train(ctx context.Context, vectors []float32, dim, parts int) (*codebook, error) {
	sample := samples(vectors, dim, trainSample)
	c := &codebook{dim: dim, parts: parts, values: make([]float32, dim*centroids), steps: make([]float32, parts)}
	return c, c.fit(ctx, sample, trainRounds)
}

// samples picks at most n vectors at random, in their order.
func samples(vectors []float32, dim, n int) []float32 {
	total := len(vectors) / dim
	if total <= n {
		return vectors
	}
	rng := rand.New(rand.NewPCG(trainSeed, 0))
	picked := make([]float32, 0, n*dim)
	for i := range total {
		if rng.IntN(total-i) < n-len(picked)/dim {
			picked = append(picked, vectors[i*dim:(i+1)*dim]...)
		}
	}
	return picked
}

// fit learns the centroids of every part from vectors that are turned already.
func (c *codebook) fit(ctx context.Context, sample []float32, rounds int) error {
	if err := c.lloyd(ctx, sample, rounds); err != nil {
		return err
	}
	for range refineRounds {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.refine(sample)
	}
	for part := range c.parts {
		c.quantize(part)
	}
	return nil
}

// lloyd learns the centroids of every part by k-means.
func (c *codebook) lloyd(ctx context.Context, sample []float32, rounds int) error {
	rng := rand.New(rand.NewPCG(trainSeed, 1))
	for part := range c.parts {
		c.start(part, sample, rng)
	}
	for range rounds {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.roundAll(sample)
	}
	return nil
}

// roundAll is one round of k-means on every part.
func (c *codebook) roundAll(sample []float32) {
	inParallel(c.parts, func(part int) { c.round(part, sample) })
}

// nearestVector writes a turned vector with each part replaced by its nearest centroid.
func (c *codebook) nearestVector(dst, vector []float32) {
	for part := range c.parts {
		var squared, along [centroids]float32
		c.errors(part, vector, &squared, &along)
		number := int(least(&squared))
		from, to := c.bounds(part)
		for d := from; d < to; d++ {
			dst[d] = c.values[d*centroids+number]
		}
	}
}

// refine moves every centroid to the mean of the vectors encoded with it.
func (c *codebook) refine(sample []float32) {
	sums := make([]float64, len(c.values))
	counts := make([]float64, c.parts*centroids)
	code := make([]byte, c.codeBytes())
	for ; len(sample) > 0; sample = sample[c.dim:] {
		c.encodeTurned(code, sample[:c.dim])
		for part := range c.parts {
			number := c.number(code, part)
			counts[part*centroids+number]++
			from, to := c.bounds(part)
			for d := from; d < to; d++ {
				sums[d*centroids+number] += float64(sample[d])
			}
		}
	}
	for part := range c.parts {
		from, to := c.bounds(part)
		for number, n := range counts[part*centroids : (part+1)*centroids] {
			for d := from; d < to && n > 0; d++ { // an unused one stays
				c.values[d*centroids+number] = float32(sums[d*centroids+number] / n)
			}
		}
	}
}

// start picks the first centroids by k-means++ (Arthur and Vassilvitskii).
func (c *codebook) start(part int, sample []float32, rng *rand.Rand) {
	n := len(sample) / c.dim
	from, to := c.bounds(part)
	distance := make([]float64, n)
	for i := range distance {
		distance[i] = math.Inf(1)
	}
	pick := rng.IntN(n)
	for number := range centroids {
		for d := from; d < to; d++ {
			c.values[d*centroids+number] = sample[pick*c.dim+d]
		}
		sum := 0.0
		for i := range n {
			now := 0.0
			for d := from; d < to; d++ {
				x := float64(sample[i*c.dim+d] - c.values[d*centroids+number])
				now += x * x
			}
			distance[i] = min(distance[i], now)
			sum += distance[i]
		}
		at := rng.Float64() * sum
		pick = rng.IntN(n) // when all are equal
		for i, d := range distance {
			if at -= d; at < 0 {
				pick = i
				break
			}
		}
	}
}

// round is one round of Lloyd's algorithm on one part.
func (c *codebook) round(part int, sample []float32) {
	from, to := c.bounds(part)
	sums := make([]float64, (to-from)*centroids)
	var counts [centroids]float64
	for ; len(sample) > 0; sample = sample[c.dim:] {
		var squared, along [centroids]float32
		c.errors(part, sample, &squared, &along)
		number := int(least(&squared))
		counts[number]++
		for d := from; d < to; d++ {
			sums[(d-from)*centroids+number] += float64(sample[d])
		}
	}
	for d := from; d < to; d++ {
		for number, n := range counts {
			if n > 0 { // an empty one stays where it is
				c.values[d*centroids+number] = float32(sums[(d-from)*centroids+number] / n)
			}
		}
	}
}

// quantize rounds the centroids of a part to the bytes that are stored.
func (c *codebook) quantize(part int) {
	from, to := c.bounds(part)
	values := c.values[from*centroids : to*centroids]
	peak := float32(0)
	for _, v := range values {
		peak = max(peak, v, -v)
	}
	if peak < 1e-30 { // zero, or too small to divide by 127
		peak = 1
	}
	c.steps[part] = peak / 127
	for i, v := range values {
		values[i] = float32(math.Round(float64(v/c.steps[part]))) * c.steps[part]
	}
}
