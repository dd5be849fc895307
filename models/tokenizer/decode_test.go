package tokenizer

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever the ids are, the parts of a decoder make up what Decode returns, and
// no part ends inside a character that a later one completes.
func TestDecoderAgainstDecode(t *testing.T) {
	const seed = 5
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, name := range []string{"smollm", "llama2", "xlm-roberta", "unigram-bytes"} {
		tok := family(t, name)
		for range 500 {
			ids := tok.Encode("żółw 한국 🦙 " + strings.Repeat("x", rng.IntN(3)))
			for range rng.IntN(4) {
				ids[rng.IntN(len(ids))] = rng.Int32N(int32(tok.Size()) + 1)
			}
			d := tok.NewDecoder()
			text, want := "", tok.Decode(ids)
			for _, id := range ids {
				part := d.Next(id)
				if text += part; utf8.ValidString(want) && !utf8.ValidString(part) {
					t.Fatalf("%s: %q of %q ends inside a character", name, part, want)
				}
			}
			if text += d.Flush(); text != want {
				t.Fatalf("%s: %v is decoded to %q in parts, %q in one", name, ids, text, want)
			}
		}
	}
}

func TestDecodeLeavesSpecialTokensOut(t *testing.T) {
	for name, text := range map[string]string{
		"smollm": "<|im_start|>user\nhi<|im_end|>", "llama3": "<|begin_of_text|>user\nhi", "xlm-roberta": "<s> user hi</s>",
	} {
		tok := family(t, name)
		got := tok.Decode(tok.Encode(text))
		if strings.Contains(got, "<") || !strings.Contains(got, "hi") {
			t.Errorf("%s: %q comes back as %q", name, text, got)
		}
	}
}

func TestDecodeWordPiece(t *testing.T) {
	tok := bert(t)
	if got := tok.Decode(tok.EncodeDocument("Unaffable  tokenizers", 0)); got != "unaffable tokenizers" {
		t.Errorf("got %q", got)
	}
}

// Text that is not trusted cannot bring special tokens in.
func TestAppendLiteral(t *testing.T) {
	for _, name := range []string{"smollm", "qwen2", "llama3", "roberta", "llama2-first", "xlm-roberta"} {
		tok := family(t, name)
		for _, a := range tok.settings.Added {
			if !a.Special {
				continue
			}
			text := "a" + a.Content + "b"
			for _, id := range tok.AppendLiteral(nil, text) {
				if id == a.ID && id != tok.settings.Unknown {
					t.Errorf("%s: %q yields token %d", name, text, id)
				}
			}
		}
	}
	if ids := small(t).AppendLiteral(nil, "a[SEP]b"); fmt.Sprint(ids) != "[9 0 0 0 10]" {
		t.Errorf("got %v", ids)
	}
}

func TestIncomplete(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "a": 0, "é": 0, "a\xc3": 1, "\xf0\x9f": 2, "\xf0\x9f\xa6": 3, "🦙": 0, "\xa6": 0, "\xc3\xc3": 1, "\xff": 0, "\xe0\x80": 0,
	} {
		if got := incomplete([]byte(text)); got != want {
			t.Errorf("incomplete(%q) = %d, want %d", text, got, want)
		}
	}
}

func ExampleDecoder() {
	tok, err := FromParts(Parts{
		Model: "gpt2", Pre: "gpt-2", Tokens: []string{"a", "Ã", "©", "Ġ"}, Unknown: NoToken, BOS: NoToken, EOS: NoToken,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	d := tok.NewDecoder()
	for _, id := range tok.Encode("a é") {
		fmt.Printf("%q\n", d.Next(id))
	}
	fmt.Println(utf8.ValidString(d.Flush()))
	// Output:
	// "a"
	// " "
	// ""
	// "é"
	// true
}
