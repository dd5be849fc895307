package pack

// DecoderLayer is one layer of a decoder, whose norms are RMSNorms of what goes
// into attention and into the feed-forward part. D is Config.Hidden, F is
// Config.Intermediate, H and G are Config.Heads and Config.KVHeads, and d is
// Config.HeadDim. Biases that a model does without are zeros.
//
// Value i of a query or key head is rotated together with value i+d/2.
type DecoderLayer struct {
	AttentionNorm []float32 // [D], of the layer's input
	QKV           Linear    // [D,(H+2G)d]: columns of query, key and value heads
	QueryNorm     []float32 // [d], of each query head before rotation; nil without Config.QKNorm
	KeyNorm       []float32 // [d], of each key head before rotation; nil without Config.QKNorm
	Output        Linear    // [Hd,D], after attention; added to the layer's input
	// AttentionOutputNorm [D] is of what Output makes, and MLPOutputNorm [D] of what Down
	// makes, before they are added; of Gemma alone.
	AttentionOutputNorm, MLPOutputNorm []float32

	MLPNorm []float32 // [D], of that sum
	GateUp  Linear    // [D,2F]: columns of gate, before SiLU or Gemma's GELU, and of up
	Down    Linear    // [F,D], of their product; added to the sum
	// Router [Experts,D], of a layer with experts in place of GateUp and Down: the product of
	// a row with the normed state is the expert's logit.
	Router []float32
}

// Output turns the last layer's states into a logit for each word: the product
// of the normed state and the word's row, Words*WordScale.
type Output struct {
	Norm      []float32 // [Hidden], an RMSNorm
	Words     []int8    // [Vocabulary,Hidden]
	WordScale []float32 // [Vocabulary]
	Rows      Linear    // [Hidden,Vocabulary] of Blocks, in place of Words by Config.Forms
}

// Row writes the row of a word to dst [Hidden].
func (o *Output) Row(dst []float32, word int) {
	if o.Rows.Blocks != nil {
		o.Rows.Blocks[0].Expand(dst, word)
		return
	}
	for i, v := range o.Words[word*len(dst) : (word+1)*len(dst)] {
		dst[i] = float32(v) * o.WordScale[word]
	}
}

// decoderLayer returns the layout of the block of a decoder's layer i.
func decoderLayer(i int) func(*cursor, Config) DecoderLayer {
	return func(c *cursor, config Config) DecoderLayer {
		if letters := config.layerForm(i); letters != "" {
			return c.layerOf(config, c.formed(config, letters))
		}
		if !config.Mixture.In(i) {
			return c.layerOf(config, c.linear)
		}
		l := c.attentionOf(config, c.linear)
		l.Router = c.float32s(config.Mixture.Experts * config.Hidden)
		return l
	}
}

// formed returns the layout of a layer's projections, one after the other, by the letters
// of its matrices.
func (c *cursor) formed(config Config, letters string) func(k, n int) Linear {
	next := Bundle(0)
	return func(k, n int) Linear {
		bundle := next
		next++
		from, outputs := config.matrices(bundle)
		if letters[from] == plainForm {
			return c.linear(k, n)
		}
		return c.blocks(k, outputs, letters[from:])
	}
}

// matrices returns the outputs of the matrices of a bundle, and the place of the first in a
// layer's letters.
func (c *Config) matrices(b Bundle) (from int, outputs []int) {
	switch b {
	case QKVBundle:
		return formQuery, []int{c.Heads * c.HeadDim, c.KVHeads * c.HeadDim, c.KVHeads * c.HeadDim}
	case OutputBundle:
		return formOutput, []int{c.Hidden}
	case GateUpBundle:
		return formGate, []int{c.Intermediate, c.Intermediate}
	}
	return formDown, []int{c.Hidden}
}

// layerOf returns the layout of a decoder layer whose projections lie as linear
// says.
func (c *cursor) layerOf(config Config, linear func(k, n int) Linear) DecoderLayer {
	l := c.attentionOf(config, linear)
	l.GateUp = linear(config.Hidden, 2*config.Intermediate)
	l.Down = linear(config.Intermediate, config.Hidden)
	if config.Gemma.used() {
		l.MLPOutputNorm = c.float32s(config.Hidden)
	}
	return l
}

// attentionOf returns the layout of a decoder layer without its feed-forward part.
func (c *cursor) attentionOf(config Config, linear func(k, n int) Linear) DecoderLayer {
	d := config.Hidden
	heads, keys := config.Heads*config.HeadDim, config.KVHeads*config.HeadDim
	l := DecoderLayer{AttentionNorm: c.float32s(d), QKV: linear(d, heads+2*keys)}
	if config.QKNorm {
		l.QueryNorm, l.KeyNorm = c.float32s(config.HeadDim), c.float32s(config.HeadDim)
	}
	l.Output = linear(heads, d)
	if config.Gemma.used() {
		l.AttentionOutputNorm = c.float32s(d)
	}
	l.MLPNorm = c.float32s(d)
	return l
}

// output returns the layout of the output's block, without rows if they are tied to the
// embeddings.
func (c *cursor) output(config Config) Output {
	o := Output{Norm: c.float32s(config.Hidden)}
	if f := config.rowsForm(); f != nil {
		o.Rows = c.blocks(config.Hidden, []int{config.Vocabulary}, string(f.Letter))
		return o
	}
	if !config.TiedOutput {
		o.Words = c.int8s(config.Vocabulary * config.Hidden)
		o.WordScale = c.float32s(config.Vocabulary)
	}
	return o
}
