package tokenizer

import (
	"errors"
	"fmt"
	"sync"

	"dowse/models/tokenizer/internal/charsmap"
)

// Tokenizer turns text into the ids of one model and back. It is immutable and
// safe for concurrent use.
type Tokenizer struct {
	settings settings
	words    vocabulary
	trie     trie       // of WordPiece and Unigram
	chars    characters // of WordPiece
	index    index      // of BPE
	merges   mergeTable // of BPE
	scores   []uint32   // of Unigram, see unigram.scores
	charsmap *charsmap.Map
	mapData  []byte // of charsmap

	// Derived by prepare.
	continued  int32            // trie state after WordPiece's continuation prefix
	added      addedSet         // all added tokens
	plain      addedSet         // those that are not special
	specials   specialIDs       // special ones
	forms      tokenForms       // added tokens in normalised text
	normalized normalizedTokens // of WordPiece
	bpe        bpe
	unigram    unigram
	pool       sync.Pool // of *scratch
}

// settings are the parts of a tokenizer that are small.
type settings struct {
	Unknown      int32          `json:"unknown"`   // noToken if absent
	MaxChars     int            `json:"max_chars"` // WordPiece: a longer word is unknown
	Continuation string         `json:"continuation"`
	Added        []addedToken   `json:"added"`
	Single       []templateItem `json:"single"`
	Pair         []templateItem `json:"pair"`
	Pipeline     *pipeline      `json:"pipeline,omitempty"` // nil: WordPiece
}

// maxWordChars bounds settings.MaxChars, and so the buffer of a word.
const maxWordChars = 256

// prepare checks all that encoding relies on, and derives the rest.
func (t *Tokenizer) prepare() error {
	if err := t.words.check(); err != nil {
		return err
	}
	if err := t.checkSettings(); err != nil {
		return err
	}
	if t.settings.Pipeline != nil {
		return t.preparePipeline()
	}
	if err := errors.Join(t.chars.check(), t.trie.check(t.Size())); err != nil {
		return err
	}
	t.continued = t.trie.walk(0, t.settings.Continuation)
	// All of BERT's added tokens are special.
	t.added = addedSet{raw: newMatcher(rawTokens(t.settings.Added)), normalized: newMatcher(nil)}
	var err error
	if t.normalized, err = newNormalizedTokens(&t.chars, t.settings.Added); err != nil {
		return err
	}
	t.plain = addedSet{raw: newMatcher(nil), normalized: newMatcher(nil)}
	t.specials = newSpecialIDs(t.settings.Added)
	return nil
}

// preparePipeline prepares a BPE or Unigram model.
func (t *Tokenizer) preparePipeline() error {
	p := t.settings.Pipeline
	if p.Model == modelBPE {
		t.bpe = bpe{settings: *p.BPE, unknown: t.settings.Unknown, words: &t.words, index: t.index, merges: t.merges}
		if err := t.bpe.check(); err != nil {
			return err
		}
		t.bpe.prepare()
	} else {
		t.unigram = unigram{settings: *p.Unigram, unknown: t.settings.Unknown, trie: &t.trie, scores: t.scores}
		if err := errors.Join(t.trie.check(t.Size()), t.unigram.check(t.Size())); err != nil {
			return err
		}
		t.unigram.prepare()
	}
	if err := t.prepareCharsmap(); err != nil {
		return err
	}
	t.prepareAdded()
	t.unigram.specials = t.specials
	t.pool.New = t.newScratch
	return nil
}

// prepareCharsmap reads the character map, where there is one.
func (t *Tokenizer) prepareCharsmap() (err error) {
	for _, s := range t.settings.Pipeline.Normalize {
		if s.Kind == stepCharsmap {
			t.charsmap, err = charsmap.New(t.mapData)
			return err
		}
	}
	return nil
}

// prepareAdded sorts the added tokens by how they are looked for.
func (t *Tokenizer) prepareAdded() {
	var plain, special []addedToken
	for _, a := range t.settings.Added {
		if a.Special {
			special = append(special, a)
		} else {
			plain = append(plain, a)
		}
	}
	t.added, t.plain, t.specials = t.newAddedSet(t.settings.Added), t.newAddedSet(plain), newSpecialIDs(special)
	t.forms = tokenForms{}
	for _, a := range t.added.normalized.tokens {
		t.forms[a.ID] = []byte(a.Content)
	}
}

// newAddedSet makes the matchers of the given tokens.
func (t *Tokenizer) newAddedSet(tokens []addedToken) addedSet {
	var raw, normalized []addedToken
	for _, a := range tokens {
		if !a.Normalized {
			raw = append(raw, a)
		} else if a.Content = t.normalize(aligned{text: a.Content}).text; a.Content != "" {
			normalized = append(normalized, a)
		}
	}
	return addedSet{raw: newMatcher(raw), normalized: newMatcher(normalized)}
}

