package tokenizer

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// sharedData is where the public test data lies, beside the repository.
var sharedData = filepath.Join("..", "..", "..", "shared", "data")

// readShared reads a file of the shared data, or skips the test.
func readShared(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(sharedData, filepath.FromSlash(name)))
	if os.IsNotExist(err) {
		t.Skipf("the shared data is not here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var compactBERT = sync.OnceValues(func() ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(sharedData, "models", "bert-uncased", "tokenizer.json"))
	if err != nil {
		return nil, err
	}
	t, err := FromJSON(data)
	if err != nil {
		return nil, err
	}
	return t.AppendCompact(nil), nil
})

// bert returns the tokenizer of bert-base-uncased, read from its compact form.
func bert(t testing.TB) *Tokenizer {
	t.Helper()
	data, err := compactBERT()
	if os.IsNotExist(err) {
		t.Skipf("the shared data is not here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	tok, err := FromCompact(data)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// smallJSON is a tokenizer.json with a vocabulary that fits on a line.
const smallJSON = `{"version":"1.0","truncation":{"max_length":8},"added_tokens":[
{"id":1,"content":"[CLS]"},{"id":2,"content":"[SEP]"},{"id":3,"content":"[MASK]","lstrip":true,"rstrip":true},
{"id":4,"content":"[W]","single_word":true}],
"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true},
"pre_tokenizer":{"type":"BertPreTokenizer"},
"post_processor":{"type":"BertProcessing","sep":["[SEP]",2],"cls":["[CLS]",1]},
"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":10,
"vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,"[MASK]":3,"[W]":4,"un":5,"##aff":6,"##able":7,"##a":8,"a":9,"b":10,".":11,"中":12,"unaf":13}}}`

func small(t testing.TB) *Tokenizer {
	t.Helper()
	tok, err := FromJSON([]byte(smallJSON))
	if err != nil {
		t.Fatal(err)
	}
	return tok
}
