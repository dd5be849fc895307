package tokenizer

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// partsOf turns a small byte-level tokenizer into what a GGUF file would say.
func partsOf(t testing.TB, name, pre string) Parts {
	t.Helper()
	var d definition
	var m struct {
		Vocab  map[string]int32
		Merges [][2]string
	}
	if err := json.Unmarshal(familyJSON(t, name), &d); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(d.Model, &m); err != nil {
		t.Fatal(err)
	}
	tokens, err := tokenList(m.Vocab, d.AddedTokens)
	if err != nil {
		t.Fatal(err)
	}
	p := Parts{Model: "gpt2", Pre: pre, Tokens: tokens, Types: make([]TokenType, len(tokens)), Unknown: NoToken, BOS: NoToken, EOS: NoToken}
	for i := range p.Types {
		p.Types[i] = tokenNormal
	}
	for _, a := range d.AddedTokens {
		p.Types[a.ID] = tokenUserDefined
		if a.Special {
			p.Types[a.ID] = tokenControl
		}
	}
	for _, pair := range m.Merges {
		p.Merges = append(p.Merges, pair[0]+" "+pair[1])
	}
	return p
}

// The parts of a tokenizer make the tokenizer that its tokenizer.json makes.
func TestPartsAgainstJSON(t *testing.T) {
	for name, pre := range map[string]string{"smollm": "smollm", "qwen2": "qwen2", "llama3": "llama-bpe"} {
		tok, err := FromParts(partsOf(t, name, pre))
		if err != nil {
			t.Fatal(err)
		}
		want := family(t, name)
		for _, text := range ownTexts(t) {
			if got, want := tok.Encode(text), want.Encode(text); !slices.Equal(got, want) {
				t.Fatalf("%s: Encode(%+q)\n parts %v\n json  %v", name, text, got, want)
			}
		}
		if again, err := FromCompact(tok.AppendCompact(nil)); err != nil || again.Size() != want.Size() {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPartsTemplates(t *testing.T) {
	p := partsOf(t, "smollm", "smollm")
	p.BOS, p.EOS, p.AddBOS, p.AddEOS = 1, 2, true, true
	tok, err := FromParts(p)
	if err != nil {
		t.Fatal(err)
	}
	x := tok.Encode("x")[0]
	if got := tok.EncodeDocument("x", 0); !slices.Equal(got, []int32{1, x, 2}) {
		t.Errorf("a document is %v", got)
	}
	if got, _ := tok.EncodePair("x", "x", 0); !slices.Equal(got, []int32{1, x, 2, 1, x, 2}) {
		t.Errorf("a pair is %v", got)
	}
}

// spmParts returns a SentencePiece model that fits on a screen.
func spmParts() Parts {
	return Parts{
		Model:   "llama",
		Tokens:  []string{"<unk>", "<s>", "<0xC3>", "<0xA9>", "▁", "a", "b", "ab", "▁a", "▁ab", "<x>", "bb", "bbb"},
		Scores:  []float32{0, 0, 0, 0, -9, -9, -9, -1, -2, -3, 0, -4, -5},
		Types:   []TokenType{tokenUnknown, tokenControl, tokenByte, tokenByte, 1, 1, 1, 1, 1, 1, tokenUserDefined, 1, 1},
		Unknown: 0, BOS: 1, EOS: NoToken, AddBOS: true, AddSpacePrefix: true,
	}
}

func TestSentencePieceParts(t *testing.T) {
	tok, err := FromParts(spmParts())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		want []int32
	}{
		{"ab", []int32{9}},
		{"a b", []int32{8, 4, 6}},
		{"é", []int32{4, 2, 3}},
		{"中b中中", []int32{4, 0, 6, 0}},
		{"a<x>a", []int32{8, 10, 8}},
		{"bbbb", []int32{4, 11, 11}},
		{"bbb", []int32{4, 12}},
	} {
		if got := tok.Encode(c.text); !slices.Equal(got, c.want) {
			t.Errorf("Encode(%q) = %v, want %v", c.text, got, c.want)
		}
	}
	if got := tok.Decode([]int32{1, 9, 8, 2, 3}); got != "ab aé" {
		t.Errorf("Decode gives %q", got)
	}
}

func TestPartsAreRefusedByName(t *testing.T) {
	for want, change := range map[string]func(p *Parts){
		`tokenizer model "t5"`:         func(p *Parts) { p.Model = "t5" },
		`pre-tokenizer "command-r"`:    func(p *Parts) { p.Model, p.Pre = "gpt2", "command-r" },
		"13 tokens and 1 token types":  func(p *Parts) { p.Types = p.Types[:1] },
		"0 scores for 13 tokens":       func(p *Parts) { p.Scores = nil },
		"a template names a token":     func(p *Parts) { p.BOS = 99 },
		"the unknown token is not in":  func(p *Parts) { p.Unknown = 99 },
		`the merge "a c" needs`:        func(p *Parts) { p.Model, p.Pre, p.Merges = "gpt2", "gpt-2", []string{"a c"} },
		`added token "" has no valid`:  func(p *Parts) { p.Tokens[1] = "" },
		"0 tokens and 13 token types":  func(p *Parts) { p.Tokens = nil },
		`the merge "ab" needs a token`: func(p *Parts) { p.Model, p.Pre, p.Merges = "gpt2", "gpt-2", []string{"ab"} },
	} {
		p := spmParts()
		change(&p)
		if _, err := FromParts(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestLlama2(t *testing.T) {
	tok := family(t, "shared/llama2-spm")
	if got := tok.EncodeDocument("Hello world", 0); !slices.Equal(got, []int32{1, 15043, 3186}) {
		t.Errorf("a document is %v", got)
	}
}

func TestPipelineComponentsAreRefusedByName(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"qwen2", `"type":"NFC"`, `"type":"NFKD"`, "normalizer NFKD"},
		{"qwen2", `\\p{N}|`, `\\p{N}+|`, "pre_tokenizer Split by the expression"},
		{"qwen2", `"behavior":"Isolated"`, `"behavior":"Removed"`, "behavior Isolated"},
		{"qwen2", `"use_regex":false`, `"use_regex":true`, "use_regex is not supported after Split"},
		{"smollm", `"individual_digits":true`, `"individual_digits":false`, "individual_digits"},
		{"smollm", `"type":"Digits"`, `"type":"Punctuation"`, "pre_tokenizer Punctuation"},
		{"smollm", `"add_prefix_space":false`, `"add_prefix_space":true`, "add_prefix_space is supported alone"},
		{"llama2", `"dropout":null`, `"dropout":0.1`, "dropout"},
		{"llama2", `"unk_token":"<unk>"`, `"unk_token":"<none>"`, `"<none>" is not in the vocabulary`},
		{"llama2", `"type":"TemplateProcessing"`, `"type":"Other"`, "post_processor Other"},
		{"bge-m3", ` {2,}`, ` {3,}`, `Replace of the expression " {3,}"`},
		{"bge-m3", `"prepend_scheme":"always"`, `"prepend_scheme":"often"`, `prepend_scheme "often"`},
		{"xlm-roberta", `"unk_id":3`, `"unk_id":null`, "needs an unknown token"},
		{"xlm-roberta", `"precompiled_charsmap":"`, `"precompiled_charsmap":"AAAA`, "character map"},
	} {
		data := string(familyJSON(t, c.name))
		broken := strings.Replace(data, c.old, c.new, 1)
		if broken == data {
			t.Fatalf("%s: %q does not stand in the file", c.name, c.old)
		}
		if _, err := FromJSON([]byte(broken)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s: error %.300v, want one with %q", c.name, c.new, err, c.want)
		}
	}
}
