package prompt

import (
	"slices"
	"strings"
)

// Embedding is the text before a query and before a passage in an embedder's
// training.
type Embedding struct{ Query, Passage string }

// asSentence is the prefix of several families for English queries.
const asSentence = "Represent this sentence for searching relevant passages: "

// embeddings are prompts of models whose files have none, by parts of their
// published names in lower case; the first row with all parts counts.
var embeddings = []struct {
	published []string
	Embedding
}{
	{[]string{"e5-", "instruct"}, Embedding{}}, // needs a task description, which only a person knows
	{[]string{"e5-mistral"}, Embedding{}},
	{[]string{"e5-"}, Embedding{"query: ", "passage: "}},
	{[]string{"bge-", "-en"}, Embedding{Query: asSentence}},
	{[]string{"mxbai-embed"}, Embedding{Query: asSentence}},
	{[]string{"mdbr-leaf-ir"}, Embedding{Query: asSentence}},
	{[]string{"arctic-embed", "v2"}, Embedding{Query: "query: "}},
	{[]string{"arctic-embed"}, Embedding{Query: asSentence}},
}

// Embeddings returns the prompts of an embedder by its first known name; empty
// if it needs none or is unknown.
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
