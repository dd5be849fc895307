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

// addedToken is an entry that is matched in the raw text, before anything else.
type addedToken struct {
	ID         int32  `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word,omitempty"` // not next to a letter, digit or underscore
	LStrip     bool   `json:"lstrip,omitempty"`      // takes the white space before it along
	RStrip     bool   `json:"rstrip,omitempty"`      // takes the white space after it along
	Normalized bool   `json:"normalized,omitempty"`
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

// wordPiece is the model section.
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
		return fmt.Errorf("%s %s is not supported; supported: %s", section, kind, want)
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
// package does not know are refused by name. It takes a moment (about a tenth
// of a second): import once, keep AppendCompact, and read that.
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
	t := &Tokenizer{settings: settings{
		MaxChars:     model.MaxChars,
		Continuation: model.Continuation,
		Added:        d.AddedTokens,
		Single:       single,
		Pair:         pair,
	}}
	unknown, ok := model.Vocabulary[model.Unknown]
	if !ok {
		return nil, fmt.Errorf("the unknown token %q is not in the vocabulary", model.Unknown)
	}
	t.settings.Unknown = unknown
	if err := t.setVocabulary(model.Vocabulary); err != nil {
		return nil, err
	}
	if err := t.checkSettings(); err != nil {
		return nil, err
	}
	t.chars = newCharacters(norm)
	return t, t.prepare()
}

// maxVocabulary bounds ids, so that damaged files cannot ask for huge tables.
const maxVocabulary = 1 << 21

// setVocabulary builds the trie and the list of tokens.
func (t *Tokenizer) setVocabulary(vocabulary map[string]int32) error {
	size := int32(0)
	for token, id := range vocabulary {
		if id < 0 || id >= maxVocabulary || token == "" {
			return fmt.Errorf("token %q has id %d", token, id)
		}
		size = max(size, id+1)
	}
	for _, a := range t.settings.Added {
		if a.ID < 0 || a.ID >= maxVocabulary {
			return fmt.Errorf("added token %q has id %d", a.Content, a.ID)
		}
		size = max(size, a.ID+1)
	}
	tokens := make([]string, size)
	entries := make([]entry, 0, len(vocabulary))
	for token, id := range vocabulary {
		if tokens[id] != "" {
			return fmt.Errorf("tokens %q and %q share id %d", tokens[id], token, id)
		}
		tokens[id] = token
		entries = append(entries, entry{token, id})
	}
	for _, a := range t.settings.Added {
		if tokens[a.ID] != "" && tokens[a.ID] != a.Content {
			return fmt.Errorf("added token %q has the id of %q", a.Content, tokens[a.ID])
		}
		tokens[a.ID] = a.Content
	}
	t.offsets = append(t.offsets, 0)
	for _, token := range tokens {
		t.text = append(t.text, token...)
		t.offsets = append(t.offsets, uint32(len(t.text)))
	}
	t.trie = newTrie(entries)
	return nil
}
