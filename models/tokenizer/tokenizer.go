package tokenizer

import (
	"errors"
	"fmt"
)

// Tokenizer is a WordPiece tokenizer with the normalisation, the vocabulary
// and the special tokens of one model. It is immutable and safe for concurrent
// use.
type Tokenizer struct {
	settings settings
	chars    characters
	trie     trie
	offsets  []uint32 // token id lies at text[offsets[id]:offsets[id+1]]
	text     []byte

	// Derived by prepare.
	continued int32 // trie state after the continuation prefix
	added     matcher
}

// settings are the parts of a tokenizer that are small.
type settings struct {
	Unknown      int32          `json:"unknown"`
	MaxChars     int            `json:"max_chars"` // a longer word is unknown
	Continuation string         `json:"continuation"`
	Added        []addedToken   `json:"added"`
	Single       []templateItem `json:"single"`
	Pair         []templateItem `json:"pair"`
}

// maxWordChars bounds settings.MaxChars, and so the buffer of a word.
const maxWordChars = 256

// prepare checks everything that later code relies on, and derives the rest.
func (t *Tokenizer) prepare() error {
	if err := errors.Join(t.checkTokens(), t.chars.check()); err != nil {
		return err
	}
	if err := errors.Join(t.trie.check(t.Size()), t.checkSettings()); err != nil {
		return err
	}
	t.continued = t.trie.walk(0, t.settings.Continuation)
	t.added = newMatcher(t.settings.Added)
	return nil
}

// checkSettings verifies that limits are sane and that every id exists.
func (t *Tokenizer) checkSettings() error {
	s := &t.settings
	if s.MaxChars < 1 || s.MaxChars > maxWordChars {
		return fmt.Errorf("max_input_chars_per_word is %d, not between 1 and %d", s.MaxChars, maxWordChars)
	}
	for _, a := range s.Added {
		if a.Normalized {
			return fmt.Errorf("added token %q is matched in normalised text, which is not supported", a.Content)
		}
		if a.Content == "" || !t.has(a.ID) {
			return fmt.Errorf("added token %q has no valid id", a.Content)
		}
	}
	for _, item := range append(s.Single[:len(s.Single):len(s.Single)], s.Pair...) {
		if item.Text < 0 || item.Text > 2 || item.Text == 0 && !t.has(item.ID) {
			return errors.New("a template names a token that is not in the vocabulary")
		}
	}
	if !t.has(s.Unknown) {
		return errors.New("the unknown token is not in the vocabulary")
	}
	return nil
}

func (t *Tokenizer) checkTokens() error {
	for i := 1; i < len(t.offsets); i++ {
		if t.offsets[i] < t.offsets[i-1] {
			return fmt.Errorf("token %d ends before it starts", i-1)
		}
	}
	if len(t.offsets) < 2 || int(t.offsets[len(t.offsets)-1]) > len(t.text) {
		return errors.New("the vocabulary is cut short")
	}
	return nil
}

func (t *Tokenizer) has(id int32) bool { return id >= 0 && int(id) < t.Size() }

// Size is one more than the largest id.
func (t *Tokenizer) Size() int { return len(t.offsets) - 1 }

// Token returns the text of a vocabulary entry, "" for an id that has none.
func (t *Tokenizer) Token(id int32) string {
	if !t.has(id) {
		return ""
	}
	return string(t.text[t.offsets[id]:t.offsets[id+1]])
}

// ID finds a vocabulary entry by its text.
func (t *Tokenizer) ID(token string) (int32, bool) {
	for _, a := range t.settings.Added {
		if a.Content == token {
			return a.ID, true
		}
	}
	s := t.trie.walk(0, token)
	if s == deadState || t.trie.values[s] == noToken {
		return 0, false
	}
	return t.trie.values[s], true
}

// Span is a half-open range of bytes of the text that was encoded.
type Span struct{ Start, End int }

// Encode returns the ids of text, without special tokens around them.
func (t *Tokenizer) Encode(text string) []int32 {
	return t.Append(make([]int32, 0, len(text)/4+1), text)
}

// Append appends the ids of text to dst.
func (t *Tokenizer) Append(dst []int32, text string) []int32 {
	return t.appendUpTo(dst, text, noLimit)
}

// appendUpTo appends at most limit ids, and stops reading text once it has them.
func (t *Tokenizer) appendUpTo(dst []int32, text string, limit int) []int32 {
	e := encoder{t: t, ids: dst, marksEnd: -1, limit: noLimit}
	if limit < noLimit-len(dst) {
		e.limit = len(dst) + limit
	}
	e.encode(text)
	return e.ids[:min(len(e.ids), e.limit)]
}

// Count returns len(t.Encode(text)) without allocating.
func (t *Tokenizer) Count(text string) int {
	e := encoder{t: t, counting: true, marksEnd: -1, limit: noLimit}
	e.encode(text)
	return e.count
}

// EncodeSpans returns the ids of text and, for each, the bytes of text that it
// came from. Several ids may share a span (the letters of a Hangul syllable).
// Bytes between spans are white space and characters that normalisation drops.
func (t *Tokenizer) EncodeSpans(text string) ([]int32, []Span) {
	e := encoder{t: t, marksEnd: -1, limit: noLimit, sources: make([]Span, 0, 64)}
	e.ids = make([]int32, 0, len(text)/4+1)
	e.spans = make([]Span, 0, len(text)/4+1)
	e.encode(text)
	return e.ids, e.spans
}

// EncodeDocument returns the ids of text with the special tokens of a single
// text ([CLS] text [SEP]), at most maxTokens in all: the end of the text is cut
// off. maxTokens <= 0 means no limit.
func (t *Tokenizer) EncodeDocument(text string, maxTokens int) []int32 {
	budget := noLimit
	if maxTokens > 0 {
		budget = max(0, maxTokens-t.Overhead())
	}
	ids := make([]int32, 0, min(len(text)/3, budget)+t.Overhead())
	for _, item := range t.settings.Single {
		if item.Text == 1 {
			ids = t.appendUpTo(ids, text, budget)
		} else {
			ids = append(ids, item.ID)
		}
	}
	return ids
}

// EncodePair returns the ids of two texts with the special tokens of a pair
// ([CLS] a [SEP] b [SEP]) and the segment of each id, at most maxTokens in all:
// the end of the longer text is cut off first. maxTokens <= 0 means no limit.
func (t *Tokenizer) EncodePair(a, b string, maxTokens int) (ids []int32, types []uint8) {
	budget := noLimit
	if maxTokens > 0 {
		budget = max(0, maxTokens-overhead(t.settings.Pair))
	}
	// Both in full, since the cut depends on how long they would be.
	texts := [2][]int32{t.Encode(a), t.Encode(b)}
	n1, n2 := splitBudget(len(texts[0]), len(texts[1]), budget)
	texts[0], texts[1] = texts[0][:n1], texts[1][:n2]
	for _, item := range t.settings.Pair {
		if item.Text == 0 {
			ids = append(ids, item.ID)
		} else {
			ids = append(ids, texts[item.Text-1]...)
		}
		for len(types) < len(ids) {
			types = append(types, item.Type)
		}
	}
	return ids, types
}

// Overhead is the number of special tokens that EncodeDocument adds.
func (t *Tokenizer) Overhead() int { return overhead(t.settings.Single) }
