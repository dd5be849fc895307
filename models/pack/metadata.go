package pack

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"dowse/models/tokenizer"
)

// metadata looks up the metadata of a GGUF file, and keeps the first error.
type metadata struct {
	file   *ggufCheckpoint
	prefix string // of the keys of the architecture
	err    error
}

func (m *metadata) keep(err error) {
	if m.err == nil {
		m.err = err
	}
}

// int returns a number that fits into 32 bits.
func (m *metadata) int(key string, absent int64) int {
	n, err := m.file.Int(key, absent)
	m.keep(err)
	if n < math.MinInt32 || n > math.MaxInt32 {
		m.keep(fmt.Errorf("metadata %q is %d", key, n))
		return 0
	}
	return int(n)
}

func (m *metadata) float(key string, absent float64) float64 {
	f, err := m.file.Float(key, absent)
	m.keep(err)
	return f
}

func (m *metadata) bool(key string, absent bool) bool {
	b, err := m.file.Bool(key, absent)
	m.keep(err)
	return b
}

func (m *metadata) text(key, absent string) string {
	text, err := m.file.Text(key, absent)
	m.keep(err)
	return text
}

// config reads the shape of the model.
func (m *metadata) config(f family) Config {
	size := func(key string, absent int) int { return m.int(m.prefix+key, int64(absent)) }
	c := Config{
		Architecture: f.architecture, Layers: size("block_count", 0), Hidden: size("embedding_length", 0),
		Heads: size("attention.head_count", 0), Intermediate: size("feed_forward_length", 0), Positions: size("context_length", 0),
		Epsilon: float32(m.float(m.prefix+"attention.layer_norm_rms_epsilon", 0)), Decoder: true, QKNorm: f.qkNorm,
		RotaryBase: m.float(m.prefix+"rope.freq_base", 10000), SlidingWindow: size("attention.sliding_window", 0),
	}
	c.MaxTokens = c.Positions
	c.KVHeads = size("attention.head_count_kv", c.Heads)
	c.HeadDim = size("attention.key_length", c.Hidden/max(c.Heads, 1))
	if n := size("attention.value_length", c.HeadDim); n != c.HeadDim {
		m.keep(fmt.Errorf("keys of width %d and values of width %d are not supported", c.HeadDim, n))
	}
	if n := size("rope.dimension_count", c.HeadDim); n != c.HeadDim {
		m.keep(fmt.Errorf("rotating %d values of heads of width %d is not supported", n, c.HeadDim))
	}
	if words, ok := m.file.lookup(ggufNames().words + ".weight"); ok && len(words.shape) == 2 {
		c.Vocabulary = words.shape[0]
	}
	if f.gemma {
		m.gemma(&c)
	}
	if c.SlidingWindow >= c.Positions {
		c.SlidingWindow = 0
	}
	if kind := m.text(m.prefix+"rope.scaling.type", "none"); kind != "none" {
		c.RotaryScaling = RotaryScaling{Kind: kind, Factor: m.float(m.prefix+"rope.scaling.factor", 0)}
	}
	return c
}

// gemma fills in the settings of a Gemma.
func (m *metadata) gemma(c *Config) {
	c.RotaryBase = m.float(m.prefix+"rope.freq_base", gemmaGlobalBase)
	c.Gemma = GemmaDecoder{
		GlobalEvery: m.int(m.prefix+"attention.sliding_window_pattern", gemmaGlobalEvery),
		LocalBase:   m.float(m.prefix+"rope.freq_base_swa", gemmaLocalBase),
	}
	if cap := m.float(m.prefix+"final_logit_softcapping", 0); cap != 0 {
		m.keep(errors.New("final_logit_softcapping is not supported"))
	}
	if c.Layers == gemmaLayers27B {
		m.keep(errors.New("a Gemma 3 of 62 layers is not supported from GGUF, which does not say how its attention is scaled; import its Hugging Face folder"))
	}
}

// tokenizer reads the parts of the tokenizer, with the defaults of its kind.
func (m *metadata) tokenizer() tokenizer.Parts {
	const at = "tokenizer.ggml."
	p := tokenizer.Parts{Model: m.text(at+"model", ""), Pre: m.text(at+"pre", "")}
	sentencePiece := p.Model == "llama"
	absent := [3]int64{tokenizer.NoToken, tokenizer.NoToken, tokenizer.NoToken}
	if sentencePiece {
		absent = [3]int64{0, 1, 2}
	}
	p.Unknown = int32(m.int(at+"unknown_token_id", absent[0]))
	p.BOS = int32(m.int(at+"bos_token_id", absent[1]))
	p.EOS = int32(m.int(at+"eos_token_id", absent[2]))
	p.AddBOS = m.bool(at+"add_bos_token", sentencePiece || p.Pre == "llama-bpe")
	p.AddEOS = m.bool(at+"add_eos_token", false)
	p.AddSpacePrefix = m.bool(at+"add_space_prefix", sentencePiece)
	var err [4]error
	p.Tokens, err[0] = m.file.Texts(at + "tokens")
	p.Scores, err[1] = m.file.Floats(at + "scores")
	p.Merges, err[2] = m.file.Texts(at + "merges")
	types, last := m.file.Ints(at + "token_type")
	err[3] = last
	m.keep(cmp.Or(err[0], err[1], err[2], err[3]))
	for _, kind := range types {
		p.Types = append(p.Types, tokenizer.TokenType(kind))
	}
	return p
}

// stop returns the tokens that end an answer, each once.
func (m *metadata) stop() []int32 {
	var ids []int32
	for _, name := range []string{"eos", "eot"} {
		if id := int32(m.int("tokenizer.ggml."+name+"_token_id", tokenizer.NoToken)); id >= 0 && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}
