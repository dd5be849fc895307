package pack

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// decoderNames is a format's names of the tensors of a decoder, without ".weight" and
// ".bias". Those of a layer follow its prefix.
type decoderNames struct {
	words, norm, output string
	layer               string // with the layer's number in place of %d

	attentionNorm, query, key, value, queryNorm, keyNorm, attention string
	mlpNorm, gate, up, down                                         string
	attentionOutputNorm, mlpOutputNorm                              string // of Gemma

	// Of a layer with experts, whose number stands in place of %d.
	router, expertGate, expertUp, expertDown string
}

// folderNames returns those of Hugging Face.
func folderNames(f family) decoderNames {
	n := decoderNames{
		words: "model.embed_tokens", norm: "model.norm", output: "lm_head", layer: "model.layers.%d.",
		attentionNorm: "input_layernorm", query: "self_attn.q_proj", key: "self_attn.k_proj", value: "self_attn.v_proj",
		queryNorm: "self_attn.q_norm", keyNorm: "self_attn.k_norm", attention: "self_attn.o_proj",
		mlpNorm: "post_attention_layernorm", gate: "mlp.gate_proj", up: "mlp.up_proj", down: "mlp.down_proj",
		router: "mlp.gate", expertGate: "mlp.experts.%d.gate_proj", expertUp: "mlp.experts.%d.up_proj", expertDown: "mlp.experts.%d.down_proj",
	}
	if f.gemma {
		n.attentionOutputNorm, n.mlpNorm, n.mlpOutputNorm = "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm"
	}
	if f.permuted && f.mixture { // Mixtral
		const at = "block_sparse_moe."
		n.router, n.expertGate, n.expertUp, n.expertDown = at+"gate", at+"experts.%d.w1", at+"experts.%d.w3", at+"experts.%d.w2"
	}
	return n
}

// ggufNames returns those of GGUF.
func ggufNames() decoderNames {
	return decoderNames{
		words: "token_embd", norm: "output_norm", output: "output", layer: "blk.%d.",
		attentionNorm: "attn_norm", query: "attn_q", key: "attn_k", value: "attn_v",
		queryNorm: "attn_q_norm", keyNorm: "attn_k_norm", attention: "attn_output",
		attentionOutputNorm: "post_attention_norm", mlpOutputNorm: "post_ffw_norm",
		mlpNorm: "ffn_norm", gate: "ffn_gate", up: "ffn_up", down: "ffn_down",
		router: "ffn_gate_inp", expertGate: "ffn_gate_exps.%d", expertUp: "ffn_up_exps.%d", expertDown: "ffn_down_exps.%d",
	}
}

// matrices lists the projections of layer i in the order of DecoderLayer:
// query, key, value; attention's output; gate, up; down.
func (s *source) matrices(i int) (qkv, attention, gateUp, down []part) {
	c, n := s.config, s.names
	layer := fmt.Sprintf(n.layer, i)
	one := func(name string, outputs int) part {
		_, bias := s.weights.lookup(layer + name + ".bias")
		return part{layer + name, outputs, bias}
	}
	keys := c.KVHeads * c.HeadDim
	qkv = []part{one(n.query, c.Heads*c.HeadDim), one(n.key, keys), one(n.value, keys)}
	attention = []part{one(n.attention, c.Hidden)}
	gateUp = []part{one(n.gate, c.Intermediate), one(n.up, c.Intermediate)}
	return qkv, attention, gateUp, []part{one(n.down, c.Hidden)}
}

