package rerankbench

import "fmt"

// initialSpread is the standard deviation that models of both families start
// training from.
const initialSpread = 0.02

// tensorList is the tensors of a model that is made up.
type tensorList []tensor

func (l *tensorList) matrix(name string, rows, columns int) {
	*l = append(*l, tensor{name + ".weight", []int{rows, columns}, 0, initialSpread})
}

func (l *tensorList) linear(name string, out, in int) {
	l.matrix(name, out, in)
	*l = append(*l, tensor{name + ".bias", []int{out}, 0, initialSpread})
}

// scale is the weights of a norm.
func (l *tensorList) scale(name string, width int) {
	*l = append(*l, tensor{name + ".weight", []int{width}, 1, initialSpread})
}

func (l *tensorList) norm(name string, width int) {
	l.scale(name, width)
	*l = append(*l, tensor{name + ".bias", []int{width}, 0, initialSpread})
}

// tensors lists those of the shape.
func (s Shape) tensors() []tensor {
	if s.decoder() {
		return s.decoderTensors()
	}
	return s.encoderTensors()
}

func (s Shape) encoderTensors() []tensor {
	const body = "roberta."
	var l tensorList
	d := s.Hidden
	l.matrix(body+"embeddings.word_embeddings", s.Vocabulary, d)
	l.matrix(body+"embeddings.position_embeddings", s.Positions, d)
	l.matrix(body+"embeddings.token_type_embeddings", 1, d)
	l.norm(body+"embeddings.LayerNorm", d)
	for i := range s.Layers {
		layer := fmt.Sprintf("%sencoder.layer.%d.", body, i)
		for _, part := range []string{"query", "key", "value"} {
			l.linear(layer+"attention.self."+part, d, d)
		}
		l.linear(layer+"attention.output.dense", d, d)
		l.norm(layer+"attention.output.LayerNorm", d)
		l.linear(layer+"intermediate.dense", s.Intermediate, d)
		l.linear(layer+"output.dense", d, s.Intermediate)
		l.norm(layer+"output.LayerNorm", d)
	}
	l.linear("classifier.dense", d, d)
	l.linear("classifier.out_proj", 1, d)
	return l
}

func (s Shape) decoderTensors() []tensor {
	var l tensorList
	d, queries, keys := s.Hidden, s.Heads*s.HeadDim, s.KVHeads*s.HeadDim
	l.matrix("model.embed_tokens", s.Vocabulary, d)
	for i := range s.Layers {
		layer := fmt.Sprintf("model.layers.%d.", i)
		l.scale(layer+"input_layernorm", d)
		l.matrix(layer+"self_attn.q_proj", queries, d)
		l.matrix(layer+"self_attn.k_proj", keys, d)
		l.matrix(layer+"self_attn.v_proj", keys, d)
		l.matrix(layer+"self_attn.o_proj", d, queries)
		l.scale(layer+"self_attn.q_norm", s.HeadDim)
		l.scale(layer+"self_attn.k_norm", s.HeadDim)
		l.scale(layer+"post_attention_layernorm", d)
		l.matrix(layer+"mlp.gate_proj", s.Intermediate, d)
		l.matrix(layer+"mlp.up_proj", s.Intermediate, d)
		l.matrix(layer+"mlp.down_proj", d, s.Intermediate)
	}
	l.scale("model.norm", d)
	return l
}

func (s Shape) configJSON() []byte {
	if s.decoder() {
		return fmt.Appendf(nil, `{"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_act": "silu",
"num_hidden_layers": %d, "hidden_size": %d, "num_attention_heads": %d, "num_key_value_heads": %d, "head_dim": %d,
"intermediate_size": %d, "vocab_size": %d, "max_position_embeddings": %d, "rms_norm_eps": 1e-6, "rope_theta": 1000000,
"tie_word_embeddings": true}`, s.Layers, s.Hidden, s.Heads, s.KVHeads, s.HeadDim, s.Intermediate, s.Vocabulary, s.Positions)
	}
	return fmt.Appendf(nil, `{"architectures": ["XLMRobertaForSequenceClassification"], "model_type": "xlm-roberta", "hidden_act": "gelu",
"position_embedding_type": "absolute", "num_hidden_layers": %d, "hidden_size": %d, "num_attention_heads": %d,
"intermediate_size": %d, "vocab_size": %d, "max_position_embeddings": %d, "type_vocab_size": 1,
"layer_norm_eps": 1e-5, "pad_token_id": 1}`, s.Layers, s.Hidden, s.Heads, s.Intermediate, s.Vocabulary, s.Positions)
}
