package leann

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func trained(t testing.TB, vectors []float32, dim, parts int) *codebook {
	t.Helper()
	c, err := train(t.Context(), vectors, dim, parts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// encodingError returns what Encode makes small: the squared error, with the error
// along the vector weighted by parallelWeight.
func encodingError(c *codebook, vector []float32, code []byte) float64 {
	decoded := make([]float32, c.dim)
	c.decode(decoded, code)
	squared, along := 0.0, 0.0
	for i, v := range vector {
		e := float64(v) - float64(decoded[i])
		squared += e * e
		along += e * float64(v)
	}
	return squared + (parallelWeight-1)*along*along
}

// nearest returns the plain code of a vector: in every part the nearest centroid.
func nearest(c *codebook, vector []float32) []byte {
	code := make([]byte, c.codeBytes())
	for part := range c.parts {
		best, least := 0, math.Inf(1)
		for number := range centroids {
			from, to := c.bounds(part)
			sum := 0.0
			for d := from; d < to; d++ {
				e := float64(vector[d] - c.values[d*centroids+number])
				sum += e * e
			}
			if sum < least {
				best, least = number, sum
			}
		}
		code[part/2] |= byte(best) << (4 * (part & 1))
	}
	return code
}

func TestEncode(t *testing.T) {
	w := newCloud(seeded(t, 81), 250, 16)
	for _, parts := range []int{1, 4, 5, 16} {
		c := trained(t, w.of, w.dim, parts)
		ours, plain, code := 0.0, 0.0, make([]byte, c.codeBytes())
		for _, node := range w.nodes() {
			v := w.Vector(node)
			for i := range code {
				code[i] = 0xff // what stood there before does not count
			}
			c.encode(code, v)
			own, other := encodingError(c, v, code), encodingError(c, v, nearest(c, v))
			if own > other+1e-5 {
				t.Fatalf("%d parts, node %d: error %v, of the nearest centroids %v", parts, node, own, other)
			}
			ours, plain = ours+own, plain+other
		}
		t.Logf("%d parts: mean error %.4f, of the nearest centroids %.4f", parts, ours/250, plain/250)
		if parts > 1 && ours >= plain {
			t.Errorf("%d parts: error %.4f, of the nearest centroids %.4f", parts, ours, plain)
		}
	}
}

// TestTable: a score by table is the inner product with the decoded vector, divided by the
// squared length of that, and what is below a bound by its product is below it.
func TestTable(t *testing.T) {
	rng := seeded(t, 82)
	w := newCloud(rng, 100, 19)
	for _, parts := range []int{1, 2, 7, 8, 19} {
		c := trained(t, w.of, w.dim, parts)
		code, decoded := make([]byte, c.codeBytes()), make([]float32, w.dim)
		for _, q := range w.queries(rng, 10) {
			table := c.table(q)
			for _, node := range w.nodes() {
				c.encode(code, w.Vector(node))
				c.decode(decoded, code)
				got, want := table.score(code), w.Dot(q, decoded)/max(w.Dot(decoded, decoded), leastSquare)
				if math.Abs(float64(got-want)) > 1e-5 {
					t.Fatalf("%d parts, node %d: score %v, want %v", parts, node, got, want)
				}
				if bound := float32(0.4); table.below(table.product(code), bound) && got >= bound {
					t.Fatalf("%d parts, node %d: score %v was taken to be below %v", parts, node, got, bound)
				}
			}
		}
	}
}

func TestTrain(t *testing.T) {
	rng := seeded(t, 83)
	w := newCloud(rng, 500, 16)
	first := trained(t, w.of, w.dim, 8).append(nil)
	if again := trained(t, w.of, w.dim, 8).append(nil); !bytes.Equal(first, again) {
		t.Error("the same vectors gave two codebooks")
	}
	few := map[string][]float32{
		"one vector":       w.of[:16],
		"five vectors":     w.of[:80],
		"equal vectors":    slices.Repeat(w.of[:16], 40),
		"two and copies":   slices.Concat(slices.Repeat(w.of[:16], 40), w.of[16:32]),
		"vectors of zeros": make([]float32, 160),
		"next to zero":     slices.Repeat([]float32{1e-44}, 160),
	}
	for name, vectors := range few {
		for _, parts := range []int{1, 3, 8, 16} {
			c := trained(t, vectors, 16, parts)
			for at := 0; at < len(vectors); at += 16 {
				code := make([]byte, c.codeBytes())
				c.encode(code, vectors[at:at+16])
				if e := encodingError(c, vectors[at:at+16], code); e > 1e-3 || math.IsNaN(e) {
					t.Fatalf("%s, %d parts: error %v of a vector that could be a centroid", name, parts, e)
				}
			}
		}
	}
}

// TestTrainHelps: the more parts, the less error.
func TestTrainHelps(t *testing.T) {
	w := newCloud(seeded(t, 84), 300, 16)
	last := 1.0 // the error of decoding everything as zero
	for _, parts := range []int{1, 4, 8, 16} {
		c := trained(t, w.of, w.dim, parts)
		sum, code, decoded := 0.0, make([]byte, c.codeBytes()), make([]float32, w.dim)
		for _, node := range w.nodes() {
			c.encode(code, w.Vector(node))
			c.decode(decoded, code)
			for i, v := range w.Vector(node) {
				sum += float64((v - decoded[i]) * (v - decoded[i]))
			}
		}
		sum /= float64(w.size())
		t.Logf("%2d parts: squared error %.4f", parts, sum)
		if sum >= last {
			t.Errorf("%d parts: squared error %.4f, with fewer %.4f", parts, sum, last)
		}
		last = sum
	}
}

func TestTrainEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := train(ctx, make([]float32, 64), 16, 4); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled training ended with %v", err)
	}
}