// decoderLayer writes block layer.i of a decoder.
func (w *writer) decoderLayer(ctx context.Context, i int) error {
	c, n := w.source.config, w.source.names
	layer := fmt.Sprintf(n.layer, i)
	qkv, attention, gateUp, down := w.source.matrices(i)
	return w.block(firstLayerPlace+i, func(b *blockWriter, r *tensorReader) {
		project := func(bundle Bundle, parts ...part) {
			from, _ := c.matrices(bundle)
			if letters := c.layerForm(i); letters != "" && letters[from] != plainForm {
				b.linear(r.blocks(ctx, c.inputs(bundle), letters[from:], parts...))
				return
			}
			b.linear(r.linear(ctx, c.inputs(bundle), parts...))
		}
		b.float32s(r.rms(layer+n.attentionNorm, c.Hidden))
		project(QKVBundle, qkv...)
		if c.QKNorm {
			b.float32s(scaled(r.rms(layer+n.queryNorm, c.HeadDim), cmp.Or(w.source.queryScale, 1)))
			b.float32s(r.rms(layer+n.keyNorm, c.HeadDim))
		}
		project(OutputBundle, attention...)
		if c.Gemma.used() {
			b.float32s(r.rms(layer+n.attentionOutputNorm, c.Hidden))
		}
		b.float32s(r.rms(layer+n.mlpNorm, c.Hidden))
		if c.Mixture.In(i) {
			b.float32s(r.tensor(layer+n.router+".weight", c.Mixture.Experts, c.Hidden))
			return
		}
		project(GateUpBundle, gateUp...)
		project(DownBundle, down...)
		if c.Gemma.used() {
			b.float32s(r.rms(layer+n.mlpOutputNorm, c.Hidden))
		}
	})
}

// rms reads an RMSNorm. In folders a Gemma's multiplies with its weight plus one, in GGUF with
// its weight.
func (r *tensorReader) rms(name string, n int) []float32 {
	norm := r.tensor(name+".weight", 1, n)
	if r.source.oneMore {
		for i := range norm {
			norm[i]++
		}
	}
	return norm
}

// decoderWords writes the block of a decoder's embeddings.
func (w *writer) decoderWords(ctx context.Context) error {
	c := w.source.config
	return w.block(embeddingsPlace, func(b *blockWriter, r *tensorReader) {
		if f := c.WordsForm(); f != nil {
			r.wordBlocks(ctx, b, w.source.names.words+".weight", f, c.Vocabulary, c.Hidden)
			b.float32s(slices.Repeat([]float32{1}, c.Vocabulary))
			return
		}
		b.float32s(r.words(ctx, b, w.source.names.words+".weight", c.Vocabulary, c.Hidden))
	})
}

// output writes the block of a decoder's output.
func (w *writer) output(ctx context.Context) error {
	c, n := w.source.config, w.source.names
	return w.block(lastPlace(c), func(b *blockWriter, r *tensorReader) {
		b.float32s(r.rms(n.norm, c.Hidden))
		if f := c.rowsForm(); f != nil {
			b.linear(r.blocks(ctx, c.Hidden, string(f.Letter), part{name: n.output, outputs: c.Vocabulary}))
			return
		}
		if !c.TiedOutput {
			b.float32s(r.words(ctx, b, n.output+".weight", c.Vocabulary, c.Hidden))
		}
	})
}

// experts writes the blocks of experts.
func (w *writer) experts(ctx context.Context) error {
	c := w.source.config
	for i := range c.Layers {
		if !c.Mixture.In(i) {
			continue
		}
		err := w.block(expertsPlace(c, i), func(b *blockWriter, r *tensorReader) {
			for e := range c.Mixture.Experts {
				b.expert(c, w.source.expert(ctx, r, i, e))
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// expert reads an expert of layer i.
func (s *source) expert(ctx context.Context, r *tensorReader, i, expert int) Expert {
	gateUp, down := s.expertMatrices(i, expert)
	return Expert{
		GateUp: r.linear(ctx, s.config.Hidden, gateUp...),
		Down:   r.linear(ctx, s.config.Mixture.Width, down),
	}
}

// expertMatrices lists the projections of an expert of layer i: gate and up; down.
func (s *source) expertMatrices(i, expert int) (gateUp []part, down part) {
	c, n := s.config, s.names
	name := func(pattern string) string {
		return fmt.Sprintf(n.layer, i) + fmt.Sprintf(pattern, expert)
	}
	return []part{{name(n.expertGate), c.Mixture.Width, false}, {name(n.expertUp), c.Mixture.Width, false}},
		part{name(n.expertDown), c.Hidden, false}
}

// expert writes a record: the projections, their checksum, and zeros up to whole pages.
func (b *blockWriter) expert(c Config, e Expert) {
	start := b.at
	b.record = 0
	b.linear(e.GateUp)
	b.linear(e.Down)
	b.align()
	b.int32s([]int32{int32(b.record)})
	if b.err == nil && b.at-start != expertSize(c) {
		b.err = fmt.Errorf("an expert of %d bytes instead of %d", b.at-start, expertSize(c))
	}
	b.write(make([]byte, align(b.at, blockAlign)-b.at))
}
