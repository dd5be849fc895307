package prompt

import "slices"

// Text is a decoder's input for a query and a passage.
type Text struct {
	// Before and After enclose the rest. Their special tokens count.
	Before, After string
	// Body is tokenized piece by piece, as in training. {instruction}, {query}
	// and {passage} are replaced, without special tokens.
	Body        []string
	Instruction string
	// Yes and No are the tokens whose logits are compared; empty for a model
	// with a head.
	Yes, No string
}

// Way is a way to ask for relevance.
type Way struct {
	Name         string // in dowse.json and --prompt
	About        string // for help
	Published    string // part of the names of models trained on it, in lower case; "": none
	Architecture string // whose rerankers use it by default; "": none
	Text         Text
}

// Plain is the prompt without special tokens, for models with a head.
const Plain = "plain"

// Ways are all ways to ask.
var Ways = []Way{
	{
		Name: "qwen3", About: "as Qwen3-Reranker, by the words yes and no",
		Published: "qwen3-reranker", Architecture: "Qwen3ForCausalLM",
		Text: Text{
			Before: "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. " +
				"Note that the answer can only be \"yes\" or \"no\".<|im_end|>\n<|im_start|>user\n",
			Body:        []string{"<Instruct>: {instruction}\n<Query>: {query}\n<Document>: {passage}"},
			After:       "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n",
			Instruction: "Given a web search query, retrieve relevant passages that answer the query",
			Yes:         "yes", No: "no",
		},
	},
	{
		Name: "mxbai", About: "as mxbai-rerank of the second version, by the words 1 and 0",
		Published: "mxbai-rerank", Architecture: "Qwen2ForCausalLM",
		Text: Text{
			Before: "<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n<|im_start|>user\n",
			Body: []string{"query: {query}", "\n", "document: {passage}", "\n",
				"You are a search relevance expert who evaluates how well documents match search queries. " +
					"For each query-document pair, carefully analyze the semantic relationship between them, " +
					"then provide your binary relevance judgment (0 for not relevant, 1 for relevant).\nRelevance:"},
			After: "<|im_end|>\n<|im_start|>assistant\n",
			Yes:   "1", No: "0",
		},
	},
	{
		Name: Plain, About: "by query and passage alone, for an adapter with a head",
		Text: Text{Body: []string{"query: {query}\n", "passage: {passage}"}},
	},
}

// Find returns the first way that is accepts, or nil.
func Find(is func(w *Way) bool) *Way {
	at := slices.IndexFunc(Ways, func(w Way) bool { return is(&w) })
	if at < 0 {
		return nil
	}
	return &Ways[at]
}

// Named returns the way of a name, or nil.
func Named(name string) *Way { return Find(func(w *Way) bool { return w.Name == name }) }
