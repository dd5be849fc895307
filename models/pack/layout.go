package pack

import "dowse/models/internal/view"

const (
	blockAlign = 4096 // a page, and what direct reads want
	arrayAlign = 64   // a cache line, and the widest vector
)

// Norm holds the parameters of a LayerNorm, each [Hidden].
type Norm struct{ Gamma, Beta []float32 }

// Layer is one encoder layer; D is Config.Hidden, F is Config.Intermediate.
type Layer struct {
	QKV           Linear // [D,3D]: columns of query, key and value
	Output        Linear // [D,D], after attention
	AttentionNorm Norm   // of Output plus the layer's input
	Up            Linear // [D,F], before GELU
	Down          Linear // [F,D]
	OutputNorm    Norm   // of Down plus the first norm's result
}

// Embeddings are the tables whose rows sum up to a token's first state. Decoders and static
// models have words alone.
type Embeddings struct {
	Words     []int8    // [Vocabulary,Hidden], or [Vocabulary,WordBytes] in Config.WordsForm
	WordScale []float32 // [Vocabulary]: a row is Words*WordScale; ones with a form
	Positions []float32 // [Positions,Hidden]
	Types     []float32 // [Types,Hidden]
	Norm      Norm      // of the sum
	// Relative [RelativeBuckets,Heads] is added to the scaled products of queries and keys of
	// every layer, by how far they stand apart; empty without Config.RelativeBuckets.
	Relative []float32
	Final    Norm // of the last layer's states; of encoders of ModernBERT's kind alone
}

// Head makes scores or vectors; D is Config.Hidden, V Config.Dimensions:
//
//	DenseHead      vector = Dense·pooled + DenseBias; DenseTanhHead the tanh of that
//	TanhHead       score  = Weights·tanh(Dense·state + DenseBias) + Bias[0]
//	GeluHead       score  = Weights·Norm(gelu(Dense·state + DenseBias)) + Bias[0]
//	LayerHeads     score  = Weights[l]·state + Bias[l] after layer l
type Head struct {
	Dense     []float32 // [D,D], or [V,D] of vectors, an output a row; nil with LayerHeads
	DenseBias []float32 // [D], or [V]; nil with LayerHeads
	Norm      Norm      // [D]; with GeluHead alone
	Weights   []float32 // [D], or [Layers,D] with LayerHeads; nil of vectors
	Bias      []float32 // [1], or [Layers] with LayerHeads; nil of vectors
}

// cursor walks the arrays of a block in order. Over a nil block it only measures, so one
// layout gives sizes and views.
type cursor struct {
	block []byte
	at    int64
}

// take returns the next n bytes, aligned.
func (c *cursor) take(n int) []byte {
	c.at = align(c.at, arrayAlign)
	start := c.at
	c.at += int64(n)
	if c.block == nil {
		return nil
	}
	return c.block[start:c.at:c.at]
}

func (c *cursor) int8s(n int) []int8       { return view.Int8s(c.take(n)) }
func (c *cursor) int32s(n int) []int32     { return view.Int32s(c.take(4 * n)) }
func (c *cursor) float32s(n int) []float32 { return view.Float32s(c.take(4 * n)) }

func (c *cursor) linear(k, n int) Linear {
	return Linear{
		K: k, N: n,
		Weights: c.int8s(k * n), Scale: c.float32s(n), Bias: c.float32s(n), ColSum: c.int32s(n),
	}
}

func (c *cursor) norm(n int) Norm { return Norm{Gamma: c.float32s(n), Beta: c.float32s(n)} }

// layer returns the layout of a layer's block.
func (c *cursor) layer(config Config) Layer {
	d, f := config.Hidden, config.Intermediate
	return Layer{
		QKV:           c.linear(d, 3*d),
		Output:        c.linear(d, d),
		AttentionNorm: c.norm(d),
		Up:            c.linear(d, f),
		Down:          c.linear(f, d),
		OutputNorm:    c.norm(d),
	}
}

// embeddings returns the layout of the embeddings' block.
func (c *cursor) embeddings(config Config) Embeddings {
	words := c.int8s(config.Vocabulary * config.WordBytes())
	e := c.tables(config)
	e.Words = words
	return e
}

// tables returns the layout of the embeddings' block behind the words.
func (c *cursor) tables(config Config) Embeddings {
	d := config.Hidden
	if config.Decoder || config.Static() {
		return Embeddings{WordScale: c.float32s(config.Vocabulary)}
	}
	if config.Rotates() {
		e := Embeddings{WordScale: c.float32s(config.Vocabulary)}
		if !config.RotaryEncoder.Gemma {
			e.Norm = c.norm(d)
		}
		e.Final = c.rotaryNorm(config)
		return e
	}
	e := Embeddings{
		WordScale: c.float32s(config.Vocabulary),
		Positions: c.float32s(config.Positions * d),
		Types:     c.float32s(config.Types * d),
		Norm:      c.norm(d),
	}
	if config.RelativeBuckets > 0 {
		e.Relative = c.float32s(config.RelativeBuckets * config.Heads)
	}
	return e
}

// head returns the layout of the head's block.
func (c *cursor) head(config Config) Head {
	d := config.Hidden
	switch config.Head {
	case LayerHeads:
		return Head{Weights: c.float32s(config.Layers * d), Bias: c.float32s(config.Layers)}
	case DenseHead, DenseTanhHead:
		return Head{Dense: c.float32s(config.Dimensions * d), DenseBias: c.float32s(config.Dimensions)}
	}
	h := Head{Dense: c.float32s(d * d), DenseBias: c.float32s(d)}
	if config.Head == GeluHead {
		h.Norm = c.norm(d)
	}
	h.Weights, h.Bias = c.float32s(d), c.float32s(1)
	return h
}

// sizeOf returns the bytes of a block of the given layout, without padding.
func sizeOf[T any](config Config, layout func(*cursor, Config) T) int64 {
	var c cursor
	layout(&c, config)
	return c.at
}

// layerSize returns the bytes of the block of layer i, without padding.
func layerSize(config Config, i int) int64 {
	switch {
	case config.Decoder:
		return sizeOf(config, decoderLayer(i))
	case config.Rotates():
		return sizeOf(config, rotaryLayer(i))
	}
	return sizeOf(config, (*cursor).layer)
}

// align rounds n up to a multiple of unit, a power of two.
func align(n, unit int64) int64 { return (n + unit - 1) &^ (unit - 1) }
