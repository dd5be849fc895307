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

// tokenizerJSON is a tokenizer of the kind and the size that the shape has.
func (s Shape) tokenizerJSON() ([]byte, error) {
	if s.decoder() {
		return byteLevelJSON(s.Vocabulary)
	}
	return unigramJSON(s.Vocabulary)
}

// unigramJSON is a Unigram tokenizer of so many pieces that are made up. They
// are about as long as real ones, so that it takes as much memory as a real
// tokenizer.
func unigramJSON(size int) ([]byte, error) {
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

// controls are the tokens that stand in the prompt of Qwen3's rerankers.
var controls = []string{"<|im_start|>", "<|im_end|>", "<think>", "</think>"}

// byteLevelJSON is a byte-level BPE tokenizer of so many tokens: bytes, runs of
// letters that are made up, and the controls. The answers yes and no are tokens.
func byteLevelJSON(size int) ([]byte, error) {
	var b bytePairs
	b.vocabulary = map[string]int{}
	for i := range 256 {
		b.token(string(byteRune(i)))
	}
	most := size - len(controls)
	for _, m := range [][2]string{{"n", "o"}, {"y", "e"}, {"ye", "s"}} {
		b.merge(m[0], m[1], most)
	}
	const letters = "abcdefghijklmnopqrstuvwxyz"
	runs := strings.Split(letters, "")
	for len(b.vocabulary) < most { // the runs of one letter more
		var longer []string
		for _, run := range runs {
			for _, letter := range letters {
				b.merge(run, string(letter), most)
				longer = append(longer, run+string(letter))
			}
			if len(b.vocabulary) >= most {
				break
			}
		}
		runs = longer
	}
	var added []map[string]any
	for _, c := range controls {
		added = append(added, map[string]any{"id": b.token(c), "content": c, "special": true})
	}
	text, err := json.Marshal(map[string]any{
		"added_tokens":  added,
		"pre_tokenizer": map[string]any{"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
		"decoder":       map[string]any{"type": "ByteLevel"},
		"model":         map[string]any{"type": "BPE", "vocab": b.vocabulary, "merges": b.merges},
	})
	if err != nil {
		return nil, fmt.Errorf("make a tokenizer up: %w", err)
	}
	return text, nil
}

// bytePairs are tokens and how they come together.
type bytePairs struct {
	vocabulary map[string]int
	merges     []string
}

// token adds a token, if there is none of its text, and returns its id.
func (b *bytePairs) token(text string) int {
	id, known := b.vocabulary[text]
	if !known {
		id = len(b.vocabulary)
		b.vocabulary[text] = id
	}
	return id
}

// merge adds the token of two others as long as there are fewer than most.
func (b *bytePairs) merge(left, right string, most int) {
	if _, known := b.vocabulary[left+right]; known || len(b.vocabulary) >= most {
		return
	}
	b.token(left + right)
	b.merges = append(b.merges, left+" "+right)
}

// byteRune is the character that byte-level tokenizers write a byte as: itself
// where it is printable in Latin-1, and one from U+0100 on for the others, in
// their order (GPT-2).
func byteRune(b int) rune {
	printable := func(b int) bool { return b >= '!' && b <= '~' || b >= 0xa1 && b <= 0xac || b >= 0xae }
	if printable(b) {
		return rune(b)
	}
	place := 0
	for i := range b {
		if !printable(i) {
			place++
		}
	}
	return rune(0x100 + place)
}

// Words of a language come about as often as 1/rank (Zipf); the generator
// wants an exponent above 1.
const (
	zipfExponent = 1.1
	zipfOffset   = 4
)

// seededQueries are queries of n candidates of so many tokens each, the first of
// them, prefix in number, the same for all candidates of a query. Tokens are
// drawn as often as words of a text are, which decides what a cache of
// embedding rows is worth; they mean nothing.
func seededQueries(seed uint64, queries, n, tokens, prefix, vocabulary int) []query {
	rng := rand.New(rand.NewPCG(seed, 1))
	words := rand.NewZipf(rng, zipfExponent, zipfOffset, uint64(vocabulary-len(specials)-1))
	list := make([]query, queries)
	for i := range list {
		for range n {
			ids := make([]int32, tokens)
			for j := range ids {
				ids[j] = int32(len(specials)) + int32(words.Uint64())
			}
			if len(list[i].pairs) > 0 {
				copy(ids[:prefix], list[i].pairs[0].IDs)
			}
			list[i].pairs = append(list[i].pairs, transformer.Pair{IDs: ids})
		}
	}
	return list
}
