package tokenizer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dowse/models/tokenizer/internal/split"
)

// Parts is a tokenizer as a GGUF file describes it in its metadata
// (tokenizer.ggml.*).
type Parts struct {
	Model  string      // "gpt2" (byte-level BPE) or "llama" (SentencePiece BPE)
	Pre    string      // of gpt2: "gpt-2", "smollm", "qwen2" or "llama-bpe"
	Tokens []string    // the index is the id
	Types  []TokenType // of each token; nil: all normal
	Scores []float32   // of llama: which merges come first
	Merges []string    // of gpt2: "left right", the first merges first

	Unknown, BOS, EOS int32 // NoToken if absent
	AddBOS, AddEOS    bool  // whether a document starts and ends with them
	AddSpacePrefix    bool  // of llama: a space is put before a text
}

// NoToken is the id of a token that does not exist.
const NoToken = noToken

// TokenType is the kind of a vocabulary entry, as GGUF and SentencePiece number
// them.
type TokenType int32

// The kinds of vocabulary entry.
const (
	tokenNormal      TokenType = 1
	tokenUnknown     TokenType = 2
	tokenControl     TokenType = 3 // steers the model, is no part of a text
	tokenUserDefined TokenType = 4 // is found in the text before anything else
	tokenUnused      TokenType = 5
	tokenByte        TokenType = 6
)

// FromParts makes a tokenizer of what a GGUF file says. Models and
// pre-tokenizers that the package does not know are refused by name.
func FromParts(p Parts) (*Tokenizer, error) {
	t, err := fromParts(p)
	if err != nil {
		return nil, fmt.Errorf("read the tokenizer's parts: %w", err)
	}
	return t, nil
}

func fromParts(p Parts) (*Tokenizer, error) {
	if len(p.Tokens) == 0 || len(p.Tokens) > maxVocabulary || p.Types != nil && len(p.Types) != len(p.Tokens) {
		return nil, fmt.Errorf("%d tokens and %d token types", len(p.Tokens), len(p.Types))
	}
	t := &Tokenizer{settings: settings{Unknown: noToken, Added: p.added(), Pipeline: &pipeline{Model: modelBPE}}}
	t.settings.Single, t.settings.Pair = p.templates()
	vocabulary := make(map[string]int32, len(p.Tokens))
	for id, token := range p.Tokens {
		if _, twice := vocabulary[token]; !twice && p.merges(id) {
			vocabulary[token] = int32(id)
		}
	}
	var rules []merge
	var err error
	switch p.Model {
	case "gpt2":
		rules, err = p.byteLevel(t.settings.Pipeline, vocabulary)
	case "llama":
		t.settings.Unknown = p.Unknown
		rules, err = p.sentencePiece(t.settings.Pipeline, vocabulary)
	default:
		err = fmt.Errorf("tokenizer model %q is not supported; supported: gpt2, llama", p.Model)
	}
	if err != nil {
		return nil, err
	}
	return t, t.setBPE(slices.Clone(p.Tokens), func(id int32) bool { return p.merges(int(id)) }, rules)
}

// kind returns the type of a token.
func (p *Parts) kind(id int) TokenType {
	if p.Types == nil {
		return tokenNormal
	}
	return p.Types[id]
}

// merges reports whether merging may lead to a token.
func (p *Parts) merges(id int) bool {
	switch p.kind(id) {
	case tokenUnknown, tokenControl, tokenUserDefined:
		return false
	}
	return true
}

// added lists the tokens found before all others.
func (p *Parts) added() []addedToken {
	var added []addedToken
	for id, token := range p.Tokens {
		if kind := p.kind(id); kind == tokenControl || kind == tokenUserDefined || kind == tokenUnknown {
			added = append(added, addedToken{ID: int32(id), Content: token, Special: kind != tokenUserDefined})
		}
	}
	return added
}

// templates puts BOS and EOS around each text.
func (p *Parts) templates() (single, pair []templateItem) {
	for text := 1; text <= 2; text++ {
		segment := uint8(text - 1)
		if p.AddBOS {
			pair = append(pair, templateItem{ID: p.BOS, Type: segment})
		}
		pair = append(pair, templateItem{Text: text, Type: segment})
		if p.AddEOS {
			pair = append(pair, templateItem{ID: p.EOS, Type: segment})
		}
	}
	return pair[: len(pair)/2 : len(pair)/2], pair
}

// byteLevel sets up a byte-level BPE model and reads its merges.
func (p *Parts) byteLevel(to *pipeline, vocabulary map[string]int32) ([]merge, error) {
	to.BPE = &bpeSettings{ByteLevel: true}
	switch p.Pre {
	case "gpt-2":
		to.Pattern = split.GPT2
	case "smollm":
		to.Digits, to.Pattern = true, split.GPT2
	case "qwen2":
		to.Normalize, to.Pattern = []step{{Kind: stepCompose}}, split.Qwen2
	case "llama-bpe":
		to.Pattern, to.BPE.IgnoreMerges = split.Llama3, true
	default:
		return nil, fmt.Errorf("pre-tokenizer %q is not supported; supported: gpt-2, smollm, qwen2, llama-bpe", p.Pre)
	}
	rules := make([]merge, 0, len(p.Merges))
	for rank, line := range p.Merges {
		left, right, _ := strings.Cut(line, " ")
		id1, ok1 := vocabulary[left]
		id2, ok2 := vocabulary[right]
		merged, ok3 := vocabulary[left+right]
		if !ok1 || !ok2 || !ok3 {
			return nil, fmt.Errorf("the merge %q needs a token that is not in the vocabulary", line)
		}
		rules = append(rules, merge{id1, id2, merged, uint32(rank)})
	}
	return rules, nil
}

// sentencePiece sets up a SentencePiece BPE model. Its merges are not listed:
// any two tokens merge that together are a third, those with the highest score
// first.
func (p *Parts) sentencePiece(to *pipeline, vocabulary map[string]int32) ([]merge, error) {
	if len(p.Scores) != len(p.Tokens) {
		return nil, fmt.Errorf("%d scores for %d tokens", len(p.Scores), len(p.Tokens))
	}
	to.BPE = &bpeSettings{ByteFallback: true, FuseUnknown: true}
	if p.AddSpacePrefix {
		to.Normalize = append(to.Normalize, step{Kind: stepPrepend, To: spaceMark})
	}
	to.Normalize = append(to.Normalize, step{Kind: stepReplace, From: " ", To: spaceMark})
	var rules []merge
	for id, token := range p.Tokens {
		if p.kind(id) != tokenNormal {
			continue
		}
		for at := range token {
			left, ok1 := vocabulary[token[:at]]
			right, ok2 := vocabulary[token[at:]]
			if at > 0 && ok1 && ok2 && p.kind(int(left)) != tokenByte && p.kind(int(right)) != tokenByte {
				rules = append(rules, merge{left: left, right: right, merged: int32(id)})
			}
		}
	}
	slices.SortStableFunc(rules, func(a, b merge) int { return cmp.Compare(p.Scores[b.merged], p.Scores[a.merged]) })
	for i := range rules {
		rules[i].rank = uint32(i)
		if i > 0 && p.Scores[rules[i].merged] == p.Scores[rules[i-1].merged] {
			rules[i].rank = rules[i-1].rank
		}
	}
	return rules, nil
}
