package tokenizer

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestEncodeSmall(t *testing.T) {
	tok := small(t)
	for _, c := range []struct {
		text string
		want []int32
	}{
		{"", nil},
		{"unaffable", []int32{0}}, // "unaf" is longer than "un", and nothing covers "fable"
		{"una", []int32{5, 8}},
		{"UN Á", []int32{5, 9}},
		{"a.b中a", []int32{9, 11, 10, 12, 9}},
		{"a[SEP]b", []int32{9, 2, 10}},
		{"a [MASK] b", []int32{9, 3, 10}},
		{"a[W]b [W]", []int32{9, 0, 0, 0, 10, 4}},
		{"aaaaaaaaaa aaaaaaaaaaa", []int32{9, 8, 8, 8, 8, 8, 8, 8, 8, 8, 0}},
		{"a\xffb \xff", []int32{0}},
	} {
		if got := tok.Encode(c.text); !slices.Equal(got, c.want) {
			t.Errorf("Encode(%q) = %v, want %v", c.text, got, c.want)
		}
		compareWithSlow(t, tok, c.text)
	}
}

func TestSpansPointIntoTheOriginal(t *testing.T) {
	tok := bert(t)
	text := "Ça va, 한국? \u00adtoken[SEP]izers\u0301!"
	ids, spans := tok.EncodeSpans(text)
	var got []string
	for i, s := range spans {
		got = append(got, fmt.Sprintf("%s=%s", tok.Token(ids[i]), text[s.Start:s.End]))
	}
	want := "ca=Ça|va=va|,=,|ᄒ=한|##ᅡ=한|##ᆫ=한|##ᄀ=국|##ᅮ=국|##ᆨ=국|?=?|token=token|[SEP]=[SEP]|##=|"
	want = strings.TrimSuffix(want, "##=|") + "i=i|##zers=zers|!=!"
	if strings.Join(got, "|") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
	}
}

func TestEncodeDocument(t *testing.T) {
	tok := small(t)
	long := strings.Repeat("a ", 100)
	for _, c := range []struct{ limit, want int }{{0, 102}, {1, 2}, {2, 2}, {3, 3}, {50, 50}, {102, 102}, {1000, 102}} {
		ids := tok.EncodeDocument(long, c.limit)
		if len(ids) != c.want || ids[0] != 1 || ids[len(ids)-1] != 2 {
			t.Errorf("EncodeDocument(…, %d) has %d ids, want %d: %v", c.limit, len(ids), c.want, ids)
		}
	}
}

// A pair uses all the room there is, and the query keeps half of it if it needs it.
func TestSplitBudget(t *testing.T) {
	for n1 := range 12 {
		for n2 := range 12 {
			for budget := range 26 {
				q, p := splitBudget(n1, n2, budget)
				if q > n1 || p > n2 || q < 0 || p < 0 || q+p != min(n1+n2, budget) || q < min(n1, budget/2) || q < n1 && p > budget-budget/2 {
					t.Errorf("of %d and %d with room for %d stay %d and %d", n1, n2, budget, q, p)
				}
			}
		}
	}
}

func TestIDAndTokenAreInverse(t *testing.T) {
	tok := bert(t)
	seen := 0
	for id := range int32(tok.Size()) {
		token := tok.Token(id)
		if token == "" {
			continue
		}
		seen++
		if back, ok := tok.ID(token); !ok || back != id {
			t.Fatalf("ID(%q) = %d, %v, want %d", token, back, ok, id)
		}
	}
	if seen != 30522 {
		t.Errorf("%d tokens, want 30522", seen)
	}
	if _, ok := tok.ID("no such token"); ok || tok.Token(-1) != "" || tok.Token(1<<30) != "" {
		t.Error("an entry that does not exist is found")
	}
}

func TestConcurrentUse(t *testing.T) {
	tok := bert(t)
	text := "Concurrent use of one tokenizer, naïvely, 中文 한국."
	want := tok.Encode(text)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if got := tok.Encode(text); !slices.Equal(got, want) {
					t.Errorf("got %v, want %v", got, want)
				}
			}
		})
	}
	wg.Wait()
}

func TestCountDoesNotAllocate(t *testing.T) {
	tok := bert(t)
	text := "Counting tokens of naïve text, 中文 and unaffable 한국, allocates nothing."
	if n := testing.AllocsPerRun(100, func() { tok.Count(text) }); n != 0 {
		t.Errorf("Count allocates %v times", n)
	}
}

func TestUnknownComponentsAreRefusedByName(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"type":"WordPiece"`, `"type":"WordLevel"`, "model WordLevel is not supported"},
		{`"type":"WordPiece"`, `"type":"Unigram"`, "model Unigram is not supported with normalizer BertNormalizer"},
		{`"type":"BertNormalizer"`, `"type":"NFC"`, "normalizer NFC is not supported"},
		{`"type":"BertPreTokenizer"`, `"type":"ByteLevel"`, "pre_tokenizer ByteLevel is not supported"},
		{`"type":"BertProcessing"`, `"type":"Other"`, "post_processor Other is not supported"},
		{`"content":"[W]"`, `"content":"[W]","normalized":true`, "matched in normalised text"},
		{`"unk_token":"[UNK]"`, `"unk_token":"<unk>"`, `"<unk>" is not in the vocabulary`},
		{`"max_input_chars_per_word":10`, `"max_input_chars_per_word":0`, "max_input_chars_per_word"},
		{`"b":10`, `"b":9`, "share id 9"},
		{`"b":10`, `"b":-1`, "has id -1"},
		{`"b":10`, `"b":1000000000`, "has id 1000000000"},
		{`["[SEP]",2]`, `["[SEP]",99]`, "not in the vocabulary"},
	} {
		broken := strings.Replace(smallJSON, c.old, c.new, 1)
		if broken == smallJSON {
			t.Fatalf("%q does not stand in the file", c.old)
		}
		_, err := FromJSON([]byte(broken))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("with %s: error %v, want one with %q", c.new, err, c.want)
		}
	}
}

// A WordPiece tokenizer without a post-processor, as static models have it, puts nothing
// around a text.
func TestWordPieceWithoutTemplate(t *testing.T) {
	tok, err := FromJSON([]byte(strings.Replace(smallJSON, `"post_processor":{`, `"post_processor":null,"x":{`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	ids, types := tok.EncodePair("a", "b", 0)
	if got := tok.EncodeDocument("a b", 0); !slices.Equal(got, []int32{9, 10}) || !slices.Equal(ids, []int32{9, 10}) || !slices.Equal(types, []uint8{0, 1}) {
		t.Errorf("%v; %v of types %v", got, ids, types)
	}
}

func FuzzFromJSON(f *testing.F) {
	f.Add([]byte(smallJSON))
	f.Add([]byte(`{"model":{"type":"WordPiece"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4096 {
			return
		}
		if tok, err := FromJSON(data); err == nil {
			tok.EncodePair("a b\u0301c", "[SEP]", 5)
		}
	})
}
