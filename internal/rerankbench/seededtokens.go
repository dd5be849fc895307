package rerankbench

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"dowse/engine/transformer"
)

// Special tokens of XLM-RoBERTa, at its ids.
var specials = []string{"<s>", "<pad>", "</s>", "<unk>"}

// digits writes numbers so that they look like words.
var digits = strings.NewReplacer("0", "e", "1", "t", "2", "a", "3", "o", "4", "i", "5", "n", "6", "s", "7", "h")

// tokenizerJSON is a Unigram tokenizer of so many pieces that are made up. They
// are about as long as real ones, so that it takes as much memory as a real
// tokenizer.
func tokenizerJSON(size int) ([]byte, error) {
	vocabulary := make([][2]any, 0, size)
	for _, s := range specials {
		vocabulary = append(vocabulary, [2]any{s, 0.0})
	}
	for i := 0; len(vocabulary) < size; i++ {
		piece := digits.Replace(strconv.FormatInt(int64(i/2), 8))
		if i%2 == 0 { // begins a word
			piece = "▁" + piece
		}
		vocabulary = append(vocabulary, [2]any{piece, -math.Log(float64(i + 2))})
	}
	text, err := json.Marshal(vocabulary)
	if err != nil {
		return nil, fmt.Errorf("make a tokenizer up: %w", err)
	}
	return fmt.Appendf(nil, `{"added_tokens": [{"id": 0, "content": "<s>", "special": true}, {"id": 2, "content": "</s>", "special": true}],
"normalizer": null,
"pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "add_prefix_space": true},
"post_processor": %s,
"model": {"type": "Unigram", "unk_id": 3, "vocab": %s}}`, pairTemplate, text), nil
}

// pairTemplate is <s> A </s></s> B </s>.
const pairTemplate = `{"type": "TemplateProcessing",
"single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
"pair": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
 {"SpecialToken": {"id": "</s>", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}},
 {"Sequence": {"id": "B", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
"special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]}, "</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]}}}`

// Words of a language come about as often as 1/rank (Zipf); the generator
// wants an exponent above 1.
const (
	zipfExponent = 1.1
	zipfOffset   = 4
)

// seededQueries are queries of n candidates of so many tokens each. Tokens are
// drawn as often as words of a text are, which decides what a cache of
// embedding rows is worth; they mean nothing.
func seededQueries(seed uint64, queries, n, tokens, vocabulary int) []query {
	rng := rand.New(rand.NewPCG(seed, 1))
	words := rand.NewZipf(rng, zipfExponent, zipfOffset, uint64(vocabulary-len(specials)-1))
	list := make([]query, queries)
	for i := range list {
		for range n {
			ids := make([]int32, tokens)
			for j := range ids {
				ids[j] = int32(len(specials)) + int32(words.Uint64())
			}
			list[i].pairs = append(list[i].pairs, transformer.Pair{IDs: ids})
		}
	}
	return list
}
