package generate_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"dowse/engine/generate"
	"dowse/models/tokenizer"
)

// byteTokenizer has a token for each byte, whose id it is.
func byteTokenizer(t testing.TB) *tokenizer.Tokenizer {
	t.Helper()
	words, next := map[string]int{}, rune(256)
	for b := range rune(256) { // as GPT-2 writes bytes
		if b > ' ' && b < 0x7f || b > 0xa0 && b != 0xad {
			words[string(b)] = int(b)
			continue
		}
		words[string(next)] = int(b)
		next++
	}
	data, err := json.Marshal(map[string]any{
		"pre_tokenizer": map[string]any{"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
		"decoder":       map[string]any{"type": "ByteLevel"},
		"model":         map[string]any{"type": "BPE", "vocab": words, "merges": []string{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	tok, err := tokenizer.FromJSON(data)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// streamed is what a run emits for a text whose bytes are tokens.
func streamed(t testing.TB, tok *tokenizer.Tokenizer, text string) string {
	t.Helper()
	var all strings.Builder
	err := generate.Stream(tok, []byte(text), func(part string) error {
		if part == "" || !utf8.ValidString(part) {
			t.Errorf("%q: a part of it is %q", text, part)
		}
		all.WriteString(part)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return all.String()
}

// Characters that several tokens spell are emitted whole, bytes that are none as
// U+FFFD, and one that never ends not at all.
func TestWholeCharactersAreEmitted(t *testing.T) {
	tok := byteTokenizer(t)
	for text, want := range map[string]string{
		"héllo 你好 🎉!":        "héllo 你好 🎉!",
		"a\xffb\xc3":         "a\uFFFDb",
		"\xf0\x9f\x8e":       "",
		"a\xf0\x9f\x8ebc":    "a\uFFFDbc",
		"ab\u200d\U0001F469": "ab\u200d\U0001F469",
	} {
		if got := streamed(t, tok, text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzStream(f *testing.F) {
	f.Add("héllo 你好 🎉!")
	f.Add("a\xf0\x9f\x8eb")
	tok := byteTokenizer(f)
	f.Fuzz(func(t *testing.T, text string) {
		if got := streamed(t, tok, text); utf8.ValidString(text) && got != text {
			t.Errorf("%q: %q", text, got)
		}
	})
}
