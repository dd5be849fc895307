package transformer

import (
	"fmt"
	"strings"

	"dowse/models/tokenizer"
)

// Prompt is how a decoder is asked for the relevance of a passage.
type Prompt struct {
	// Before and After enclose all else. Special tokens that stand in them
	// count as such.
	Before, After string
	// Body is what stands between, in pieces that become tokens each on its
	// own, as the model was trained on them. {instruction}, {query} and
	// {passage} are replaced; nothing in those texts is a special token.
	Body        []string
	Instruction string
	// Yes and No are the tokens whose logits are compared; both are empty for a
	// model with a head.
	Yes, No string
}

// Qwen3Prompt returns what the rerankers of the Qwen3 family are trained on.
func Qwen3Prompt() Prompt {
	return Prompt{
		Before: "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. " +
			"Note that the answer can only be \"yes\" or \"no\".<|im_end|>\n<|im_start|>user\n",
		Body:        []string{"<Instruct>: {instruction}\n<Query>: {query}\n<Document>: {passage}"},
		After:       "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n",
		Instruction: "Given a web search query, retrieve relevant passages that answer the query",
		Yes:         "yes", No: "no",
	}
}

// MxbaiPrompt returns what mxbai-rerank of the second version, a Qwen2, is
// trained on.
func MxbaiPrompt() Prompt {
	return Prompt{
		Before: "<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n<|im_start|>user\n",
		Body: []string{"query: {query}", "\n", "document: {passage}", "\n",
			"You are a search relevance expert who evaluates how well documents match search queries. " +
				"For each query-document pair, carefully analyze the semantic relationship between them, " +
				"then provide your binary relevance judgment (0 for not relevant, 1 for relevant).\nRelevance:"},
		After: "<|im_end|>\n<|im_start|>assistant\n",
		Yes:   "1", No: "0",
	}
}

// PlainPrompt returns a prompt without special tokens, for models with a head
// of their own.
func PlainPrompt() Prompt {
	return Prompt{Body: []string{"query: {query}\n", "passage: {passage}"}}
}

const (
	instructionPlace = "{instruction}"
	queryPlace       = "{query}"
	passagePlace     = "{passage}"
)

// encode returns the tokens of a pair, at most most of them: the piece with the
// passage loses its end, and a query that would take more than half of the room
// loses its own first.
func (p *Prompt) encode(t *tokenizer.Tokenizer, query, passage string, most int) []int32 {
	before, after := t.Encode(p.Before), t.Encode(p.After)
	room := most - len(before) - len(after)
	fill := strings.NewReplacer(instructionPlace, p.Instruction, queryPlace, cutText(t, query, room/2), passagePlace, passage)
	pieces, place, total := make([][]int32, len(p.Body)), -1, 0
	for i, piece := range p.Body {
		pieces[i] = t.AppendLiteral(nil, fill.Replace(piece))
		total += len(pieces[i])
		if strings.Contains(piece, passagePlace) {
			place = i
		}
	}
	if place >= 0 && total > room {
		pieces[place] = pieces[place][:max(0, len(pieces[place])-(total-room))]
	}
	ids := append(make([]int32, 0, most), before...)
	for _, piece := range pieces {
		ids = append(ids, piece...)
	}
	return append(ids, after...)
}

// cutText returns the start of a text that has at most most tokens.
func cutText(t *tokenizer.Tokenizer, text string, most int) string {
	ids, spans := t.EncodeSpans(text)
	if len(ids) <= most {
		return text
	}
	if most <= 0 {
		return ""
	}
	return text[:spans[most-1].End]
}

// answers resolves Yes and No.
func (p *Prompt) answers(t *tokenizer.Tokenizer) (yes, no int32, err error) {
	ids := [2]int32{}
	for i, word := range []string{p.Yes, p.No} {
		id, found := t.ID(word)
		if word == "" || !found {
			return 0, 0, fmt.Errorf("the word %q of the prompt is no token of the model", word)
		}
		ids[i] = id
	}
	return ids[0], ids[1], nil
}
