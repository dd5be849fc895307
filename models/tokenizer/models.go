package tokenizer

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// bpeJSON is the model section of a BPE tokenizer.
type bpeJSON struct {
	Dropout      float64          `json:"dropout"`
	Unknown      string           `json:"unk_token"`
	Continuation string           `json:"continuing_subword_prefix"`
	EndOfWord    string           `json:"end_of_word_suffix"`
	FuseUnknown  bool             `json:"fuse_unk"`
	ByteFallback bool             `json:"byte_fallback"`
	IgnoreMerges bool             `json:"ignore_merges"`
	Vocabulary   map[string]int32 `json:"vocab"`
	Merges       []mergeJSON      `json:"merges"`
}

// mergeJSON is a rule as "a b" or as ["a", "b"].
type mergeJSON [2]string

func (m *mergeJSON) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '[' {
		return json.Unmarshal(data, (*[2]string)(m))
	}
	var line string
	if err := json.Unmarshal(data, &line); err != nil {
		return err
	}
	left, right, ok := strings.Cut(line, " ")
	if !ok || strings.Contains(right, " ") {
		return fmt.Errorf("the merge %q is not two tokens", line)
	}
	m[0], m[1] = left, right
	return nil
}

// unigramJSON is the model section of a Unigram tokenizer.
type unigramJSON struct {
	Unknown      *int32      `json:"unk_id"`
	ByteFallback bool        `json:"byte_fallback"`
	Vocabulary   []pieceJSON `json:"vocab"`
}

// pieceJSON is ["text", score].
type pieceJSON struct {
	text  string
	score float64
}

func (p *pieceJSON) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&p.text, &p.score})
}

// pipelined makes the tokenizer of a BPE or Unigram model.
func (d *definition) pipelined(kind string) (*Tokenizer, error) {
	var p pipeline
	steps, charsmap, err := normalizers(d.Normalizer, kind)
	if err != nil {
		return nil, err
	}
	p.Normalize = steps
	byteLevel, err := p.preTokenizers(d.PreTokenizer)
	if err != nil {
		return nil, err
	}
	t := &Tokenizer{mapData: charsmap}
	t.settings = settings{Unknown: noToken, Added: d.AddedTokens, Pipeline: &p}
	if t.settings.Single, t.settings.Pair, err = readTemplates(d.PostProcessor); err != nil {
		return nil, err
	}
	if t.settings.Single == nil {
		t.settings.Single, t.settings.Pair = bareTemplates()
	}
	if kind == "BPE" {
		return t, t.readBPE(d.Model, byteLevel)
	}
	if byteLevel {
		return nil, fmt.Errorf("model Unigram is not supported with pre_tokenizer ByteLevel")
	}
	return t, t.readUnigram(d.Model)
}

func (t *Tokenizer) readBPE(raw json.RawMessage, byteLevel bool) error {
	var m bpeJSON
	if err := json.Unmarshal(raw, &m); err != nil {
		return fmt.Errorf("model: %w", err)
	}
	if m.Dropout != 0 || m.Continuation != "" || m.EndOfWord != "" {
		return fmt.Errorf("model BPE is not supported with dropout, continuing_subword_prefix or end_of_word_suffix")
	}
	if m.Unknown != "" {
		id, ok := m.Vocabulary[m.Unknown]
		if !ok {
			return fmt.Errorf("the unknown token %q is not in the vocabulary", m.Unknown)
		}
		t.settings.Unknown = id
	}
	tokens, err := tokenList(m.Vocabulary, t.settings.Added)
	if err != nil {
		return err
	}
	rules := make([]merge, 0, len(m.Merges))
	for rank, pair := range m.Merges {
		left, ok1 := m.Vocabulary[pair[0]]
		right, ok2 := m.Vocabulary[pair[1]]
		merged, ok3 := m.Vocabulary[pair[0]+pair[1]]
		if !ok1 || !ok2 || !ok3 {
			return fmt.Errorf("the merge of %q and %q needs a token that is not in the vocabulary", pair[0], pair[1])
		}
		rules = append(rules, merge{left, right, merged, uint32(rank)})
	}
	t.settings.Pipeline.Model = modelBPE
	t.settings.Pipeline.BPE = &bpeSettings{
		ByteLevel: byteLevel, ByteFallback: m.ByteFallback, FuseUnknown: m.FuseUnknown, IgnoreMerges: m.IgnoreMerges,
	}
	inModel := func(id int32) bool {
		_, ok := m.Vocabulary[tokens[id]]
		return ok
	}
	return t.setBPE(tokens, inModel, rules)
}

func (t *Tokenizer) readUnigram(raw json.RawMessage) error {
	var m unigramJSON
	if err := json.Unmarshal(raw, &m); err != nil {
		return fmt.Errorf("model: %w", err)
	}
	vocabulary := make(map[string]int32, len(m.Vocabulary))
	for id, piece := range m.Vocabulary {
		if _, twice := vocabulary[piece.text]; twice {
			return fmt.Errorf("token %q is in the vocabulary twice", piece.text)
		}
		vocabulary[piece.text] = int32(id)
	}
	tokens, err := tokenList(vocabulary, t.settings.Added)
	if err != nil {
		return err
	}
	if m.Unknown != nil {
		t.settings.Unknown = *m.Unknown
	}
	t.settings.Pipeline.Model = modelUnigram
	t.settings.Pipeline.Unigram = &unigramSettings{ByteFallback: m.ByteFallback}
	t.words = newVocabulary(tokens)
	for id := range tokens {
		score := 0.0
		if id < len(m.Vocabulary) {
			score = m.Vocabulary[id].score
		}
		bits := math.Float64bits(score)
		t.scores = append(t.scores, uint32(bits), uint32(bits>>32))
	}
	t.trie = newTrie(entries(vocabulary))
	return t.prepare()
}

// setBPE builds the tables of a BPE model. inModel tells the model's own tokens
// from added ones.
func (t *Tokenizer) setBPE(tokens []string, inModel func(id int32) bool, rules []merge) error {
	p := t.settings.Pipeline
	ids := make([]int32, 0, len(tokens))
	for id := range int32(len(tokens)) {
		if tokens[id] == "" || !inModel(id) {
			continue
		}
		if p.BPE.ByteLevel {
			text, ok := alphabetBytes(tokens[id])
			if !ok {
				continue // stands for no bytes: no text leads to it
			}
			tokens[id] = text
		}
		ids = append(ids, id)
	}
	t.words = newVocabulary(tokens)
	t.index = newIndex(&t.words, ids)
	t.merges = newMergeTable(rules)
	if !p.BPE.ByteLevel && p.Spaces == cutNowhere && t.cutsAtRuns(tokens, rules) {
		p.Spaces = cutRuns
	}
	return t.prepare()
}

// cutsAtRuns reports whether no merge joins a space mark to what stands before it.
func (t *Tokenizer) cutsAtRuns(tokens []string, rules []merge) bool {
	if t.index.find(&t.words, spaceMark) == noToken {
		return false
	}
	for _, r := range rules {
		text := strings.TrimLeft(tokens[r.merged], spaceMark)
		if !utf8.ValidString(text) || strings.Contains(text, spaceMark) {
			return false
		}
	}
	return true
}