// addedSet returns the added tokens to find; literal excludes the special ones.
func (t *Tokenizer) addedSet(literal bool) *addedSet {
	if literal {
		return &t.plain
	}
	return &t.added
}

// checkSettings verifies that limits are sane and that every id exists.
func (t *Tokenizer) checkSettings() error {
	s := &t.settings
	for _, a := range s.Added {
		if a.Content == "" || !t.words.has(a.ID) {
			return fmt.Errorf("added token %q has no valid id", a.Content)
		}
	}
	for _, item := range append(s.Single[:len(s.Single):len(s.Single)], s.Pair...) {
		if item.Text < 0 || item.Text > 2 || item.Text == 0 && !t.words.has(item.ID) {
			return errors.New("a template names a token that is not in the vocabulary")
		}
	}
	if s.Pipeline != nil {
		if s.Unknown != noToken && !t.words.has(s.Unknown) {
			return errors.New("the unknown token is not in the vocabulary")
		}
		return s.Pipeline.check()
	}
	if s.MaxChars < 1 || s.MaxChars > maxWordChars {
		return fmt.Errorf("max_input_chars_per_word is %d, not between 1 and %d", s.MaxChars, maxWordChars)
	}
	if !t.words.has(s.Unknown) {
		return errors.New("the unknown token is not in the vocabulary")
	}
	return nil
}

// Size returns one more than the largest id.
func (t *Tokenizer) Size() int { return t.words.size() }

// Token returns the text of a vocabulary entry, "" for a free id: bytes for
// byte-level vocabularies, otherwise the entry as written ("##ing", "▁the").
func (t *Tokenizer) Token(id int32) string {
	if !t.words.has(id) {
		return ""
	}
	return string(t.words.bytes(id))
}

// ID finds a vocabulary entry by its text, as Token returns it; an added token
// wins over another entry with that text.
func (t *Tokenizer) ID(token string) (int32, bool) {
	for _, a := range t.settings.Added {
		if a.Content == token {
			return a.ID, true
		}
	}
	id := int32(noToken)
	if p := t.settings.Pipeline; p != nil && p.Model == modelBPE {
		id = t.index.find(&t.words, token)
	} else if s := t.trie.walk(0, token); s != deadState {
		id = t.trie.values[s]
	}
	return max(id, 0), id != noToken
}

// Unknown returns the unknown token, if there is one.
func (t *Tokenizer) Unknown() (id int32, ok bool) {
	return max(t.settings.Unknown, 0), t.settings.Unknown != noToken
}

// Span is a half-open range of bytes of the text that was encoded.
type Span struct{ Start, End int }

// Encode returns the ids of text without surrounding special tokens. Special
// tokens in the text count as such; use AppendLiteral for untrusted text.
func (t *Tokenizer) Encode(text string) []int32 {
	return t.Append(make([]int32, 0, len(text)/4+1), text)
}

// Append appends the ids of text to dst.
func (t *Tokenizer) Append(dst []int32, text string) []int32 {
	return t.appendUpTo(dst, text, noLimit)
}

// AppendLiteral appends the ids of text, reading special tokens in it as their
// characters. Prompts are made of special tokens by ID and text by
// AppendLiteral, so that no document can end its part.
func (t *Tokenizer) AppendLiteral(dst []int32, text string) []int32 {
	o := output{ids: dst, limit: noLimit, literal: true}
	t.encode(&o, text)
	return o.ids
}

// appendUpTo appends at most limit ids, and stops reading text once it has them.
func (t *Tokenizer) appendUpTo(dst []int32, text string, limit int) []int32 {
	o := output{ids: dst, limit: noLimit}
	if limit < noLimit-len(dst) {
		o.limit = len(dst) + limit
	}
	t.encode(&o, text)
	return o.ids[:min(len(o.ids), o.limit)]
}

// Count returns len(t.Encode(text)) without collecting the ids.
func (t *Tokenizer) Count(text string) int {
	o := output{counting: true, limit: noLimit}
	t.encode(&o, text)
	return o.count
}

// EncodeSpans returns ids and their bytes in text. Ids may share a span
// (letters of a Hangul syllable, bytes of an unknown character); a prepended
// space's is empty. White space and dropped characters lie between spans.
func (t *Tokenizer) EncodeSpans(text string) ([]int32, []Span) {
	o := output{limit: noLimit, tracking: true}
	o.ids = make([]int32, 0, len(text)/4+1)
	o.spans = make([]Span, 0, len(text)/4+1)
	t.encode(&o, text)
	return o.ids, o.spans
}
