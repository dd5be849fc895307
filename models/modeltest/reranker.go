package modeltest

import "fmt"

// Reranker describes a model that scores pairs of texts. The zero value is a
// BERT with pooler and classifier, of the sizes of Tensors.
type Reranker struct {
	XLMRoberta bool   // instead of BERT; positions start at 2, one token type
	ModernBERT bool   // instead of BERT; every third layer global, no token types
	MeanPooled bool   // of ModernBERT: the head scores the mean of all tokens
	LayerHeads bool   // a linear head for each layer instead of the classifier
	Bare       bool   // names without "bert." or "roberta."
	Seed       uint64 // of the weights

	// Sizes; 0 means that of Tensors.
	Layers, Hidden, Heads, Intermediate, Positions, Vocabulary int
}

// sized fills in the sizes that are 0.
func (r Reranker) sized() Reranker {
	for _, f := range []struct {
		field *int
		usual int
	}{
		{&r.Layers, Layers}, {&r.Hidden, Hidden}, {&r.Heads, Heads}, {&r.Intermediate, Intermediate},
		{&r.Positions, Positions}, {&r.Vocabulary, vocabularySize()},
	} {
		if *f.field == 0 {
			*f.field = f.usual
		}
	}
	return r
}

// types returns the number of token types.
func (r Reranker) types() int {
	if r.XLMRoberta {
		return 1
	}
	return 2
}

// Architecture returns the name in config.json.
func (r Reranker) Architecture() string {
	if r.XLMRoberta {
		return "XLMRobertaForSequenceClassification"
	}
	if r.ModernBERT {
		return "ModernBertForSequenceClassification"
	}
	return "BertForSequenceClassification"
}

// Tensors returns the model's weights by name.
func (r Reranker) Tensors() map[string]Tensor {
	r = r.sized()
	prefix := "bert."
	if r.XLMRoberta {
		prefix = "roberta."
	}
	if r.ModernBERT {
		prefix = "model."
	}
	if r.Bare {
		prefix = ""
	}
	g := newGenerator(r.Seed, prefix)
	s := shape{r.Layers, r.Hidden, r.Intermediate, r.Positions, r.Vocabulary, r.types()}
	if r.ModernBERT {
		s.modernBody(g)
	} else {
		s.body(g)
	}
	// The head has its own numbers, so that models which differ in layers
	// alone share it, as they share the layers that both have.
	h := newGenerator(^r.Seed, "")
	h.all = g.all
	switch {
	case r.LayerHeads:
		h.add("heads.weight", 0, 0.3, r.Layers, r.Hidden)
		h.add("heads.bias", 0, 0.3, r.Layers)
	case r.ModernBERT:
		h.add("head.dense.weight", 0, 0.2, r.Hidden, r.Hidden)
		h.add("head.norm.weight", 1, 0.1, r.Hidden)
		h.linear("classifier", r.Hidden, 1)
	case r.XLMRoberta:
		h.linear("classifier.dense", r.Hidden, r.Hidden)
		h.linear("classifier.out_proj", r.Hidden, 1)
	default:
		h.prefix = prefix
		h.linear("pooler.dense", r.Hidden, r.Hidden)
		h.prefix = ""
		h.linear("classifier", r.Hidden, 1)
	}
	return g.all
}

// Files returns the folder's files by slash-separated name.
func (r Reranker) Files() (map[string][]byte, error) {
	processor := bertProcessing
	if r.XLMRoberta {
		processor = robertaTemplate
	}
	tokenizer, err := tokenizerJSON(processor)
	if err != nil {
		return nil, err
	}
	weights, err := Safetensors(r.Tensors())
	if err != nil {
		return nil, err
	}
	return map[string][]byte{"config.json": []byte(r.configJSON()), "tokenizer.json": tokenizer, "model.safetensors": weights}, nil
}

func (r Reranker) configJSON() string {
	s := r.sized()
	if r.ModernBERT {
		pooling := "cls"
		if r.MeanPooled {
			pooling = "mean"
		}
		return fmt.Sprintf(`{"architectures": [%q], "hidden_activation": "gelu", "num_hidden_layers": %d, "hidden_size": %d,
"num_attention_heads": %d, "intermediate_size": %d, "vocab_size": %d, "max_position_embeddings": %d, "norm_eps": 1e-5,
"global_attn_every_n_layers": 3, "local_attention": 10, "global_rope_theta": 160000.0, "local_rope_theta": 10000.0,
"attention_bias": false, "mlp_bias": false, "norm_bias": false, "classifier_bias": false, "classifier_pooling": %q}`,
			s.Architecture(), s.Layers, s.Hidden, s.Heads, s.Intermediate, s.Vocabulary, s.Positions, pooling)
	}
	return fmt.Sprintf(`{"architectures": [%q], "hidden_act": "gelu", "position_embedding_type": "absolute",
"num_hidden_layers": %d, "hidden_size": %d, "num_attention_heads": %d, "intermediate_size": %d, "vocab_size": %d,
"max_position_embeddings": %d, "type_vocab_size": %d, "layer_norm_eps": 1e-12, "pad_token_id": %d}`,
		s.Architecture(), s.Layers, s.Hidden, s.Heads, s.Intermediate, s.Vocabulary, s.Positions, s.types(), 2-s.types())
}

// robertaTemplate is <s> A </s></s> B </s>, all of one type; the small
// vocabulary calls them [CLS] and [SEP].
const robertaTemplate = `{"type": "TemplateProcessing",
"single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
"pair": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
 {"SpecialToken": {"id": "[SEP]", "type_id": 0}}, {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
 {"Sequence": {"id": "B", "type_id": 0}}, {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
"special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]}, "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}}`