func TestCodebookRoundTrip(t *testing.T) {
	w := newCloud(seeded(t, 85), 200, 19)
	for _, parts := range []int{1, 6, 7, 19} {
		c := trained(t, w.of, w.dim, parts)
		b := c.append([]byte("before"))[len("before"):]
		got, err := parseCodebook(b)
		if err != nil {
			t.Fatal(err)
		}
		if got.dim != c.dim || got.codeBytes() != c.codeBytes() || !slices.Equal(got.values, c.values) {
			t.Fatalf("%d parts: what was read is not what was written", parts)
		}
		for i := range b {
			if _, err := parseCodebook(b[:i]); err == nil {
				t.Fatalf("%d of %d bytes were taken", i, len(b))
			}
		}
		if _, err := parseCodebook(append(b, 0)); err == nil {
			t.Error("a byte too many was taken")
		}
	}
}

// TestCodebookRefusesSteps: values that are no numbers would make every score
// one.
func TestCodebookRefusesSteps(t *testing.T) {
	w := newCloud(seeded(t, 89), 20, 4)
	b := trained(t, w.of, w.dim, 2).append(nil)
	for _, step := range []float64{0, -1, math.NaN(), math.Inf(1), math.MaxFloat32} {
		torn := slices.Clone(b)
		binary.LittleEndian.PutUint32(torn[3:], math.Float32bits(float32(step)))
		if _, err := parseCodebook(torn); err == nil {
			t.Errorf("a step of %v was taken", step)
		}
	}
}

func FuzzParseCodebook(f *testing.F) {
	w := newCloud(rand.New(rand.NewPCG(86, 0)), 60, 6)
	for _, parts := range []int{1, 3, 5} {
		f.Add(trained(f, w.of, w.dim, parts).append(nil))
	}
	f.Add([]byte{codebookVersion, 1, 1})
	f.Add([]byte{codebookVersion, 0x80, 0x80, 1, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := parseCodebook(b)
		if err != nil {
			return
		}
		code, vector := make([]byte, c.codeBytes()), make([]float32, c.dim)
		for i := range code {
			code[i] = byte(7 * i)
		}
		c.decode(vector, code)
		c.encode(code, vector)
		c.table(vector).score(code)
	})
}

func BenchmarkEncode(b *testing.B) {
	w := newCloud(seeded(b, 87), 500, 384)
	c := trained(b, w.of, w.dim, 32)
	code := make([]byte, c.codeBytes())
	for b.Loop() {
		c.encode(code, w.Vector(3))
	}
}

func BenchmarkTableScore(b *testing.B) {
	w := newCloud(seeded(b, 88), 500, 384)
	c := trained(b, w.of, w.dim, 32)
	code := make([]byte, c.codeBytes())
	c.encode(code, w.Vector(3))
	table := c.table(w.Vector(4))
	for b.Loop() {
		table.score(code)
	}
}
