package pack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"dowse/models/internal/view"
)

// SeededMixtures returns configurations of published mixtures of experts by name, for
// WriteSeededMixture.
func SeededMixtures() map[string]Config {
	qwen := Config{
		Architecture: "Qwen3MoeForCausalLM", Layers: 48, Hidden: 2048, Heads: 32, KVHeads: 4, HeadDim: 128, Intermediate: 6144,
		Vocabulary: 151936, Positions: 40960, MaxTokens: 40960, Epsilon: 1e-6, Decoder: true, RotaryBase: 1e6, QKNorm: true,
		Mixture: Mixture{Experts: 128, Active: 8, Width: 768, Normalize: true},
	}
	mixtral := Config{
		Architecture: "MixtralForCausalLM", Layers: 32, Hidden: 4096, Heads: 32, KVHeads: 8, HeadDim: 128, Intermediate: 14336,
		Vocabulary: 32000, Positions: 32768, MaxTokens: 32768, Epsilon: 1e-5, Decoder: true, RotaryBase: 1e6,
		Mixture: Mixture{Experts: 8, Active: 2, Width: 14336, Normalize: true},
	}
	return map[string]Config{"qwen3-30b-a3b": qwen, "mixtral-8x7b": mixtral}
}

// WriteSeededMixture writes the pack of a mixture with random weights, the same for the
// same seed, as WriteSeededRows does for other decoders. Its routers prefer no expert: a
// model that was trained has some that are chosen more often, and caches them better.
func WriteSeededMixture(ctx context.Context, path string, c Config, seed uint64, progress func(done, total int64)) error {
	if err := c.check(); err != nil {
		return fmt.Errorf("write pack: %w", err)
	}
	words, err := seededTokenizer()
	if err != nil {
		return fmt.Errorf("write pack: %w", err)
	}
	return Write(path, func(f *os.File) error {
		sum := sha256.Sum256(fmt.Appendf(nil, "dowse seeded mixture %d\n%d\n%+v\n", formatVersion, seed, c))
		w := &seededMixture{
			blockFile: blockFile{f: f, progress: progress, header: header{Config: c, Fingerprint: hex.EncodeToString(sum[:])}},
			config:    c, random: rand.NewPCG(seed, 3), tables: seededRows{c, seed, words},
		}
		return w.write(ctx)
	})
}

// seededMixture writes one pack.
type seededMixture struct {
	blockFile
	config Config
	random *rand.PCG
	tables seededRows // tokenizer, embeddings and output
}

func (w *seededMixture) write(ctx context.Context) error {
	if err := w.plan(len(w.tables.words)); err != nil {
		return err
	}
	place := 0
	next := func(fill func(b *blockWriter) error) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		place++
		return w.block(place-1, fill)
	}
	err := next(func(b *blockWriter) error { b.write(w.tables.words); return nil })
	if err == nil {
		err = next(func(b *blockWriter) error { return w.tables.embeddings(ctx, b) })
	}
	for i := 0; i < w.config.Layers && err == nil; i++ {
		err = next(func(b *blockWriter) error { w.layer(b, i); return nil })
	}
	for i := 0; i < w.config.Layers && err == nil; i++ {
		if w.config.Mixture.In(i) {
			err = next(func(b *blockWriter) error { return w.experts(ctx, b) })
		}
	}
	if err == nil {
		err = next(func(b *blockWriter) error { return w.tables.output(ctx, b) })
	}
	if err != nil {
		return err
	}
	return w.finish()
}

// layer writes a layer in the order of its layout.
func (w *seededMixture) layer(b *blockWriter, i int) {
	c, norms := w.config, w.tables.layer(i)
	heads, keys := c.Heads*c.HeadDim, c.KVHeads*c.HeadDim
	b.float32s(norms.AttentionNorm)
	b.linear(w.linear(c.Hidden, heads+2*keys))
	if c.QKNorm {
		b.float32s(norms.QueryNorm)
		b.float32s(norms.KeyNorm)
	}
	b.linear(w.linear(heads, c.Hidden))
	b.float32s(norms.MLPNorm)
	if c.Mixture.In(i) {
		b.float32s(w.router())
		return
	}
	b.linear(w.linear(c.Hidden, 2*c.Intermediate))
	b.linear(w.linear(c.Intermediate, c.Hidden))
}

func (w *seededMixture) experts(ctx context.Context, b *blockWriter) error {
	c := w.config
	for range c.Mixture.Experts {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.expert(c, Expert{GateUp: w.linear(c.Hidden, 2*c.Mixture.Width), Down: w.linear(c.Mixture.Width, c.Hidden)})
	}
	return nil
}

// router returns rows whose logits have a variance of 1.
func (w *seededMixture) router() []float32 {
	random, rows := rand.New(w.random), make([]float32, w.config.Mixture.Experts*w.config.Hidden)
	root := math.Sqrt(float64(w.config.Hidden))
	for i := range rows {
		rows[i] = float32(random.NormFloat64() / root)
	}
	return rows
}

// linear draws a projection.
func (w *seededMixture) linear(k, n int) Linear {
	data := make([]byte, align(int64(k)*int64(n), 8))
	fillOdd(data, w.random)
	l := Linear{
		K: k, N: n, Weights: view.Int8s(data)[:k*n], Bias: make([]float32, n), ColSum: make([]int32, n),
		Scale: constants(n, float32(1/(oddRoot8*math.Sqrt(float64(k))))),
	}
	for row := range k {
		for i, q := range l.Weights[row*n : (row+1)*n] {
			l.ColSum[i] += int32(q)
		}
	}
	return l
}
