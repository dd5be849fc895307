package prompt

import "testing"

func TestEmbeddingsByPublishedName(t *testing.T) {
	for name, want := range map[string]Embedding{
		"intfloat/multilingual-e5-small":          {"query: ", "passage: "},
		"intfloat/e5-small-v2":                    {"query: ", "passage: "},
		"intfloat/multilingual-e5-large-instruct": {},
		"intfloat/e5-mistral-7b-instruct":         {},
		"BAAI/bge-small-en-v1.5":                  {Query: asSentence},
		"BAAI/bge-m3":                             {},
		"Snowflake/snowflake-arctic-embed-xs":     {Query: asSentence},
		"sentence-transformers/all-MiniLM-L6-v2":  {},
		"":                                        {},
	} {
		if got := Embeddings(name); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	if got := Embeddings("", "mine", "bge-base-en-v1.5"); got.Query != asSentence {
		t.Errorf("the first name that is known does not count: %+v", got)
	}
}
