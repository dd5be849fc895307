package tokenizer

import (
	"encoding/json"
	"fmt"
)

// definition is what the package reads of a tokenizer.json.
type definition struct {
	AddedTokens   []addedToken    `json:"added_tokens"`
	Normalizer    json.RawMessage `json:"normalizer"`
	PreTokenizer  json.RawMessage `json:"pre_tokenizer"`
	PostProcessor json.RawMessage `json:"post_processor"`
	Model         json.RawMessage `json:"model"`
}

// normalizer holds the switches of a BertNormalizer.
type normalizer struct {
	CleanText          bool  `json:"clean_text"`
	HandleChineseChars bool  `json:"handle_chinese_chars"`
	StripAccents       *bool `json:"strip_accents"` // null: as Lowercase
	Lowercase          bool  `json:"lowercase"`
}

func (n normalizer) stripsAccents() bool {
	if n.StripAccents != nil {
		return *n.StripAccents
	}
	return n.Lowercase
}

// wordPiece is the model section of that kind.
type wordPiece struct {
	Unknown      string           `json:"unk_token"`
	Continuation string           `json:"continuing_subword_prefix"`
	MaxChars     int              `json:"max_input_chars_per_word"`
	Vocabulary   map[string]int32 `json:"vocab"`
}

// component decodes a section into v once its type is what the package knows.
func component(section string, raw json.RawMessage, want string, v any) error {
	kind, err := componentType(section, raw)
	if err != nil {
		return err
	}
	if kind != want {
		return fmt.Errorf("%s %s is not supported with model WordPiece; supported: %s", section, kind, want)
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return fmt.Errorf("%s: %w", section, err)
	}
	return nil
}

// componentType names the type of a section; "null" where there is none.
func componentType(section string, raw json.RawMessage) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "null", nil
	}
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return "", fmt.Errorf("%s: %w", section, err)
	}
	return head.Type, nil
}

// FromJSON reads a Hugging Face tokenizer.json. Components of a kind that the
// package does not know are refused by name. It takes a moment (a tenth of a
// second, half of one for 128,000 tokens): import once, keep AppendCompact, and
// read that.
func FromJSON(data []byte) (*Tokenizer, error) {
	t, err := fromJSON(data)
	if err != nil {
		return nil, fmt.Errorf("read tokenizer.json: %w", err)
	}
	return t, nil
}

func fromJSON(data []byte) (*Tokenizer, error) {
	var d definition
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, err
	}
	kind, err := componentType("model", d.Model)
	if err != nil {
		return nil, err
	}
	switch kind {
	case "WordPiece":
		return d.wordPiece()
	case "BPE", "Unigram":
		return d.pipelined(kind)
	}
	return nil, fmt.Errorf("model %s is not supported; supported: WordPiece, BPE, Unigram", kind)
}

// wordPiece makes the tokenizer of a BERT model.
func (d *definition) wordPiece() (*Tokenizer, error) {
	var model wordPiece
	if err := component("model", d.Model, "WordPiece", &model); err != nil {
		return nil, err
	}
	var norm normalizer
	if err := component("normalizer", d.Normalizer, "BertNormalizer", &norm); err != nil {
		return nil, err
	}
	if err := component("pre_tokenizer", d.PreTokenizer, "BertPreTokenizer", &struct{}{}); err != nil {
		return nil, err
	}
	single, pair, err := readTemplates(d.PostProcessor)
	if err != nil {
		return nil, err
	}
	if single == nil { // as static models have it
		single, pair = bareTemplates()
	}
	for i := range d.AddedTokens {
		d.AddedTokens[i].Special = false // all are; the compact form never said so
	}
	unknown, ok := model.Vocabulary[model.Unknown]
	if !ok {
		return nil, fmt.Errorf("the unknown token %q is not in the vocabulary", model.Unknown)
	}
	tokens, err := tokenList(model.Vocabulary, d.AddedTokens)
	if err != nil {
		return nil, err
	}
	t := &Tokenizer{
		settings: settings{
			Unknown:      unknown,
			MaxChars:     model.MaxChars,
			Continuation: model.Continuation,
			Added:        d.AddedTokens,
			Single:       single,
			Pair:         pair,
		},
		words: newVocabulary(tokens),
	}
	if err := t.checkSettings(); err != nil {
		return nil, err
	}
	t.trie = newTrie(entries(model.Vocabulary))
	t.chars = newCharacters(norm)
	return t, t.prepare()
}

// tokenList orders a vocabulary and the added tokens by id; free ids are "".
func tokenList(vocabulary map[string]int32, added []addedToken) ([]string, error) {
	size := int32(0)
	for token, id := range vocabulary {
		if id < 0 || id >= maxVocabulary || token == "" {
			return nil, fmt.Errorf("token %q has id %d", token, id)
		}
		size = max(size, id+1)
	}
	for _, a := range added {
		if a.ID < 0 || a.ID >= maxVocabulary {
			return nil, fmt.Errorf("added token %q has id %d", a.Content, a.ID)
		}
		size = max(size, a.ID+1)
	}
	tokens := make([]string, size)
	for token, id := range vocabulary {
		if tokens[id] != "" {
			return nil, fmt.Errorf("tokens %q and %q share id %d", tokens[id], token, id)
		}
		tokens[id] = token
	}
	for _, a := range added {
		if tokens[a.ID] != "" && tokens[a.ID] != a.Content {
			return nil, fmt.Errorf("added token %q has the id of %q", a.Content, tokens[a.ID])
		}
		tokens[a.ID] = a.Content
	}
	return tokens, nil
}

// entries lists a vocabulary for a trie.
func entries(vocabulary map[string]int32) []entry {
	list := make([]entry, 0, len(vocabulary))
	for token, id := range vocabulary {
		list = append(list, entry{token, id})
	}
	return list
}
