package prompt

import (
	"slices"
	"strings"
)

// Embedding is what a model of vectors was trained to have before a query and before a
// passage.
type Embedding struct{ Query, Passage string }

// asSentence is what models of several families want before a query in English.
const asSentence = "Represent this sentence for searching relevant passages: "

// embeddings are the prompts of models whose files do not say any, by parts of the names
// that they are published under, in lower case; the first row of which all parts occur
// counts.
var embeddings = []struct {
	published []string
	Embedding
}{
	{[]string{"e5-", "instruct"}, Embedding{}}, // wants a sentence about the task, which only a person knows
	{[]string{"e5-mistral"}, Embedding{}},
	{[]string{"e5-"}, Embedding{"query: ", "passage: "}},
	{[]string{"bge-", "-en"}, Embedding{Query: asSentence}},
	{[]string{"mxbai-embed"}, Embedding{Query: asSentence}},
	{[]string{"mdbr-leaf-ir"}, Embedding{Query: asSentence}},
	{[]string{"arctic-embed", "v2"}, Embedding{Query: "query: "}},
	{[]string{"arctic-embed"}, Embedding{Query: asSentence}},
}

// Embeddings returns the prompts of a model of vectors by the first of the names that it
// goes by which is known; both are empty for one that wants none or is not known.
func Embeddings(names ...string) Embedding {
	for _, name := range names {
		name = strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
		for _, row := range embeddings {
			if !slices.ContainsFunc(row.published, func(part string) bool { return !strings.Contains(name, part) }) {
				return row.Embedding
			}
		}
	}
	return Embedding{}
}
