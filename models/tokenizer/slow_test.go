package tokenizer

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

var bertNormalizer = normalizer{CleanText: true, HandleChineseChars: true, Lowercase: true}

// slowWords is the obvious twin of the encoder's first half: one pass over the
// string for every step of normalisation, then for every way to split.
func slowWords(n normalizer, text string) []string {
	runes := []rune(text)
	if n.CleanText {
		runes = slices.DeleteFunc(runes, isControl)
		for i, r := range runes {
			if isSpace(r) {
				runes[i] = ' '
			}
		}
	}
	if n.HandleChineseChars {
		runes = flatMap(runes, func(r rune) []rune {
			if isIdeograph(r) {
				return []rune{' ', r, ' '}
			}
			return []rune{r}
		})
	}
	if n.stripsAccents() {
		runes = slices.DeleteFunc(slowNFD(runes), isAccent)
	}
	runes = flatMap(runes, func(r rune) []rune { return lower(n, r) })
	var words []string
	for _, field := range strings.FieldsFunc(string(runes), isSpace) {
		words = append(words, splitPunctuation(field)...)
	}
	return words
}

func flatMap(in []rune, f func(rune) []rune) (out []rune) {
	for _, r := range in {
		out = append(out, f(r)...)
	}
	return out
}

// slowNFD leaves alone what the reference does not know how to decompose.
func slowNFD(runes []rune) (out []rune) {
	start := 0
	for i, r := range runes {
		if newDecompositions.Contains(r) {
			out = append(append(out, []rune(norm.NFD.String(string(runes[start:i])))...), r)
			start = i + 1
		}
	}
	return append(out, []rune(norm.NFD.String(string(runes[start:])))...)
}

func splitPunctuation(field string) (words []string) {
	start := 0
	for i, r := range field {
		if isPunctuation(r) {
			if i > start {
				words = append(words, field[start:i])
			}
			start = i + utf8.RuneLen(r)
			words = append(words, field[i:start])
		}
	}
	if start < len(field) {
		words = append(words, field[start:])
	}
	return words
}

// slowEncode is the obvious twin of Encode: a map, and substrings tried from
// the longest.
func slowEncode(t *Tokenizer, vocabulary map[string]int32, n normalizer, text string) []int32 {
	var ids []int32
	for at := 0; at < len(text); {
		start, end, id := t.added.raw.next(text, at)
		for _, word := range slowWords(n, text[at:start]) {
			ids = append(ids, slowCover(t, vocabulary, word)...)
		}
		if id != noToken {
			ids = append(ids, id)
		}
		at = end
	}
	return ids
}

func slowCover(t *Tokenizer, vocabulary map[string]int32, word string) (ids []int32) {
	if utf8.RuneCountInString(word) > t.settings.MaxChars {
		return []int32{t.settings.Unknown}
	}
	for start := 0; start < len(word); {
		end := len(word)
		for ; end > start; end-- {
			key := word[start:end]
			if start > 0 {
				key = t.settings.Continuation + key
			}
			if id, ok := vocabulary[key]; ok {
				ids = append(ids, id)
				break
			}
		}
		if end == start {
			return []int32{t.settings.Unknown}
		}
		start = end
	}
	return ids
}

func vocabularyOf(t *Tokenizer) map[string]int32 {
	vocabulary := map[string]int32{}
	for id := range int32(t.Size()) {
		if token := t.Token(id); token != "" {
			vocabulary[token] = id
		}
	}
	return vocabulary
}

func FuzzEncodeAgainstSlowTwin(f *testing.F) {
	for _, s := range []string{
		"", "unaffable a.b", "[CLS] a [MASK] b[W] [W]", "una\u0301ff\xffable", "中a\u00adb", "한글 ㅎ", "a\u302e\u1b44\u0300",
		"q\u0323\u0307\u034f\u302e\u1d165", "İI", strings.Repeat("a", 20),
	} {
		f.Add(s)
	}
	tiny := small(f)
	f.Fuzz(func(t *testing.T, text string) {
		compareWithSlow(t, tiny, text)
	})
}

func compareWithSlow(t *testing.T, tok *Tokenizer, text string) {
	t.Helper()
	want := slowEncode(tok, vocabularyOf(tok), bertNormalizer, text)
	ids, spans := tok.EncodeSpans(text)
	if !slices.Equal(ids, want) {
		t.Errorf("Encode(%+q)\n got %v\nslow %v", text, ids, want)
	}
	if n := tok.Count(text); n != len(want) {
		t.Errorf("Count(%+q) = %d, want %d", text, n, len(want))
	}
	end := 0
	for i, s := range spans {
		if s.Start < 0 || s.End <= s.Start || s.End > len(text) || s.End < end {
			t.Errorf("span %d of %+q is %v after %d", i, text, s, end)
		}
		end = s.End
	}
	for limit := range len(want) + 2 {
		if got := tok.appendUpTo(nil, text, limit); !slices.Equal(got, want[:min(limit, len(want))]) {
			t.Errorf("the first %d ids of %+q are %v, want a prefix of %v", limit, text, got, want)
		}
	}
}

// tableWords splits text by the compiled table, marks unordered.
func tableWords(c *characters, text string) []string {
	var words []string
	word := ""
	flush := func() {
		if word != "" {
			words = append(words, word)
		}
		word = ""
	}
	alone := func(r rune) { flush(); word = string(r); flush() }
	for _, r := range text {
		action := c.lookup(r)
		payload := rune(action >> actionBits)
		switch action & actionMask {
		case actionKeep:
			word += string(r)
		case actionMap:
			word += string(payload)
		case actionSpace:
			flush()
		case actionAlone:
			alone(r)
		case actionMapAlone:
			alone(payload)
		case actionHangul:
			word += norm.NFD.String(string(r))
		case actionSequence:
			for _, item := range c.sequences[payload+1:][:c.sequences[payload]] {
				if item&itemAlone != 0 {
					alone(rune(item & itemRune))
				} else {
					word += string(rune(item & itemRune))
				}
			}
		}
	}
	flush()
	return words
}

// For every code point and every setting, the compiled table agrees with the
// steps applied one after the other.
func TestCharacterTableAgainstSlowTwin(t *testing.T) {
	no := false
	for _, n := range []normalizer{
		bertNormalizer, {}, {Lowercase: true, StripAccents: &no, CleanText: true}, {HandleChineseChars: true, CleanText: true},
	} {
		c := newCharacters(n)
		for r := range rune(utf8.MaxRune + 1) {
			if !utf8.ValidRune(r) || r > emptyFirst+0x100 && r < emptyLast-0x100 {
				continue
			}
			text := "a" + string(r) + "b"
			if got, want := tableWords(&c, text), slowWords(n, text); !slices.Equal(got, want) {
				t.Fatalf("%+v: %U becomes %+q, want %+q", n, r, got, want)
			}
		}
	}
}
