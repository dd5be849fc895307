package tokenizer

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// unknownJSON is the small tokenizer with [W] found in normalised text, like <unk> in
// MPNet's.
func unknownJSON() string {
	return strings.Replace(smallJSON, `"content":"[W]","single_word":true`, `"content":"[W]","normalized":true`, 1)
}

// Ids and spans are those of the reference (tokenizers 0.22).
func TestAddedTokensInNormalisedText(t *testing.T) {
	tok, err := FromJSON([]byte(unknownJSON()))
	if err != nil {
		t.Fatal(err)
	}
	both := []*Tokenizer{tok, compacted(t, tok)}
	for text, want := range map[string]string{
		"[W]":                "[4] [{0 3}]",
		"[w]a[W]":            "[4 9 4] [{0 3} {3 4} {4 7}]",
		"a[\u0301W]b":        "[9 4 10] [{0 1} {1 6} {6 7}]",
		"[W]\u0301a":         "[4 9] [{0 3} {5 6}]",
		"[\u00adw]":          "[4] [{0 5}]",
		"[w":                 "[0 0] [{0 1} {1 2}]",
		"w]":                 "[0 0] [{0 1} {1 2}]",
		"[[w]]":              "[0 4 0] [{0 1} {1 4} {4 5}]",
		"[SEP][w][MASK]":     "[2 4 3] [{0 5} {5 8} {8 14}]",
		"[MASK] [w] [MASK]":  "[3 4 3] [{0 7} {7 10} {10 17}]",
		"\u4e2d[W]\u4e2d":    "[12 4 12] [{0 3} {3 6} {6 9}]",
		"[ w]":               "[0 0 0] [{0 1} {2 3} {3 4}]",
		"[\u0000W]":          "[4] [{0 4}]",
		"una [W]una":         "[5 8 4 5 8] [{0 2} {2 3} {4 7} {7 9} {9 10}]",
		"":                   "[] []",
		"a\u0338[w]\u0338 a": "[9 4 9] [{0 1} {3 6} {9 10}]",
	} {
		for _, tok := range both {
			ids, spans := tok.EncodeSpans(text)
			if got := fmt.Sprint(ids, " ", spans); got != want {
				t.Errorf("%q: %s, want %s", text, got, want)
			}
			if tok.Count(text) != len(ids) || !slices.Equal(tok.Encode(text), ids) {
				t.Errorf("%q: other ids without spans", text)
			}
		}
	}
}

func compacted(t *testing.T, tok *Tokenizer) *Tokenizer {
	t.Helper()
	c, err := FromCompact(tok.AppendCompact(nil))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestRealTokenizerGivesTheReferencesIDs compares with rows {text, ids} of the reference.
func TestRealTokenizerGivesTheReferencesIDs(t *testing.T) {
	file, rows := os.Getenv("DOWSE_TEST_TOKENIZER"), os.Getenv("DOWSE_TEST_TOKENIZER_IDS")
	if file == "" || rows == "" {
		t.Skip("set DOWSE_TEST_TOKENIZER to a tokenizer.json and DOWSE_TEST_TOKENIZER_IDS to a list of {text, ids} that tokenizers made with it")
	}
	var want []struct {
		Text string
		IDs  []int32
	}
	read := func(name string) []byte {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if err := json.Unmarshal(read(rows), &want); err != nil {
		t.Fatal(err)
	}
	tok, err := FromJSON(read(file))
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for _, row := range want {
		if got := tok.EncodeDocument(row.Text, 0); !slices.Equal(got, row.IDs) {
			if wrong++; wrong <= 10 {
				t.Errorf("%q: %v, want %v", row.Text, got, row.IDs)
			}
		}
	}
	t.Logf("%d of %d texts have the reference's ids", len(want)-wrong, len(want))
}
